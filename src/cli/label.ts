import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import { text, writeDocuments } from "../formats/index.ts";
import {
  conflictPolicies,
  estimatePrecision,
  type Labelled,
  type LabelPolicy,
  label as labelDocuments,
  type Matcher,
  overlapPolicies,
  type ReportCollector,
  reportCollector,
  type SamplePrecision,
  writeMatcher,
} from "../lexicon/index.ts";
import { worthLabelling } from "../queue/index.ts";
import type { Document } from "../text/index.ts";
import { writeTextAtomically } from "../util/atomic.ts";
import { InputError } from "../util/errors.ts";
import type { CommandContext, RegisterCommand } from "./command.ts";
import { openInputs } from "./inputs.ts";
import { interruptible } from "./interrupt.ts";
import type { LabelFlags } from "./label-flags.ts";
import { matcherOptions, openMatcher } from "./label-matcher.ts";
import { describeNothing, describeReport } from "./label-print.ts";
import { labelInShards } from "./label-shards.ts";
import { noticeCollector } from "./notices.ts";
import { jsonOption, quietOption, required, wholeNumber } from "./options.ts";
import { assertJsonHasRoom, describeLosses, note, printJson, warn } from "./output.ts";
import { progress } from "./progress.ts";
import {
  formatLike,
  formatOption,
  inputFile,
  openDocuments,
  outputFormatOption,
  readingFlags,
  readingOptions,
  scheme,
  silenceOption,
  writableName,
} from "./reading.ts";
import { assertSharding, isSharded, shardOptions } from "./sharding.ts";
import { describeSize, plural, watch } from "./watch.ts";

const help = `
A dictionary has one surface a line (its type is TYPE, or the name of the file), or surface<TAB>type, or the same as CSV, with
a first line that names the columns or without, or JSON lines with "label" and "pattern". A match starts and ends where tokens do. Surfaces with several types and those on the stop list
stay unknown: they become neither entities nor negatives. Annotations that the input has already decide where they speak.
The dictionary and the entry of each label go into every format that can hold them.

Examples:
  $ lacuna label --dict people.txt=PER --dict places.txt=LOC --in news.txt --out news.jsonl
  $ lacuna label --dict core.tsv --unsure phrases.txt --stop stop.txt --ignore-case --in a.conll --out b.jsonl --report r.json
  $ cat lines.txt | lacuna label --dict brands.txt --in - --from text --out - > labelled.jsonl`;

export const label: RegisterCommand = (program, stop) => {
  const command = program
    .command("label")
    .description("Label text from dictionaries, leaving unknown what they do not say")
    .addOption(required("--in <file>", "text, annotated or not; - is standard input"))
    .addOption(required("--out <file>", "where to write; - is standard output"));
  for (const option of matcherOptions()) command.addOption(option);
  command
    .addOption(
      choice("--overlaps <policy>", "which of overlapping matches count", Object.keys(overlapPolicies), "longest"),
    )
    .addOption(choice("--conflicts <policy>", "what a surface with several types becomes", conflictPolicies, "drop"))
    .option("--complete [types]", "declare what no dictionary touches free of entities (of these types)", typeNames)
    .option("--replace", "take away the annotations of the input first")
    .addOption(formatOption("--from <format>", "format of the input; text is plain text, a document a line"))
    .addOption(outputFormatOption("format of the output"))
    .addOption(silenceOption("what unlabelled text means in an input that cannot say it (default: unknown)"));
  for (const option of [...readingOptions(), ...shardOptions()]) command.addOption(option);
  command
    .option("--to-scheme <name>", "tag scheme of the output (default: IOB2)", scheme)
    .option("--save-matcher <file>", "write the compiled dictionaries, to be opened with --matcher")
    .option("--sample <file>", "annotated text from which to estimate how often labels are right")
    .option("--report <file>", "write what was matched, and what was not, as JSON")
    .addOption(
      new Option("--limit <n>", "surfaces in each list (default: 100 in the report, 8 on the terminal)").argParser(
        wholeNumber,
      ),
    )
    .addOption(
      new Option("--workers <n>", "threads beside the main one")
        .argParser(wholeNumber)
        .default(availableParallelism() - 1),
    )
    .addOption(jsonOption("print the report as JSON"))
    .addOption(quietOption())
    .addHelpText("after", help)
    .action((flags: LabelFlags) => {
      assertSharding("label", flags);
      return isSharded(flags) ? labelInShards(flags, policyOf(flags), stop) : run(flags, stop);
    });
};

