import { resolve } from "node:path";
import { Option } from "commander";
import { type Loss, writeDocuments } from "../formats/index.ts";
import { type MaskedDocument, type MaskMode, mask as maskDocuments } from "../lexicon/index.ts";
import type { Document, Scheme } from "../text/index.ts";
import { InputError } from "../util/errors.ts";
import type { RegisterCommand } from "./command.ts";
import { inStep } from "./in-step.ts";
import { noticeCollector } from "./notices.ts";
import { fraction, jsonOption, quietOption, required, seedOption, typeRate } from "./options.ts";
import { assertJsonHasRoom, describeLosses, note, printJson } from "./output.ts";
import { grouped, progress } from "./progress.ts";
import {
  formatLike,
  formatOption,
  inputFile,
  openDocuments,
  outputFormatOption,
  type ReadingFlags,
  readingFlags,
  readingOptions,
  scheme,
  writableName,
} from "./reading.ts";
import { describeSize, watch } from "./watch.ts";

interface MaskFlags extends ReadingFlags {
  readonly in: string;
  readonly out: string;
  readonly hidden?: string;
  readonly rate?: number;
  readonly exact?: boolean;
  readonly bySurface?: boolean;
  readonly type?: ReadonlyMap<string, number>;
  readonly seed: number;
  readonly from?: string;
  readonly to?: string;
  readonly toScheme?: Scheme;
  readonly listLosses?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const help = `
After masking no sentence counts as complete. The hidden set is written as documents with the same tokens whose
entities are the hidden ones. An output with the same ending as the input gets its format.

Examples:
  $ lacuna mask --in train.conll --out masked.conll --rate 0.5 --seed 1 --hidden hidden.conll
  $ lacuna mask --in train.jsonl --out masked.jsonl --rate 0.3 --by-surface
  $ lacuna mask --in train.jsonl --out masked.jsonl --type PER=0.9 --type LOC=0.2`;

export const mask: RegisterCommand = (program, { signal }) => {
  const command = program
    .command("mask")
    .description("Hide annotations on purpose, to see what a method makes of the gaps")
    .addOption(required("--in <file>", "annotated text; - is standard input"))
    .addOption(required("--out <file>", "where to write what remains; - is standard output"))
    .option("--hidden <file>", "where to write what was hidden")
    .option("--rate <share>", "hide each annotation with this probability", fraction)
    .addOption(new Option("--exact", "hide exactly this share of all annotations instead").conflicts("bySurface"))
    .option("--by-surface", "hide all mentions of a surface form together, each form with this probability")
    .addOption(
      new Option("--type <TYPE=RATE>", "hide annotations of a type with this probability; once per type")
        .argParser(typeRate)
        .conflicts(["rate", "exact", "bySurface"]),
    )
    .addOption(seedOption())
    .addOption(formatOption("--from <format>", "format of the input"))
    .addOption(outputFormatOption("format of the output"));
  for (const option of readingOptions()) command.addOption(option);
  command
    .option("--to-scheme <name>", "tag scheme of the output (default: IOB2)", scheme)
    .option("--list-losses", "leave out what the output format cannot express, and list it")
    .addOption(jsonOption("print how much was hidden as JSON"))
    .addOption(quietOption())
    .addHelpText("after", help)
    .action((flags: MaskFlags) => run(flags, signal));
};

async function run(flags: MaskFlags, signal: AbortSignal): Promise<void> {
  const { in: input, out, hidden, seed, json, quiet } = flags;
  const mode = modeOf(flags);
  assertJsonHasRoom(json, out);
  if (hidden !== undefined && resolve(hidden) === resolve(out)) {
    throw new InputError("--out and --hidden must be two files", { file: hidden });
  }
  const notices = noticeCollector();
  const reading = { ...readingFlags({ ...flags, ...notices }), format: flags.from };
  const { format, documents } = await openDocuments(input, reading);
  const watched = watch(documents, progress("masking", { unit: "documents", quiet }), signal);
  const count = { hidden: 0 };
  const masked = counted(maskDocuments(watched.documents, mode, seed), count);

  const read = { path: inputFile(input).path, format: writableName(format) };
  const outFormat = flags.to ?? formatLike(out, [read]);
  const outputs: Output[] = [{ path: out, format: outFormat, pick: (each) => each.masked }];
  if (hidden !== undefined) {
    const hiddenFormat = formatLike(hidden, [{ path: out, format: outFormat }, read]);
    outputs.push({ path: hidden, format: hiddenFormat, pick: (each) => each.hidden });
  }
  const losses = await inStep(
    masked,
    outputs.map((output) => (items: AsyncIterable<MaskedDocument>) => write(output, items, flags)),
  );

  const size = watched.size();
  if (json) printJson({ ...size, hidden: count.hidden, losses: losses.flat() });
  if (quiet) return;
  notices.tell(input, quiet);
  for (const [index, output] of outputs.entries())
    for (const line of describeLosses(losses[index]!, output.path)) note(line);
  note(`${out}: ${describeSize(size)}, ${grouped(count.hidden)} hidden`);
}

function modeOf({ rate, exact, bySurface, type }: MaskFlags): MaskMode {
  if (type !== undefined) return { by: "type", rates: type };
  if (rate === undefined) throw new InputError("mask: how much to hide is missing (--rate SHARE, or --type TYPE=RATE)");
  if (exact) return { by: "fraction", fraction: rate };
  return { by: bySurface ? "surface" : "mention", rate };
}

/** One of the files to write, and which half of a masked document goes there. */
interface Output {
  readonly path: string;
  readonly format: string | undefined;
  readonly pick: (document: MaskedDocument) => Document;
}

function write(output: Output, items: AsyncIterable<MaskedDocument>, flags: MaskFlags): Promise<readonly Loss[]> {
  async function* picked(): AsyncGenerator<Document, void, undefined> {
    for await (const item of items) yield output.pick(item);
  }
  return writeDocuments(output.path, picked(), {
    format: output.format,
    scheme: flags.toScheme,
    onLoss: flags.listLosses ? "list" : "error",
  });
}

async function* counted(
  items: AsyncIterable<MaskedDocument>,
  count: { hidden: number },
): AsyncGenerator<MaskedDocument, void, undefined> {
  for await (const item of items) {
    for (const { entities } of item.hidden.sentences) count.hidden += entities.length;
    yield item;
  }
}
