import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type RunOptions, type RunRecord, stagesFolder, type TrainingData, type Trial } from "../../training/index.ts";
import { writeTextAtomically } from "../../util/atomic.ts";
import { InputError } from "../../util/errors.ts";
import { parseJson } from "../../util/json.ts";
import { makeFolder } from "../../util/make-folder.ts";
import { readTextFile } from "../../util/regular-file.ts";
import type { OtherMethods } from "../method.ts";
import { calibrate } from "./calibrate.ts";
import type { Entry } from "./entries.ts";
import { type CorpusFacts, describeFacts } from "./facts.ts";
import { epochsFor, fullEpochs, planHalving, ranking, ready, survivors } from "./halving.ts";
import { describePlan } from "./report.ts";
import type { AutoComplete } from "./settings.ts";
import type { Found, SearchState, TrialContext } from "./state.ts";
import { tryOut } from "./try-out.ts";

/** Compares candidates on dev by successive halving. The clock is looked at once: what follows is counted in epochs. */
export async function* search(
  entries: readonly Entry[],
  facts: CorpusFacts,
  data: TrainingData,
  settings: AutoComplete,
  options: RunOptions,
  others: OtherMethods,
): AsyncGenerator<RunRecord, Found> {
  const folder = join(stagesFolder(options.directory), "trials");
  await makeFolder(folder);
  const file = join(folder, "search.json");
  const context = { folder, data, settings, options, others };
  let state = existsSync(file) ? await readState(file, entries) : yield* begin(entries, context);
  await writeState(file, state);
  const { plan, rate } = state;
  const named = (names: readonly string[]): Entry[] => names.map((name) => entries.find((each) => each.name === name)!);
  const leftOut = entries.filter(({ name }) => !plan.names.includes(name));
  yield {
    kind: "proposal",
    facts: describeFacts(facts),
    candidates: named(plan.names),
    leftOut: leftOut.map(({ name }) => name),
    plan: describePlan(plan, rate),
  };
  const controls = entries.filter(({ control }) => control).map(({ name }) => name);
  let scored: Trial[] = [];
  for (const [rung, { work, size }] of plan.rungs.entries()) {
    const before = new Set(rung === 0 ? [] : ready(named(plan.names), plan.rungs[rung - 1]!));
    const able = ready(named(plan.names), { work });
    const joining = able.filter((entry) => !before.has(entry)).map(({ name }) => name);
    const names = rung === 0 ? joining : [...survivors(scored, size - joining.length, controls), ...joining];
    scored = [];
    for (const entry of named(names)) {
      const epochs = epochsFor(entry, work);
      const known = state.trials.find((trial) => trial.name === entry.name && trial.epochs === epochs);
      const trial: Trial = known ?? (yield* tryOut(entry, epochs, context));
      if (!known) {
        state = { ...state, trials: [...state.trials, trial] };
        await writeState(file, state);
      }
      yield { kind: "trial", trial };
      scored.push(trial);
    }
    if (scored.every(({ f1 }) => f1 === null))
      throw new InputError(`method auto: no candidate could be trained: ${scored[0]!.failure}`);
  }
  const [best] = ranking(scored);
  const winner = named([best!])[0]!;
  const { total } = budgetOf({ ...settings, auto: { ...settings.auto, share: 1 - settings.auto.share } }, rate);
  const epochs = fullEpochs(winner, total, epochsFor(winner, plan.rungs.at(-1)!.work));
  return { winner, epochs, candidates: named(plan.names), leftOut, trials: state.trials, plan, rate };
}

/** Measures, and decides how candidates are compared. What cannot be begun leaves nothing that could go on. */
async function* begin(entries: readonly Entry[], context: TrialContext): AsyncGenerator<RunRecord, SearchState> {
  const { settings, options } = context;
  try {
    const rate = yield* calibrate(entries[0]!, context);
    const plan = planHalving(entries, budgetOf(settings, rate));
    if (plan) return { rate, plan, trials: [] };
    throw tooShort(settings, rate, entries);
  } catch (error) {
    if (error instanceof InputError) await rm(stagesFolder(options.directory), { recursive: true, force: true });
    throw error;
  }
}

function budgetOf({ minutes, epochs, auto }: AutoComplete, { epoch, start }: SearchState["rate"]) {
  return { total: (60 * minutes * auto.share) / epoch, start: start / epoch, epochs };
}

function tooShort(
  settings: AutoComplete,
  { epoch, start }: SearchState["rate"],
  entries: readonly Entry[],
): InputError {
  const costs = entries.map(({ cost }) => start + epoch * (cost.fixed + cost.each)).sort((a, b) => a - b);
  const two = costs[0]! + (costs[1] ?? 0);
  const needed = Math.ceil((two / 60 / settings.auto.share) * 10) / 10;
  return new InputError(
    `method auto: ${settings.minutes} minutes are too few to compare two candidates for an epoch each, which takes ${needed} minutes in all here; give more --minutes, or choose a method`,
  );
}

async function writeState(file: string, state: SearchState): Promise<void> {
  await writeTextAtomically(file, `${JSON.stringify(state, null, 2)}\n`);
}

const number = z.number().min(0);
const schema = z.object({
  rate: z.object({ epoch: z.number().positive(), start: number }),
  plan: z.object({
    names: z.array(z.string()).min(1),
    rungs: z.array(z.object({ work: z.number().positive(), size: z.int().min(1) })).min(1),
    cost: number,
  }),
  trials: z.array(z.looseObject({ name: z.string(), epochs: z.int(), f1: number.nullable(), seconds: number })),
});

async function readState(file: string, entries: readonly Entry[]): Promise<SearchState> {
  const value = parseJson(await readTextFile(file), "a search", { file });
  const parsed = schema.safeParse(value);
  const known = entries.map(({ name }) => name);
  if (parsed.success && parsed.data.plan.names.every((name) => known.includes(name)))
    // As it was written: the schema would bring its keys into another order, and the model directory would differ.
    return value as SearchState;
  throw new InputError("not a search with these data and settings; remove the folder and train again", { file });
}