async function run(flags: LabelFlags, { signal }: CommandContext): Promise<void> {
  const { in: input, out, json, quiet } = flags;
  assertJsonHasRoom(json, out);
  assertDistinct({ "--out": out, "--report": flags.report, "--save-matcher": flags.saveMatcher });
  const notices = noticeCollector();
  const source = await openInput({ ...flags, ...notices });
  const matcher = await openMatcher(flags);
  signal.throwIfAborted();
  if (flags.saveMatcher !== undefined) await writeMatcher(flags.saveMatcher, matcher);
  const policy = policyOf(flags);
  const sample = flags.sample === undefined ? undefined : await judge(flags.sample, matcher, policy, signal);

  const collector = reportCollector(matcher);
  const labelled = labelDocuments(source.documents, matcher, { ...policy, workers: flags.workers });
  const watched = watch(passed(labelled, collector), progress("labelling", { unit: "documents", quiet }), signal);
  const losses = await writeDocuments(out, watched.documents, {
    format: flags.to ?? formatLike(out, [{ path: inputFile(input).path, format: source.format }]),
    scheme: flags.toScheme,
    silence: policy.complete === false ? "unknown" : "negative",
    onLoss: "list",
  });

  const size = watched.size();
  const limit = flags.limit ?? listed.report;
  const summary = collector.report(limit);
  const judged = sample && { ...sample, wrongEntries: sample.wrongEntries.slice(0, limit) };
  const report = { ...size, ...summary, ...(judged && { sample: judged }), losses };
  if (flags.report !== undefined) {
    await writeTextAtomically(flags.report, `${JSON.stringify(report, undefined, 2)}\n`);
  }
  if (json) printJson(report);
  if (quiet) return;
  notices.tell(input, quiet);
  for (const line of describeLosses(losses, out)) note(line);
  const nothing = describeNothing(summary, size, matcher);
  if (nothing !== undefined) warn(nothing);
  else for (const line of describeReport(summary, flags.limit ?? listed.terminal)) note(line);
  if (sample !== undefined) note(`${flags.sample}: ${describeSample(sample)}`);
  note(`${out}: ${describeSize(size)}`);
}

/** Surfaces in each list. */
const listed = { report: 100, terminal: 8 };

interface Input {
  readonly documents: AsyncGenerator<Document, void, undefined>;
  /** Missing for what cannot hold labels, or is not written. */
  readonly format: string | undefined;
}

/** Of plain text, lines without a word in them are left out: they are no documents. */
async function openInput(flags: LabelFlags): Promise<Input> {
  const { in: path, from, silence } = flags;
  const inputs = await openInputs(path, { ...readingFlags(flags), format: from, silence });
  async function* all(): AsyncGenerator<Document, void, undefined> {
    for (const { documents, format } of inputs) {
      const isKept = worthLabelling(format.name);
      for await (const document of documents) if (isKept(document)) yield document;
    }
  }
  const [{ format }] = inputs;
  return { documents: all(), format: format.name === text.name ? undefined : writableName(format) };
}

function policyOf({ overlaps, conflicts, complete = false, replace }: LabelFlags): LabelPolicy {
  return { overlaps, conflicts, complete, existing: replace ? "replace" : "keep" };
}

async function judge(
  path: string,
  matcher: Matcher,
  policy: LabelPolicy,
  signal: AbortSignal,
): Promise<SamplePrecision> {
  const { documents } = await openDocuments(path, { silence: "negative" });
  return estimatePrecision(interruptible(documents, signal), matcher, policy);
}

async function* passed(
  labelled: AsyncIterable<Labelled>,
  collector: ReportCollector,
): AsyncGenerator<Document, void, undefined> {
  for await (const each of labelled) {
    collector.add(each);
    yield each.document;
  }
}

function describeSample({ right, wrong, precision, range, recall }: SamplePrecision): string {
  if (precision === undefined || range === undefined) return "no label could be judged";
  const [low, high] = range;
  const share = (value: number): string => `${(100 * value).toFixed(1)} %`;
  const found = recall === undefined ? "" : `, recall ${share(recall)}`;
  return `precision ${share(precision)} (${share(low)} to ${share(high)}) on ${plural(right + wrong, "label")}${found}`;
}

function assertDistinct(outputs: Readonly<Record<string, string | undefined>>): void {
  const given = Object.entries(outputs).filter(([, path]) => path !== undefined && path !== "-");
  for (const [index, [name, path]] of given.entries()) {
    const [other] = given.slice(0, index).find(([, before]) => resolve(before!) === resolve(path!)) ?? [];
    if (other !== undefined) throw new InputError(`${other} and ${name} must be two files`, { file: path });
  }
}

function choice(flags: string, description: string, known: readonly string[], fallback: string): Option {
  return new Option(flags, description).choices(known).default(fallback);
}

function typeNames(text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.includes("")) throw new InvalidArgumentError("Expected types separated by commas, got an empty one.");
  return names;
}
