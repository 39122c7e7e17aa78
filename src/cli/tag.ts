import { fstatSync } from "node:fs";
import { extname } from "node:path";
import { Option } from "commander";
import {
  conll,
  type Loss,
  lacuna,
  limits,
  text,
  writeDocuments,
  writeFileAtomically,
  writeStream,
} from "../formats/index.ts";
import { Recogniser } from "../inference/index.ts";
import { characters, type Document } from "../text/index.ts";
import { isStandardOutput } from "../util/output-target.ts";
import type { RegisterCommand } from "./command.ts";
import { noticeCollector } from "./notices.ts";
import { fraction, partOption, quietOption, required, shiftOption, wholeNumber } from "./options.ts";
import { describeLosses, note } from "./output.ts";
import { predictInSlices } from "./predict-slices.ts";
import { progress } from "./progress.ts";
import { formatOption, openDocuments, type ReadingFlags, readingFlags, readingOptions } from "./reading.ts";
import { describeSize, watch } from "./watch.ts";

const outputFormats = ["text", "conll", "jsonl"] as const;
type OutputFormat = (typeof outputFormats)[number];

interface TagFlags extends ReadingFlags {
  readonly model: string;
  readonly in: string;
  readonly out: string;
  readonly from?: string;
  readonly format?: OutputFormat;
  readonly minScore?: number;
  readonly overlap?: "flat" | "nested" | "all";
  readonly shift?: number;
  readonly threads?: number;
  readonly part?: Readonly<Record<string, string>>;
  readonly quiet?: boolean;
}

const help = `
The input is read by its format; what looks like none is plain text, in which every line is a document. Output: text has
the entities in brackets, [Lisbon](LOC), a line for each line of a plain text; jsonl is Lacuna's own format with offsets
and scores; conll has a token and a tag on each line. Annotations of the input are replaced. With --from text, lines of a
pipe that is still being written are tagged as they come.

Examples:
  $ echo "Ana Lopes moved to Lisbon." | lacuna tag --model model
  $ lacuna tag --model model --in notes.txt --out tagged.jsonl --format jsonl
  $ lacuna tag --model model --format conll < test.conll > predicted.conll
  $ tail -f notes.log | lacuna tag --model model --from text
  $ lacuna tag --model model --in tasks.jsonl --from prodigy --min-score 0.8 --out sure.jsonl`;

export const tag: RegisterCommand = (program, { signal }) => {
  const command = program
    .command("tag")
    .description("Find entities in text with a trained model")
    .addOption(required("--model <dir>", "the model directory"))
    .option("--in <file>", "text, or annotated text whose annotations are ignored; - is standard input", "-")
    .option("--out <file>", "where to write; - is standard output", "-")
    .addOption(formatOption("--from <format>", "format of the input"))
    .addOption(
      new Option("--format <name>", "what to write (default: by the ending of --out, else text)").choices(
        outputFormats,
      ),
    )
    .option("--min-score <share>", "leave out entities with a lower probability", fraction)
    .addOption(
      new Option("--overlap <rule>", "which entities may stand together (default: as trained)").choices([
        "flat",
        "nested",
        "all",
      ]),
    )
    .addOption(shiftOption())
    .option("--threads <n>", "threads (default: all cores)", wholeNumber)
    .addOption(partOption());
  for (const option of readingOptions()) command.addOption(option);
  command
    .addOption(quietOption())
    .addHelpText("after", help)
    .action((flags: TagFlags) => run(flags, signal));
};

async function run(flags: TagFlags, signal: AbortSignal): Promise<void> {
  const { model, in: input, out, minScore, overlap, shift, threads, part, quiet } = flags;
  const notices = noticeCollector();
  const reading = { ...readingFlags({ ...flags, ...notices }), format: flags.from };
  const { documents } = await openDocuments(input, reading, text.name);
  const decode = {
    ...(minScore !== undefined && { minScore }),
    ...(overlap && { overlap }),
    ...(shift !== undefined && { shift }),
  };
  const recogniser = await Recogniser.load(model, {
    decode,
    ...(part && { parts: part }),
    ...(threads && { threads }),
  });
  const bar = progress("tagging", { unit: "tokens", quiet });
  const watched = watch(documents, progress("reading", { quiet: true }), signal);
  let entities = 0;
  async function* tagged(): AsyncGenerator<Document, void, undefined> {
    for await (const document of predictInSlices(recogniser, watched.documents, {
      seen: bar.update,
      patience: input === "-" && isLive() ? livePatience : undefined,
    })) {
      signal.throwIfAborted();
      for (const sentence of document.sentences) entities += sentence.entities.length;
      yield document;
    }
  }
  try {
    const losses = await write(tagged(), out, flags.format ?? formatOf(out));
    bar.finish();
    if (quiet) return;
    notices.tell(input, quiet);
    for (const line of describeLosses(losses, out)) note(line);
    if (!isStandardOutput(out)) note(`${out}: ${describeSize({ ...watched.size(), entities })}`);
  } finally {
    bar.finish();
    await recogniser.dispose();
  }
}

/** How long a line that somebody types or a program writes waits for others that may go through the model with it. */
const livePatience = 20;

/** Whether standard input may still be being written: a terminal, a pipe, a socket. */
function isLive(): boolean {
  return !fstatSync(process.stdin.fd).isFile();
}

/** A prediction has scores, and documents names and spaces, which columns do not hold: known, and no surprise. */
const expectedLosses = new Set([limits.scores, limits.ids, limits.spacing].map(({ what }) => what));

async function write(documents: AsyncIterable<Document>, out: string, format: OutputFormat): Promise<readonly Loss[]> {
  if (format === "text") {
    if (isStandardOutput(out)) await writeStream(process.stdout, marked(documents));
    else await writeFileAtomically(out, marked(documents));
    return [];
  }
  const name = format === "jsonl" ? lacuna.name : conll.name;
  const losses = await writeDocuments(out, documents, { format: name, onLoss: "list" });
  return losses.filter(({ what }) => !expectedLosses.has(what));
}

function formatOf(out: string): OutputFormat {
  const ending = extname(out).toLowerCase();
  if (conll.extensions.includes(ending)) return "conll";
  return ending === ".jsonl" ? "jsonl" : "text";
}

async function* marked(documents: AsyncIterable<Document>): AsyncGenerator<string, void, undefined> {
  for await (const document of documents) yield `${markEntities(document)}\n`;
}

/** The text with each entity as `[surface](TYPE)`; of nested entities, the inner ones stand inside the outer. */
export function markEntities({ text: plain, sentences }: Document): string {
  const marks: { at: number; open: boolean; width: number; text: string }[] = [];
  for (const sentence of sentences) {
    for (const entity of sentence.entities) {
      const { start, end } = characters(sentence, entity);
      marks.push({ at: start, open: true, width: end - start, text: "[" });
      marks.push({ at: end, open: false, width: end - start, text: `](${entity.type})` });
    }
  }
  // At one place what ends comes before what begins; the wider opens first and closes last.
  marks.sort(
    (a, b) => a.at - b.at || Number(a.open) - Number(b.open) || (a.open ? b.width - a.width : a.width - b.width),
  );
  let result = "";
  let done = 0;
  for (const { at, text: mark } of marks) {
    result += plain.slice(done, at) + mark;
    done = at;
  }
  return result + plain.slice(done);
}
