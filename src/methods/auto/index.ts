import {
  type EvaluationRecord,
  isInterrupted,
  isTrained,
  openFolder,
  type RunOptions,
  type RunRecord,
  type TrainingData,
} from "../../training/index.ts";
import { InputError } from "../../util/errors.ts";
import type { Method, OtherMethods } from "../method.ts";
import { withoutDev } from "./candidates.ts";
import { entriesFor, settingsFor } from "./entries.ts";
import { type CorpusFacts, describeFacts, factsOf } from "./facts.ts";
import { partFor } from "./part.ts";
import { describeFallback, describeSearch } from "./report.ts";
import { search } from "./search.ts";
import { type AutoComplete, type AutoSettings, autoSettings } from "./settings.ts";

/** Chooses among methods: proposes what suits the data, compares on dev within a time, and trains the winner in full. */
export const auto: Method<{ readonly auto: AutoSettings }> = {
  name: "auto",
  description: "tries what suits the data within --minutes, compares on dev, trains the best in full",
  settings: { sampler: "all", objective: "cross-entropy", decode: { shift: "by-type" } },
  usesUnlabelled: true,
  sections: { auto: autoSettings.prefault({}) },
  run: choose,
};

async function* choose(
  data: TrainingData,
  settings: AutoComplete,
  options: RunOptions,
  others: OtherMethods,
): AsyncGenerator<RunRecord, EvaluationRecord[]> {
  const { directory, resume = false } = options;
  await openFolder(directory, resume);
  if (isTrained(directory) && !isInterrupted(directory))
    throw new InputError("the search is over; go on with --resume and the method and settings of its config.json", {
      file: directory,
    });
  const facts = factsOf(data, settings);
  if (data.dev.length === 0) return yield* fallBack(facts, data, settings, options, others);
  if (settings.minutes === 0)
    throw new InputError("method auto: needs the time that it may take, such as --minutes 30, got 0");
  const entries = entriesFor(facts, settings, others);
  const found = yield* search(entries, facts, data, settings, options, others);
  const { winner, epochs, trials } = found;
  const reason = `the best of ${new Set(trials.map(({ name }) => name)).size} on dev: ${winner.reason}`;
  yield { kind: "choice", method: winner.method, epochs, reason, trials };
  yield { kind: "stage", name: winner.name, epochs };
  const complete = settingsFor(winner, settings, others, {
    epochs,
    patience: Math.round(settings.patience * winner.pace),
    ensemble: settings.ensemble,
  });
  return yield* others.train(partFor(winner, data), complete, {
    ...options,
    resume: true,
    origin: describeSearch(facts, reason, found),
  });
}

/** Without dev nothing can be compared: the estimate decides. */
async function* fallBack(
  facts: CorpusFacts,
  data: TrainingData,
  settings: AutoComplete,
  options: RunOptions,
  others: OtherMethods,
): AsyncGenerator<RunRecord, EvaluationRecord[]> {
  const { method, settings: own = {}, reason: why } = withoutDev.find(({ suits }) => suits(facts))!;
  const { epochs, patience, ensemble } = settings;
  const entry = { method, head: "any", settings: own, passes: 1 } as const;
  const complete = settingsFor(entry, settings, others, { epochs, patience, ensemble });
  const reason = `no dev set to compare on, so nothing is tried: ${why}; the shift follows from the estimate`;
  const candidates = [{ name: method, reason: why }];
  yield { kind: "proposal", facts: describeFacts(facts), candidates, leftOut: [], plan: reason };
  yield { kind: "choice", method, epochs, reason, trials: [] };
  return yield* others.train(data, complete, { ...options, origin: describeFallback(facts, reason) });
}
