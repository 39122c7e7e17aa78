import { existsSync, readdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { InvalidArgumentError } from "commander";
import { type PlannedRun, plannedRuns } from "../report/study/grid.ts";
import { runStudy, stateOfRuns } from "../report/study/run-study.ts";
import { readStudy } from "../report/study/study.ts";
import { InputError, unknownName } from "../util/errors.ts";
import type { RegisterCommand } from "./command.ts";
import { describeRuns, runsAsJson, watchStudy } from "./experiment-print.ts";
import { NegativeOutcome } from "./failure.ts";
import { Interrupted } from "./interrupt.ts";
import { collect, jsonOption, quietOption, required, wholeNumber } from "./options.ts";
import { note, print, printJson } from "./output.ts";
import { plural } from "./watch.ts";

interface ExperimentFlags {
  readonly out: string;
  readonly data: string;
  readonly list?: boolean;
  readonly only?: readonly string[];
  readonly jobs: number;
  readonly keep?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const help = `
A study is a folder with a study.yaml, given by its path or by its name below experiments/. Runs that have a result in
DIR/results.jsonl are not repeated, and an interrupted study goes on where it stopped.

Examples:
  $ lacuna experiment masked-conll03 --out experiments/masked-conll03
  $ lacuna experiment masked-conll03 --out experiments/masked-conll03 --list
  $ lacuna experiment my-study --out results --data my-data --only method=ce,uniform --only seed=1 --jobs 1`;

export const experiment: RegisterCommand = (program, { signal }) => {
  program
    .command("experiment")
    .description("Run a study: many trainings, their results, and tables and figures of them")
    .argument("<study>", "the folder of a study, or its name below experiments/")
    .addOption(required("--out <dir>", "the folder for the results"))
    .option("--data <dir>", "the folder of the data", join("..", "shared", "data"))
    .option("--list", "show the runs and which of them are done, and run nothing")
    .option("--only <axis=value,…>", "only runs with these values on an axis; may be given several times", collect)
    .option("--jobs <n>", "runs at a time", positive, availableParallelism())
    .option("--keep", "keep the models of finished runs")
    .addOption(jsonOption("print the runs and their scores as JSON"))
    .addOption(quietOption())
    .addHelpText("after", help)
    .action((study: string, flags: ExperimentFlags) => run(study, flags, signal));
};

async function run(name: string, flags: ExperimentFlags, signal: AbortSignal): Promise<void> {
  const { out, data, list, json, quiet } = flags;
  const folder = findStudy(name);
  const file = join(folder, "study.yaml");
  const runs = chosen(plannedRuns(await readStudy(file), file), flags.only ?? []);
  const states = await stateOfRuns(runs, { out, data });
  if (list) {
    if (json) printJson(runsAsJson(states));
    else print(describeRuns(states));
    return;
  }
  await mkdir(out, { recursive: true });
  const watch = watchStudy(states, { quiet });
  const study = basename(folder);
  try {
    const { jobs, keep = false } = flags;
    await runStudy(states, { study, out, data, jobs, keep, signal, see: watch.see });
  } catch (error) {
    if (error instanceof Interrupted && !quiet) note(`${out}: interrupted; the same command goes on`);
    throw error;
  }
  const done = await stateOfRuns(runs, { out, data });
  if (json) printJson(runsAsJson(done));
  const failures = watch.failures();
  if (failures.length > 0) {
    throw new NegativeOutcome(`${plural(failures.length, "run")} of ${runs.length} failed, the first: ${failures[0]}`);
  }
  if (!quiet) note(`${out}: ${plural(runs.length, "run")} with results`);
}

/** Where studies are looked for by name: below the working folder, then in the source of this package. */
function studyFolders(): string[] {
  return ["experiments", fileURLToPath(new URL("../../experiments", import.meta.url))].filter((each) =>
    existsSync(each),
  );
}

function findStudy(name: string): string {
  const candidates = [name, ...studyFolders().map((folder) => join(folder, name))];
  const found = candidates.find((folder) => existsSync(join(folder, "study.yaml")));
  if (found !== undefined) return found;
  if (existsSync(name) && basename(name) === "study.yaml") return dirname(name);
  const known = studyFolders().flatMap((folder) =>
    readdirSync(folder).filter((each) => existsSync(join(folder, each, "study.yaml"))),
  );
  throw new InputError(`experiment: no folder with a study.yaml and no study ${unknownName(name, new Set(known))}`);
}

/** The runs that have one of the wanted values on each axis that is named. */
function chosen(runs: readonly PlannedRun[], only: readonly string[]): PlannedRun[] {
  const filters = only.map((text) => {
    const [axis = "", values] = text.split("=");
    if (axis === "" || !values)
      throw new InputError(`--only: expected AXIS=VALUE, such as seed=1, got ${JSON.stringify(text)}`);
    return { axis, values: values.split(",") };
  });
  for (const { axis, values } of filters) {
    const known = new Set(runs.flatMap(({ place }) => place[axis] ?? []));
    if (known.size === 0) {
      const axes = new Set(runs.flatMap(({ place }) => Object.keys(place)));
      throw new InputError(`--only: unknown axis ${unknownName(axis, axes)}`);
    }
    for (const value of values)
      if (!known.has(value)) throw new InputError(`--only: ${axis} has no value ${unknownName(value, known)}`);
  }
  return runs.filter(({ place }) => filters.every(({ axis, values }) => values.includes(place[axis] ?? "")));
}

function positive(text: string): number {
  const value = wholeNumber(text);
  if (value === 0) throw new InvalidArgumentError("Expected a whole number from 1.");
  return value;
}
