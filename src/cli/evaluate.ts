import {
  compareSystems,
  confidenceInterval,
  countsOf,
  type EntityError,
  errorsOf,
  evaluator,
  type PlacedPair,
  pairSentences,
  type Report,
  type RunCounts,
} from "../evaluation/index.ts";
import type { Silence } from "../formats/index.ts";
import { predictInSlices, Recogniser } from "../inference/index.ts";
import { type Document, tokenCount } from "../text/index.ts";
import { InputError } from "../util/errors.ts";
import { longWork } from "../util/long-work.ts";
import type { CommandContext, RegisterCommand } from "./command.ts";
import { describeEvaluation, type Evaluation, type GoldSilence, percent } from "./evaluate-print.ts";
import { NegativeOutcome } from "./failure.ts";
import { interruptible } from "./interrupt.ts";
import { noticeCollector } from "./notices.ts";
import { fraction, jsonOption, partOption, quietOption, seedOption, shiftOption } from "./options.ts";
import { print, printJson } from "./output.ts";
import { progress } from "./progress.ts";
import {
  declaresCompleteness,
  formatOption,
  inputFile,
  openDocuments,
  type ReadingFlags,
  readingFlags,
  readingOptions,
  silenceOption,
} from "./reading.ts";

interface EvaluateFlags extends ReadingFlags {
  readonly gold?: string;
  readonly pred?: string;
  readonly model?: string;
  readonly data?: string;
  readonly part?: Readonly<Record<string, string>>;
  readonly shift?: number;
  readonly goldFormat?: string;
  readonly predFormat?: string;
  readonly silence?: Silence;
  readonly nested?: boolean;
  readonly errors?: boolean;
  readonly interval?: boolean;
  readonly versus?: string;
  readonly minF1?: number;
  readonly seed: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const help = `
Either --gold with --pred, files that hold the same text, or --data with --model, which then tags the text of the data.
FILE=FORMAT names the format of a file, as --gold-format and --pred-format do.
A prediction is right when its boundaries and its type are, as in conlleval. Gold in a format that cannot say what
unlabelled text means is taken to be complete, and the output says so; --silence unknown takes it to have gaps.

Examples:
  $ lacuna evaluate --gold test.conll --pred predicted.conll
  $ lacuna evaluate --gold test.conll --pred predicted.conll --json --errors
  $ lacuna evaluate --model model --data test.conll --interval
  $ lacuna evaluate --gold dev.jsonl --pred new.jsonl --versus old.jsonl`;

export const evaluate: RegisterCommand = (program, stop) => {
  const command = program
    .command("evaluate")
    .description("Score predicted entities against annotated ones")
    .option("--gold <file>", "annotated text; - is standard input")
    .option("--pred <file>", "the same text with predicted entities; - is standard input")
    .option("--model <dir>", "a model directory, whose predictions are scored")
    .option("--data <file>", "annotated text for --model; - is standard input")
    .addOption(partOption())
    .addOption(shiftOption())
    .addOption(formatOption("--gold-format <format>", "format of --gold or --data"))
    .addOption(formatOption("--pred-format <format>", "format of --pred and --versus"))
    .addOption(silenceOption("what unlabelled text means in gold that cannot say it (default: negative)"))
    .option("--nested", "entities may overlap (matters for incomplete gold only)");
  for (const option of readingOptions()) command.addOption(option);
  command
    .option("--errors", "list every error")
    .option("--interval", "add the 95 % confidence interval of F1 (bootstrap over sentences)")
    .option("--versus <file>", "compare with other predictions: paired bootstrap test of the difference in F1")
    .option("--min-f1 <share>", "exit with 1 when F1 is lower", fraction)
    .addOption(seedOption())
    .addOption(jsonOption("print all figures as JSON, as fractions of 1"))
    .addOption(quietOption())
    .addHelpText("after", help)
    .action((flags: EvaluateFlags) => run(flags, stop));
};

async function run(given: EvaluateFlags, { signal }: CommandContext): Promise<void> {
  const notices = noticeCollector();
  const flags = { ...given, ...notices };
  const { versus, seed, minF1 } = flags;
  const task = taskOf(flags);
  const inputs = [task.gold, task.pred, ...(versus === undefined ? [] : [task.gold, versus])];
  if (inputs.filter((file) => file !== undefined && inputFile(file).path === "-").length > 1) {
    throw new InputError("evaluate: standard input can be read once only, give the other input as a file");
  }
  const gold = await openGold(flags, task.gold);
  const pairs = task.model === undefined ? pairsOfFile(flags, gold, task.pred) : pairsOfModel(task.model, gold, flags);
  const { report, errors, counts } = await measure(await pairs, flags, signal);
  const other = versus === undefined ? undefined : await countsOfFile(flags, task.gold, versus, signal);
  const evaluation: Evaluation = {
    ...report,
    gold: { ...report.gold, ...gold.silence },
    ...(flags.interval && { interval: longWork(() => confidenceInterval([counts], { seed })) }),
    ...(other !== undefined && { versus: longWork(() => compareSystems([other], [counts], { seed })) }),
    ...(flags.errors && { errors }),
  };
  notices.tell("evaluate", flags.quiet);
  if (flags.json) printJson(evaluation);
  else print(describeEvaluation(evaluation));
  if (minF1 !== undefined && report.f1 < minF1) {
    throw new NegativeOutcome(`F1 is ${percent(report.f1)} %, below --min-f1 ${percent(minF1)} %`);
  }
}

/** What to score: a file of predictions, or a model, against gold. */
type Task = { readonly gold: string } & (
  | { readonly pred: string; readonly model?: never }
  | { readonly model: string; readonly pred?: never }
);

function taskOf({ gold, pred, model, data }: EvaluateFlags): Task {
  const given = Object.entries({ gold, pred, model, data }).filter(([, value]) => value !== undefined);
  if (given.length === 2) {
    if (gold !== undefined && pred !== undefined) return { gold, pred };
    if (model !== undefined && data !== undefined) return { gold: data, model };
  }
  const names = given.map(([name]) => `--${name}`).join(", ");
  throw new InputError(`evaluate: expected --gold and --pred, or --model and --data, got ${names || "none of them"}`);
}

interface Gold {
  readonly path: string;
  readonly documents: AsyncIterable<Document>;
  readonly silence: GoldSilence;
}

async function openGold(flags: EvaluateFlags, path: string): Promise<Gold> {
  const { silence, goldFormat } = flags;
  const { format, documents } = await openDocuments(path, {
    ...readingFlags(flags),
    candidates: false,
    format: goldFormat,
    silence: silence ?? "negative",
  });
  const declared = declaresCompleteness(format);
  return {
    path,
    documents,
    silence: {
      silence: declared ? "declared" : (silence ?? "negative"),
      silenceAssumed: !declared && silence === undefined,
    },
  };
}

async function pairsOfFile(flags: EvaluateFlags, gold: Gold, path: string): Promise<AsyncIterable<PlacedPair>> {
  const reading = { ...readingFlags(flags), format: flags.predFormat };
  const { documents } = await openDocuments(path, reading);
  return pairSentences(gold.documents, documents, { gold: gold.path, predicted: path });
}

/** Gold beside what a model says of its text. The model reads ahead, so gold waits until the same document comes back. */
async function pairsOfModel(
  directory: string,
  gold: Gold,
  { part, shift }: EvaluateFlags,
): Promise<AsyncIterable<PlacedPair>> {
  const recogniser = await Recogniser.load(directory, {
    ...(part && { parts: part }),
    ...(shift !== undefined && { decode: { shift } }),
  });
  const waiting: Document[] = [];
  async function* seen(): AsyncGenerator<Document, void, undefined> {
    for await (const document of gold.documents) {
      waiting.push(document);
      yield document;
    }
  }
  async function* pairs(): AsyncGenerator<PlacedPair, void, undefined> {
    let document = 0;
    for await (const { id, sentences } of predictInSlices(recogniser, seen())) {
      const place = id === undefined ? { document } : { document, id };
      const { sentences: known } = waiting.shift()!;
      for (const [sentence, predicted] of sentences.entries()) {
        if (tokenCount(predicted) > 0) yield { ...place, sentence, gold: known[sentence]!, predicted };
      }
      document++;
    }
    await recogniser.dispose();
  }
  return pairs();
}

interface Measured {
  readonly report: Report;
  readonly errors: readonly EntityError[];
  readonly counts: RunCounts;
}

async function measure(
  pairs: AsyncIterable<PlacedPair>,
  { nested = false, errors: wantErrors, quiet }: EvaluateFlags,
  signal: AbortSignal,
): Promise<Measured> {
  const all = evaluator({ nested });
  const errors: EntityError[] = [];
  const counts: RunCounts[number][] = [];
  const bar = progress("evaluating", { unit: "sentences", quiet });
  try {
    for await (const pair of interruptible(pairs, signal)) {
      all.add(pair);
      counts.push(countsOf(pair));
      if (wantErrors) for (const error of errorsOf(pair, { nested })) errors.push(error);
      bar.update(counts.length);
    }
  } finally {
    bar.finish();
  }
  return { report: all.report(), errors, counts };
}

async function countsOfFile(flags: EvaluateFlags, gold: string, path: string, signal: AbortSignal): Promise<RunCounts> {
  const pairs = await pairsOfFile(flags, await openGold(flags, gold), path);
  return (await measure(pairs, { ...flags, errors: false }, signal)).counts;
}
