import { existsSync } from "node:fs";

import { availableParallelism } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { InvalidArgumentError } from "commander";
import { type WrittenPages, writeResultsPage, writeStudyPage } from "../report/index.ts";
import type { PlannedRun } from "../studies/index.ts";
import { chosenRuns, findStudy, openStudy, runStudy, type StudyFolder, stateOfRuns } from "../studies/index.ts";
import { InputError } from "../util/errors.ts";
import { makeFolder } from "../util/make-folder.ts";
import type { CommandContext, RegisterCommand } from "./command.ts";
import { describeCost, describeRuns, runsAsJson, watchStudy } from "./experiment-print.ts";
import { NegativeOutcome } from "./failure.ts";
import { Interrupted } from "./interrupt.ts";
import { collect, jsonOption, quietOption, required, wholeNumber } from "./options.ts";
import { note, print, printJson } from "./output.ts";
import { queueOptions } from "./sharding.ts";
import { plural } from "./watch.ts";

interface ExperimentFlags {
  readonly out: string;
  readonly data?: string;
  readonly list?: boolean;
  readonly tables?: boolean;
  readonly results?: boolean;
  readonly only?: readonly string[];
  readonly jobs: number;
  readonly threads: number;
  readonly keep?: boolean;
  readonly queue?: string;
  readonly tries?: number;
  readonly priority?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const help = `
A study is a folder with a study.yaml, given by its path or by its name below experiments/. Runs that have a result in
DIR/results.jsonl are not repeated, and an interrupted study goes on where it stopped. With --queue, workers on any machines
that see both folders do the runs (lacuna worker). At the end, and with --tables
alone, DIR/tables.md and the figures are written; PNG beside SVG where @resvg/resvg-js is installed.

Examples:
  $ lacuna experiment sample --out sample-results
  $ lacuna experiment masked-conll03 --out experiments/masked-conll03 --list
  $ lacuna experiment my-study --out results --data my-data --only method=ce,uniform --only seed=1 --jobs 1
  $ lacuna experiment my-study --out /shared/results --data /shared/data --queue redis://queue:6379
  $ lacuna experiment --results --out experiments`;

export const experiment: RegisterCommand = (program, stop) => {
  const command = program
    .command("experiment")
    .description("Run a study: many trainings, their results, and tables and figures of them")
    .argument("[study]", "the folder of a study, or its name below experiments/")
    .addOption(required("--out <dir>", "the folder for the results"))
    .option("--data <dir>", "the folder of the data (default: what the study says, else ../shared/data)")
    .option("--list", "show the runs and which of them are done, and run nothing")
    .option("--tables", "write tables and figures of the results there are, and run nothing")
    .option("--results", "write RESULTS.md of all studies in the folder --out, and run nothing")
    .option("--only <axis=value,…>", "only runs with these values on an axis; may be given several times", collect)
    .option("--jobs <n>", "runs at a time, one for each core unless given", positive, availableParallelism())
    .option("--threads <n>", "threads of each run; the results do not depend on it", positive, 1)
    .option("--keep", "keep the models of finished runs");
  for (const option of queueOptions()) command.addOption(option);
  command
    .addOption(jsonOption("print the runs and their scores as JSON"))
    .addOption(quietOption())
    .addHelpText("after", help)
    .action((study: string | undefined, flags: ExperimentFlags) => run(study, flags, stop));
};

async function run(name: string | undefined, flags: ExperimentFlags, stop: CommandContext): Promise<void> {
  const { out, quiet } = flags;
  if (flags.results) {
    if (name !== undefined) throw new InputError("experiment: --results is about all studies, name none");
    tellPages(await writeResultsPage(out), quiet);
    return;
  }
  if (name === undefined) throw new InputError("experiment: name a study, or give --results for the page of all");
  const folder = findStudy(name, studyRoots());
  if (flags.list) await list(folder, flags);
  else {
    if (!flags.tables) await execute(folder, flags, stop);
    tellPages(await writeStudyPage(folder, out), quiet);
  }
}

async function list(folder: string, flags: ExperimentFlags): Promise<void> {
  const { runs, places } = await planOf(folder, flags);
  const states = await stateOfRuns(runs, places);
  if (flags.json) printJson(runsAsJson(states));
  else print(describeRuns(states));
  if (!flags.quiet) note(describeCost(states));
}

async function execute(folder: string, flags: ExperimentFlags, stop: CommandContext): Promise<void> {
  const { out, jobs, threads, keep = false, json, quiet } = flags;
  const { runs, places } = await planOf(folder, flags);
  const states = await stateOfRuns(runs, places);
  await makeFolder(out);
  const watch = watchStudy(states, { quiet });
  stop.allowTime();
  try {
    const study = basename(resolve(folder));
    const options = { study, ...places, jobs, threads, keep, signal: stop.signal, see: watch.see };
    if (flags.queue === undefined) await runStudy(states, options);
    else {
      const { runQueuedStudy } = await import("./queued-study.ts");
      await runQueuedStudy(flags.queue, states, options, flags);
    }
  } catch (error) {
    if (error instanceof Interrupted && !quiet) note(`${out}: interrupted; the same command goes on`);
    throw error;
  }
  if (json) printJson(runsAsJson(await stateOfRuns(runs, places)));
  const failures = watch.failures();
  if (failures.length === 0) return;
  throw new NegativeOutcome(`${plural(failures.length, "run")} of ${runs.length} failed, the first: ${failures[0]}`);
}

/** The runs that were asked for, and where their data and results are. */
async function planOf(
  folder: string,
  { out, data, only = [] }: ExperimentFlags,
): Promise<{ readonly runs: PlannedRun[]; readonly places: StudyFolder }> {
  const { study, runs } = await openStudy(folder);
  return { runs: chosenRuns(runs, only), places: { out, data: data ?? dataFolder(study.dataFolder) } };
}

/** The data that a study names: below the working folder, else those that come with this package. */
function dataFolder(named: string): string {
  const own = join(packageFolder, named);
  return !existsSync(named) && existsSync(own) ? own : named;
}

function tellPages({ files, png }: WrittenPages, quiet: boolean | undefined): void {
  if (quiet) return;
  note(
    `${files[0]}: written${files.length > 1 ? `, with ${plural(files.length - 1, "figure")} as SVG${png ? " and PNG" : ""}` : ""}`,
  );
}

/** Where studies are looked for by name: below the working folder, then in the source of this package. */
function studyRoots(): string[] {
  return ["experiments", join(packageFolder, "experiments")];
}

const packageFolder = fileURLToPath(new URL("../..", import.meta.url));

function positive(text: string): number {
  const value = wholeNumber(text);
  if (value === 0) throw new InvalidArgumentError("Expected a whole number from 1.");
  return value;
}
