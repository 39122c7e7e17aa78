import { Option } from "commander";
import { evaluator, type Report } from "../evaluation/index.ts";
import { type ExportReport, type ExportTarget, exporters, exportTargets } from "../export/index.ts";
import { Recogniser } from "../inference/index.ts";
import type { Document, Sentence } from "../text/index.ts";
import { InputError } from "../util/errors.ts";
import type { RegisterCommand } from "./command.ts";
import { percent } from "./evaluate-print.ts";
import { interruptible } from "./interrupt.ts";
import { jsonOption, partOption, quietOption, required } from "./options.ts";
import { note, printJson } from "./output.ts";
import { progress } from "./progress.ts";
import { openDocuments } from "./reading.ts";

interface ExportFlags {
  readonly model: string;
  readonly out: string;
  readonly to: ExportTarget;
  readonly int8?: boolean;
  readonly data?: string;
  readonly part?: Readonly<Record<string, string>>;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const help = `
  onnx             model.onnx, one file of standard ops with every weight and table inside, and lacuna.json, which says how
                   its inputs are made from text and how entities follow from its scores.
  transformers.js  a directory that pipeline("token-classification", DIR) opens; for a token head with output=softmax over
                   a plain transformer.
  web              the files of onnx, and a page that finds entities in the browser; serve it with any static file server.

--int8 writes weights of one byte: the file has about a quarter of the size, and products run faster. What that costs is
measured on the text of --data; without it nothing is known of the loss, and the command says so.

Examples:
  $ lacuna export --model model --out exported
  $ lacuna export --model model --out small --int8 --data dev.conll
  $ lacuna export --model tagger --out tagger-js --to transformers.js
  $ lacuna export --model model --out page --to web`;

export const exportCommand: RegisterCommand = (program, { signal }) => {
  program
    .command("export")
    .description("Write a trained model for ONNX runtimes, transformers.js or a browser")
    .addOption(required("--model <dir>", "the model directory"))
    .addOption(required("--out <dir>", "where to write; must be empty or not exist"))
    .addOption(new Option("--to <target>", "what it is for").choices(exportTargets).default("onnx"))
    .option("--int8", "weights of one byte instead of four")
    .option("--data <file>", "annotated text on which F1 is measured before and after; - is standard input")
    .addOption(partOption())
    .addOption(jsonOption("print what was written, and the scores, as JSON"))
    .addOption(quietOption())
    .addHelpText("after", help)
    .action((flags: ExportFlags) => run(flags, signal));
};

/** F1 of the model and of what was exported. */
interface Comparison {
  readonly before: number;
  readonly after: number;
  readonly sentences: number;
}

async function run(flags: ExportFlags, signal: AbortSignal): Promise<void> {
  const { model, out, to, int8, data, part, json, quiet } = flags;
  if (data !== undefined && to === "transformers.js")
    throw new InputError(
      "--data: transformers.js decodes in its own way, and F1 is measured on what this program decodes; export with --to onnx to measure the loss",
    );
  let comparison: Comparison | undefined;
  const report = await exporters[to](model, out, {
    int8,
    parts: part,
    signal,
    ...(data !== undefined && {
      check: async (exported) => {
        comparison = await compare(flags, data, exported, signal);
      },
    }),
  });
  if (json) printJson({ ...report, to, ...(comparison && { f1: comparison }) });
  if (quiet) return;
  note(`${out}: ${describe(report)}`);
  if (comparison) note(`F1 on ${data}: ${percent(comparison.before)} % before, ${percent(comparison.after)} % after`);
  else if (int8) {
    const way = to === "transformers.js" ? "export with --to onnx and --data" : "give annotated text with --data";
    note(`the loss in F1 was not measured; ${way} to measure it`);
  }
}

function describe({ precision, bytes, files, difference }: ExportReport): string {
  const least = difference < 1e-6 ? "less than 0.000001" : difference.toFixed(6);
  return `${files.length} files, weights of ${(bytes / 1e6).toFixed(1)} MB (${precision}); probabilities differ by ${least} at most on a few sentences`;
}

/** Something that finds entities in sentences. */
interface Tagger {
  sentences(sentences: readonly Sentence[]): Promise<Sentence[]>;
}

/** Scores both on the same text. */
async function compare(
  { model, part, quiet }: ExportFlags,
  data: string,
  exported: Tagger,
  signal: AbortSignal,
): Promise<Comparison> {
  const recogniser = await Recogniser.load(model, { parts: part });
  const { documents } = await openDocuments(data, { silence: "negative", candidates: false });
  const [before, after] = [evaluator(), evaluator()];
  const bar = progress("measuring", { unit: "sentences", quiet });
  let sentences = 0;
  const add = async (some: readonly Sentence[]): Promise<void> => {
    for (const [tagger, scores] of [
      [recogniser, before],
      [exported, after],
    ] as const) {
      const predicted = await tagger.sentences(some);
      predicted.forEach((each, i) => {
        scores.add({ gold: some[i]!, predicted: each });
      });
    }
    sentences += some.length;
    bar.update(sentences);
  };
  try {
    for await (const some of slices(interruptible(documents, signal))) await add(some);
  } finally {
    bar.finish();
    await recogniser.dispose();
  }
  const f1 = (report: Report): number => report.f1;
  return { before: f1(before.report()), after: f1(after.report()), sentences };
}

const sliceSentences = 500;

/** Sentences of documents, so many at a time. */
async function* slices(documents: AsyncIterable<Document>): AsyncGenerator<Sentence[]> {
  let slice: Sentence[] = [];
  for await (const document of documents) {
    for (const sentence of document.sentences) {
      slice.push(sentence);
      if (slice.length < sliceSentences) continue;
      yield slice;
      slice = [];
    }
  }
  if (slice.length > 0) yield slice;
}
