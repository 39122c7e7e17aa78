import { Option } from "commander";
import { writeDocuments } from "../formats/index.ts";
import { writeFileAtomically, writeStream } from "../formats/output.ts";
import { Recogniser } from "../inference/recogniser.ts";
import { characters, type Document } from "../text/index.ts";
import type { RegisterCommand } from "./command.ts";
import { fraction, quietOption, required, wholeNumber } from "./options.ts";
import { note } from "./output.ts";
import { grouped, progress } from "./progress.ts";
import { formatOption, openDocuments, type ReadingFlags, readingFlags, readingOptions } from "./reading.ts";
import { watch } from "./watch.ts";

interface TagFlags extends ReadingFlags {
  readonly model: string;
  readonly in: string;
  readonly out: string;
  readonly from?: string;
  readonly format?: "text" | "conll" | "jsonl";
  readonly minScore?: number;
  readonly overlap?: "flat" | "nested" | "all";
  readonly threads?: number;
  readonly quiet?: boolean;
}

const help = `
Standard input is plain text unless --from says otherwise; a file is read by its format. In plain text every line is a
document. Output: text has the entities in brackets, [Lisbon](LOC); jsonl is Lacuna's own format with offsets and
scores; conll has a token and a tag on each line.

Examples:
  $ echo "Ana Lopes moved to Lisbon." | lacuna tag --model model
  $ lacuna tag --model model --in notes.txt --out tagged.jsonl --format jsonl
  $ lacuna tag --model model --in test.conll --format conll > predicted.conll`;

export const tag: RegisterCommand = (program, { signal }) => {
  const command = program
    .command("tag")
    .description("Find entities in text with a trained model")
    .addOption(required("--model <dir>", "the model directory"))
    .option("--in <file>", "text, or annotated text whose annotations are ignored; - is standard input", "-")
    .option("--out <file>", "where to write; - is standard output", "-")
    .addOption(formatOption("--from <format>", "format of the input"))
    .addOption(
      new Option("--format <name>", "what to write (default: by the ending of --out, else text)").choices([
        "text",
        "conll",
        "jsonl",
      ]),
    )
    .option("--min-score <share>", "leave out entities with a lower probability", fraction)
    .addOption(
      new Option("--overlap <rule>", "which entities may stand together (default: as trained)").choices([
        "flat",
        "nested",
        "all",
      ]),
    )
    .option("--threads <n>", "threads (default: all cores)", wholeNumber);
  for (const option of readingOptions()) command.addOption(option);
  command
    .addOption(quietOption())
    .addHelpText("after", help)
    .action((flags: TagFlags) => run(flags, signal));
};

async function run(flags: TagFlags, signal: AbortSignal): Promise<void> {
  const { model, in: input, out, minScore, overlap, threads, quiet } = flags;
  const decode = { ...(minScore !== undefined && { minScore }), ...(overlap && { overlap }) };
  const recogniser = await Recogniser.load(model, { decode, ...(threads && { threads }) });
  const format = flags.from ?? (input === "-" ? "text" : undefined);
  const { documents } = await openDocuments(input, { ...readingFlags(flags), format });
  const watched = watch(documents, progress("tagging", { unit: "documents", quiet }), signal);
  let entities = 0;
  async function* tagged(): AsyncGenerator<Document, void, undefined> {
    for await (const document of recogniser.stream(watched.documents)) {
      for (const sentence of document.sentences) entities += sentence.entities.length;
      yield document;
    }
  }
  await write(tagged(), out, flags.format ?? formatOf(out));
  await recogniser.dispose();
  if (!quiet && out !== "-") note(`${out}: ${grouped(entities)} entities in ${grouped(watched.size().tokens)} tokens`);
}

async function write(
  documents: AsyncIterable<Document>,
  out: string,
  format: "text" | "conll" | "jsonl",
): Promise<void> {
  // A prediction has scores, which CoNLL columns cannot hold; that is known and no surprise.
  if (format === "conll") await writeDocuments(out, documents, { format, onLoss: "list" });
  else if (format === "jsonl") await writeDocuments(out, documents, { format: "lacuna" });
  else if (out === "-") await writeStream(process.stdout, marked(documents));
  else await writeFileAtomically(out, marked(documents));
}

function formatOf(out: string): "text" | "conll" | "jsonl" {
  if (out.endsWith(".conll")) return "conll";
  return out.endsWith(".jsonl") ? "jsonl" : "text";
}

async function* marked(documents: AsyncIterable<Document>): AsyncGenerator<string, void, undefined> {
  for await (const document of documents) yield `${markEntities(document)}\n`;
}

/** The text with each entity as `[surface](TYPE)`; of nested entities, the inner ones stand inside the outer. */
export function markEntities({ text, sentences }: Document): string {
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
    result += text.slice(done, at) + mark;
    done = at;
  }
  return result + text.slice(done);
}
