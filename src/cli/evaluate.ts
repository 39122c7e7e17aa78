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
import { InputError } from "../util/errors.ts";
import type { RegisterCommand } from "./command.ts";
import { describeEvaluation, type Evaluation, type GoldSilence, percent } from "./evaluate-print.ts";
import { NegativeOutcome } from "./failure.ts";
import { interruptible } from "./interrupt.ts";
import { fraction, jsonOption, quietOption, required, seedOption } from "./options.ts";
import { print, printJson } from "./output.ts";
import { progress } from "./progress.ts";
import {
  declaresCompleteness,
  formatOption,
  openDocuments,
  type ReadingFlags,
  readingFlags,
  readingOptions,
  silenceOption,
} from "./reading.ts";

interface EvaluateFlags extends ReadingFlags {
  readonly gold: string;
  readonly pred: string;
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
A prediction is right when its boundaries and its type are, as in conlleval. Gold in a format that cannot say what
unlabelled text means is taken to be complete, and the output says so; --silence unknown takes it to have gaps.

Examples:
  $ lacuna evaluate --gold test.conll --pred predicted.conll
  $ lacuna evaluate --gold test.conll --pred predicted.conll --json --errors
  $ lacuna evaluate --gold dev.jsonl --pred new.jsonl --versus old.jsonl`;

export const evaluate: RegisterCommand = (program, { signal }) => {
  const command = program
    .command("evaluate")
    .description("Score predicted entities against annotated ones")
    .addOption(required("--gold <file>", "annotated text; - is standard input"))
    .addOption(required("--pred <file>", "the same text with predicted entities; - is standard input"))
    .addOption(formatOption("--gold-format <format>", "format of the gold"))
    .addOption(formatOption("--pred-format <format>", "format of the predictions"))
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
    .action((flags: EvaluateFlags) => run(flags, signal));
};

async function run(flags: EvaluateFlags, signal: AbortSignal): Promise<void> {
  const { gold, pred, versus, seed, minF1 } = flags;
  const inputs = [gold, pred, ...(versus === undefined ? [] : [gold, versus])];
  if (inputs.filter((path) => path === "-").length > 1) {
    throw new InputError("evaluate: standard input can be read once only, give the other input as a file");
  }
  const first = await predictionsOfFile(flags, pred);
  const { report, errors, counts } = await measure(first.pairs, flags, signal);
  const evaluation: Evaluation = {
    ...report,
    gold: { ...report.gold, ...first.silence },
    ...(flags.interval && { interval: confidenceInterval([counts], { seed }) }),
    ...(versus !== undefined && {
      versus: compareSystems([await countsOfFile(flags, versus, signal)], [counts], { seed }),
    }),
    ...(flags.errors && { errors }),
  };
  if (flags.json) printJson(evaluation);
  else print(describeEvaluation(evaluation));
  if (minF1 !== undefined && report.f1 < minF1) {
    throw new NegativeOutcome(`F1 is ${percent(report.f1)} %, below --min-f1 ${percent(minF1)} %`);
  }
}

/** Gold beside the predictions of one system, wherever those come from. */
interface Predictions {
  readonly pairs: AsyncIterable<PlacedPair>;
  readonly silence: GoldSilence;
}

async function predictionsOfFile(flags: EvaluateFlags, path: string): Promise<Predictions> {
  const { silence, goldFormat, predFormat } = flags;
  const reading = readingFlags(flags);
  const gold = await openDocuments(flags.gold, {
    ...reading,
    candidates: false,
    format: goldFormat,
    silence: silence ?? "negative",
  });
  const predicted = await openDocuments(path, { ...reading, format: predFormat });
  const declared = declaresCompleteness(gold.format);
  return {
    pairs: pairSentences(gold.documents, predicted.documents, { gold: flags.gold, predicted: path }),
    silence: {
      silence: declared ? "declared" : (silence ?? "negative"),
      silenceAssumed: !declared && silence === undefined,
    },
  };
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
      if (wantErrors) errors.push(...errorsOf(pair, { nested }));
      bar.update(counts.length);
    }
  } finally {
    bar.finish();
  }
  return { report: all.report(), errors, counts };
}

async function countsOfFile(flags: EvaluateFlags, path: string, signal: AbortSignal): Promise<RunCounts> {
  const { pairs } = await predictionsOfFile(flags, path);
  return (await measure(pairs, { ...flags, errors: false }, signal)).counts;
}
