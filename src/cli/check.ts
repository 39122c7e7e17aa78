import { extname } from "node:path";
import { Option } from "commander";
import { diagnose, type FromDictionary } from "../evaluation/index.ts";
import type { Match, Matcher } from "../lexicon/index.ts";
import { diagnosisFigure, writeFigure } from "../report/index.ts";
import type { Document, Sentence } from "../text/index.ts";
import { type SpanIndex, spanIndex } from "../text/index.ts";
import { InputError } from "../util/errors.ts";
import { longWork } from "../util/long-work.ts";
import { type CheckedFile, placeInFiles } from "./check-places.ts";
import { describeDiagnosis } from "./check-print.ts";
import type { CommandContext, RegisterCommand } from "./command.ts";
import { openMatcher } from "./label-matcher.ts";
import { noticeCollector } from "./notices.ts";
import { collect, fraction, jsonOption, quietOption, wholeNumber } from "./options.ts";
import { note, print, printJson } from "./output.ts";
import { progress } from "./progress.ts";
import { formatOption, inputFile, openDocuments, type ReadingFlags, readingFlags, readingOptions } from "./reading.ts";
import { watch } from "./watch.ts";

interface CheckFlags extends ReadingFlags {
  readonly from?: string;
  readonly dict?: readonly string[];
  readonly rate?: number;
  readonly missing?: number;
  readonly limit?: number;
  readonly maxWidth?: number;
  readonly sample?: string;
  readonly examples?: number;
  readonly figure?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const help = `
Several files are one corpus; FILE=FORMAT names the format of one of them. Text without a label counts as unknown, unless the file declares it complete. How much is
missing is estimated in up to four ways, each with what it assumes; docs/diagnosis.md tells how far each can be trusted. From labels
that a dictionary made it cannot be told without a sample: they name their entry, or --dict names the dictionary.

Examples:
  $ lacuna check train.conll
  $ lacuna check train.conll --missing 0.5 --rate 0.35 --limit 0.01
  $ lacuna check train.conll --sample dev.conll --figure train.svg
  $ lacuna check news.jsonl wiki.jsonl --max-width 8 --json`;

export const check: RegisterCommand = (program, stop) => {
  const command = program
    .command("check")
    .description("Tell what a corpus holds, how much is missing from it, and what negative sampling would do with it")
    .argument("<file...>", "annotated text; - is standard input")
    .option("--sample <file>", "text of the same kind with every entity labelled, to estimate how much is missing")
    .option("--dict <file[=TYPE]>", "dictionary from which the labels come; may be given several times", collect)
    .option("--missing <share>", "suppose that this share of all entities is missing (default: several)", fraction)
    .option("--rate <number>", "negatives that uniform sampling draws for each token (default: 0.35)", fraction)
    .option("--limit <share>", "find the highest rates that keep missampling within this share", fraction)
    .option("--max-width <tokens>", "suppose that wider spans are neither learnt nor drawn", wholeNumber)
    .addOption(new Option("--examples <number>", "how many conflicts to list (default: 10)").argParser(wholeNumber))
    .option(
      "--figure <file.svg>",
      "draw entities against sentence length, and the estimates; PNG beside it where @resvg/resvg-js is installed",
    )
    .addOption(formatOption("--from <format>", "format of the input and of the sample"));
  for (const option of readingOptions()) command.addOption(option);
  command
    .addOption(jsonOption("print everything as JSON, shares as fractions of 1"))
    .addOption(quietOption())
    .addHelpText("after", help)
    .action((paths: string[], flags: CheckFlags) => run(paths, flags, stop));
};

async function run(paths: readonly string[], flags: CheckFlags, stop: CommandContext): Promise<void> {
  const { rate, missing, limit, maxWidth, sample, examples, figure, json, quiet } = flags;
  assertInputs(sample === undefined ? paths : [...paths, sample]);
  if (figure !== undefined && extname(figure).toLowerCase() !== ".svg") {
    throw new InputError("a figure is written as SVG, expected a name that ends in .svg", { file: figure });
  }
  const read = async (file: string): Promise<CheckedFile> => {
    const notices = noticeCollector();
    const reading = { ...readingFlags({ ...flags, ...notices }), format: flags.from };
    const { documents } = await openDocuments(file, reading);
    const { path } = inputFile(file);
    const watched = watch(documents, progress(`reading ${path}`, { unit: "documents", quiet }), stop.signal);
    const held: Document[] = [];
    for await (const document of watched.documents) held.push(document);
    notices.tell(path, quiet);
    return { path, documents: held };
  };
  const files: CheckedFile[] = [];
  for (const path of paths) files.push(await read(path));
  const matcher = flags.dict === undefined ? undefined : await openMatcher({ dict: flags.dict });
  const options = {
    rate,
    limit,
    maxWidth,
    examples,
    shares: missing === undefined ? undefined : [missing],
    sample: sample === undefined ? undefined : (await read(sample)).documents,
    isFromDictionary: matcher && labelledBy(matcher),
  };
  const diagnosis = longWork(() =>
    diagnose(
      files.flatMap(({ documents }) => documents),
      options,
    ),
  );
  const figures = figure === undefined ? [] : await writeFigure(figure, diagnosisFigure(diagnosis));
  if (json) printJson(placeInFiles(diagnosis, files));
  else print(describeDiagnosis(placeInFiles(diagnosis, files), { fileNames: files.length > 1 }));
  if (!quiet) for (const file of figures) note(`${file}: written`);
}

/** Labels that a dictionary would make too: a match with the same span and type. */
function labelledBy(matcher: Matcher): FromDictionary {
  const found = new WeakMap<Sentence, SpanIndex<Match>>();
  return (sentence, entity) => {
    const matches = found.get(sentence) ?? spanIndex(matcher.find(sentence));
    found.set(sentence, matches);
    return matches.at(entity).some(({ key }) => matcher.types(key).includes(entity.type));
  };
}

function assertInputs(paths: readonly string[]): void {
  if (paths.filter((path) => inputFile(path).path === "-").length > 1) {
    throw new InputError("check: standard input can be read once only, give the other input as a file");
  }
}
