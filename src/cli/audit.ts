import { createHash } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { extname, join, resolve } from "node:path";
import { Option } from "commander";
import {
  type Audit,
  auditFolds,
  auditSettings,
  newSince,
  parseAudit,
  reviewCurve,
  audit as runAudit,
} from "../audit/index.ts";
import { completeSettings, methods, stagesOf } from "../methods/index.ts";
import { alone } from "../studies/index.ts";
import { type Document, sizeCounter } from "../text/index.ts";
import { hashSentences, merge, readGold, type Settings, settingOf } from "../training/index.ts";
import { InputError } from "../util/errors.ts";
import { isStandardOutput } from "../util/output-target.ts";
import { own } from "../util/own.ts";
import { readTextFile } from "../util/regular-file.ts";
import { dictionaryLookup } from "./audit-dictionary.ts";
import { describeAudit, summaryOf } from "./audit-print.ts";
import { announce, watchAudit } from "./audit-watch.ts";
import { type TaskFormat, taskFormats, writeAudit } from "./audit-write.ts";
import type { CommandContext, RegisterCommand } from "./command.ts";
import { Interrupted } from "./interrupt.ts";
import { openMatcher } from "./label-matcher.ts";
import { noticeCollector } from "./notices.ts";
import { collect, fraction, jsonOption, quietOption, required, wholeNumber } from "./options.ts";
import { assertJsonHasRoom, note, print, printJson } from "./output.ts";
import { progress } from "./progress.ts";
import { withFolds } from "./queued-folds.ts";
import { formatOption, inputFile, openDocuments, type ReadingFlags, readingFlags, readingOptions } from "./reading.ts";
import { queueOptions } from "./sharding.ts";
import { plural, watch } from "./watch.ts";

interface AuditFlags extends ReadingFlags {
  readonly data: readonly string[];
  readonly out: string;
  readonly dev?: string;
  readonly dict?: readonly string[];
  readonly trust?: number;
  readonly since?: string;
  readonly quick?: boolean;
  readonly method?: string;
  readonly encoder?: string;
  readonly folds?: number;
  readonly repeats?: number;
  readonly epochs?: number;
  readonly set?: readonly string[];
  readonly seed?: number;
  readonly jobs?: number;
  readonly minScore?: number;
  readonly tasks?: string;
  readonly to?: TaskFormat;
  readonly figure?: string;
  readonly examples?: number;
  readonly work?: string;
  readonly queue?: string;
  readonly tries?: number;
  readonly priority?: number;
  readonly from?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const help = `
Trains small models on parts of the data, asks each about the sentences it has not seen, and lists where they disagree with
the annotation: entities that are missing, labels that are wrong, have the wrong type or the wrong boundary. What one
decision settles stands together, and the most valuable decisions first. Spans that people rejected, left undecided or
declared complete are never suspected to be missing. docs/audit.md tells how good the list is.

An audit that was stopped goes on when the same command is given again. With --queue, workers train the models (lacuna worker).

Examples:
  $ lacuna audit --data train.conll --out audit.jsonl
  $ lacuna audit --data train.conll --out audit.jsonl --quick
  $ lacuna audit --data a.jsonl b.conll --dev dev.conll --dict names.tsv=PER --out audit.jsonl --figure audit.svg
  $ lacuna audit --data train.jsonl --out audit.jsonl --tasks tasks.json --to label-studio
  $ lacuna audit --data reviewed.jsonl --out second.jsonl --since audit.jsonl`;

export const audit: RegisterCommand = (program, stop) => {
  const command = program
    .command("audit")
    .description("Find annotations that are probably missing or wrong, the most valuable first")
    .addOption(
      required("--data <file...>", "annotated text, one file or several; FILE=FORMAT names a format").argParser(
        collect,
      ),
    )
    .addOption(required("--out <file>", "where the suspicions go, one JSON object a line; - is standard output"))
    .option("--dev <file>", "text of the same kind with every entity labelled: calibrates scores and estimates")
    .option("--dict <file[=TYPE]>", "dictionary whose entries speak for a label; may be given several times", collect)
    .option(
      "--trust <share>",
      "share of the labels that are right, if you know it (default: by what the models contradict)",
      fraction,
    )
    .option("--since <file>", "an earlier audit of the same documents: list only what is new")
    .option("--quick", "a first look: fewer folds, fewer epochs, a smaller encoder")
    .option("--method <name>", "how the models treat gaps, a method that trains once (default: ce with head=token)")
    .option("--encoder <name>", "how tokens become vectors, as for train (default: bilstm)")
    .option("--folds <n>", "parts of the data; each is judged by a model of the others (default: 5)", wholeNumber)
    .option("--repeats <n>", "do it over so often with other folds, and average (default: 1)", wholeNumber)
    .option("--epochs <n>", "passes over the data of each model (default: 4 to 30, more for less data)", wholeNumber)
    .option("--set <key=value>", "any setting by its path; may be given several times", collect)
    .option("--seed <n>", "seed of every random choice (default: 1)", wholeNumber)
    .option("--jobs <n>", "models that are trained at a time (default: half of the cores)", wholeNumber)
    .option("--min-score <share>", "leave out what is less sure (default: 0.05)", fraction)
    .option("--tasks <file>", "write the documents with suggestions for an annotation tool too")
    .addOption(new Option("--to <format>", "format of --tasks (default: label-studio)").choices(taskFormats))
    .option(
      "--figure <file.svg>",
      "draw the expected precision and the errors found; PNG beside it where @resvg/resvg-js is installed",
    )
    .option("--examples <n>", "how many decisions to show (default: 10)", wholeNumber)
    .option("--work <dir>", "where the models are kept (default: beside --out, removed at the end)")
    .addOption(formatOption("--from <format>", "format of the inputs that name none"));
  for (const option of [...readingOptions(), ...queueOptions()]) command.addOption(option);
  command
    .addOption(jsonOption("print counts and estimates as JSON"))
    .addOption(quietOption())
    .addHelpText("after", help)
    .action((flags: AuditFlags) => run(flags, stop));
};

async function run(flags: AuditFlags, stop: CommandContext): Promise<void> {
  const { out, since, quick, json, quiet, work } = flags;
  assertUsage(flags);
  const before = since === undefined ? undefined : parseAudit(await readTextFile(since), since);
  const documents = await readData(flags, stop);
  const tokens = tokensOf(documents);
  const settings = settingsOf(flags, tokens);
  const dev = flags.dev === undefined ? undefined : await readDev(flags.dev, flags);
  const matcher = flags.dict && (await openMatcher({ dict: flags.dict }));
  const folds = flags.folds ?? auditFolds[quick ? "quick" : "usual"];
  const repeats = flags.repeats ?? 1;
  const local = Math.min(folds, Math.max(1, availableParallelism() >> 1));
  const jobs = flags.jobs ?? (flags.queue === undefined ? local : folds);
  stop.signal.throwIfAborted();
  stop.allowTime();
  const size = { folds, repeats, epochs: settings.epochs, tokens, jobs };
  if (!quiet) note(announce(size, settings.encoder.name));
  const watched = watchAudit(size, quiet);
  const directory = work ?? `${out}.work`;
  const found = await withFolds(flags, stop.signal, (execute) =>
    inFolder(directory, async () => {
      const options = {
        folds,
        repeats,
        jobs,
        dev,
        trust: flags.trust,
        least: flags.minScore,
        signal: stop.signal,
        see: watched.see,
        execute,
      };
      const lookUp = matcher && dictionaryLookup(matcher);
      const own = join(resolve(directory), fingerprint(documents, settings, folds));
      return runAudit(
        documents,
        { ...settings, ...(jobs > 1 && { threads: 1 }) },
        { ...options, lookUp, directory: own },
      );
    }),
  ).catch((error: unknown) => {
    if (error instanceof Interrupted && !quiet) note(`${directory}: interrupted; the same command goes on`);
    throw error;
  });
  watched.finish();
  const suspicions = before === undefined ? found.suspicions : newSince(found.suspicions, before);
  const result: Audit = { ...found, suspicions, review: reviewCurve(suspicions) };
  await writeAudit(result, documents, flags);
  if (work === undefined) await rm(directory, { recursive: true, force: true });
  if (json) printJson(summaryOf(result));
  else if (!isStandardOutput(out)) print(describeAudit(result, { examples: flags.examples ?? 10 }));
  if (!quiet) note(`${out}: ${plural(suspicions.length, "suspicion")} written`);
}

function assertUsage({ data, out, work, json, figure, to, tasks }: AuditFlags): void {
  assertJsonHasRoom(json, out);
  if (isStandardOutput(out) && work === undefined)
    throw new InputError("audit: --out - needs --work DIR, the folder where the models are kept");
  if (data.filter((file) => inputFile(file).path === "-").length > 1)
    throw new InputError("audit: standard input can be read once only, give the other input as a file");
  if (figure !== undefined && extname(figure).toLowerCase() !== ".svg")
    throw new InputError("a figure is written as SVG, expected a name that ends in .svg", { file: figure });
  if (to !== undefined && tasks === undefined) throw new InputError(`audit: --to ${to} needs --tasks FILE`);
}

async function readData(flags: AuditFlags, stop: CommandContext): Promise<Document[]> {
  const documents: Document[] = [];
  for (const file of flags.data) {
    const notices = noticeCollector();
    const { path } = inputFile(file);
    const source = await openDocuments(file, { ...readingFlags({ ...flags, ...notices }), format: flags.from });
    const bar = progress(`reading ${path}`, { unit: "documents", quiet: flags.quiet });
    for await (const document of watch(source.documents, bar, stop.signal).documents) documents.push(document);
    notices.tell(path, flags.quiet);
  }
  return documents;
}

function readDev(file: string, flags: AuditFlags) {
  const { path, format } = inputFile(file, flags.from);
  return readGold(path, "dev", { ...readingFlags(flags), format });
}

function settingsOf({ method, encoder, epochs, seed, set = [], quick }: AuditFlags, tokens: number): Settings {
  const { head, ...usual } = auditSettings(tokens, { quick });
  const defaults = method === undefined || method === "ce" ? { ...usual, head } : usual;
  const given = Object.entries({ method, encoder, epochs, seed }).filter(([, value]) => value !== undefined);
  const settings = completeSettings([{ ...defaults }, Object.fromEntries(given), ...set.map(settingOf)].reduce(merge));
  const stages = stagesOf(own(methods, settings.method)!, settings);
  if (stages.length !== 1)
    throw new InputError(
      `audit: expected a method that trains once, and ${settings.method} trains ${stages.length} times; take another --method, such as ce or uniform`,
    );
  return settings;
}

/** The folder of this audit among those of others: other data or settings are other work. */
function fingerprint(
  documents: readonly Document[],
  { threads, device, ...settings }: Settings,
  folds: number,
): string {
  const sentences = hashSentences(documents.flatMap((document) => document.sentences));
  return createHash("sha256")
    .update(JSON.stringify([settings, folds, sentences]))
    .digest("hex")
    .slice(0, 16);
}

async function inFolder<T>(directory: string, work: () => Promise<T>): Promise<T> {
  await mkdir(directory, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") throw new InputError("expected a folder to work in, got a file", { file: directory });
    throw error;
  });
  return alone(directory, work, { name: ".process", patience: 0 });
}

function tokensOf(documents: readonly Document[]): number {
  const counter = sizeCounter();
  for (const document of documents) counter.add(document);
  return counter.size().tokens;
}
