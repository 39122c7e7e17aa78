import { fstatSync } from "node:fs";
import { extname, resolve } from "node:path";
import { Option } from "commander";
import { conll, type Loss, lacuna, text, writeDocuments, writeFileAtomically, writeStream } from "../formats/index.ts";
import { predictInSlices, Recogniser } from "../inference/index.ts";
import { expectedLosses, hashOfModel, marked, type TagSettings, tagFormats, wholeBlocks } from "../queue/index.ts";
import { type Document, sizeCounter } from "../text/index.ts";
import { InputError } from "../util/errors.ts";
import { isStandardOutput } from "../util/output-target.ts";
import type { CommandContext, RegisterCommand } from "./command.ts";
import { openInputs } from "./inputs.ts";
import { interruptible } from "./interrupt.ts";
import { noticeCollector } from "./notices.ts";
import { fraction, partOption, quietOption, required, shiftOption, wholeNumber } from "./options.ts";
import { describeLosses, note } from "./output.ts";
import { progress } from "./progress.ts";
import { formatOption, type ReadingFlags, readingFlags, readingOptions } from "./reading.ts";
import { runSharded } from "./sharded.ts";
import { assertSharding, isSharded, type ShardFlags, shardOptions } from "./sharding.ts";
import { describeSize } from "./watch.ts";

const outputFormats = ["text", "conll", "jsonl"] as const;
type OutputFormat = (typeof outputFormats)[number];

interface TagFlags extends ReadingFlags, ShardFlags {
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
pipe that is still being written are tagged as they come. A quoted pattern such as 'news/*.txt.gz' names several inputs.

Many machines: --shard does a share of the input, without any server between the machines; --queue lets workers do all of
it (lacuna worker). Both keep their outputs in OUT.shards, --merge joins them, and both go on where they stopped.
docs/scale.md tells more.

Examples:
  $ echo "Ana Lopes moved to Lisbon." | lacuna tag --model model
  $ lacuna tag --model model --in notes.txt --out tagged.jsonl --format jsonl
  $ lacuna tag --model model --format conll < test.conll > predicted.conll
  $ tail -f notes.log | lacuna tag --model model --from text
  $ lacuna tag --model model --in tasks.jsonl --from prodigy --min-score 0.8 --out sure.jsonl
  $ lacuna tag --model model --in 'news/*.txt' --out news.jsonl --shard 3/16
  $ lacuna tag --model model --in 'news/*.txt' --out news.jsonl --queue redis://queue:6379 --merge`;

export const tag: RegisterCommand = (program, stop) => {
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
  for (const option of [...readingOptions(), ...shardOptions()]) command.addOption(option);
  command
    .addOption(quietOption())
    .addHelpText("after", help)
    .action((flags: TagFlags) => {
      assertSharding("tag", flags);
      return isSharded(flags) ? runInShards(flags, stop) : run(flags, stop.signal);
    });
};

/** Shards are joined byte by byte, so they need a format in which no part depends on another. */
async function runInShards(flags: TagFlags, stop: CommandContext): Promise<void> {
  const { model, part, out, threads = 1 } = flags;
  const wanted = flags.format ?? formatOf(out);
  const format = tagFormats.find((known) => known === wanted);
  if (format === undefined)
    throw new InputError(`tag: shards cannot be joined as ${wanted}; write jsonl, then lacuna convert --to ${wanted}`);
  const { onNotice: _, ...reading } = readingFlags(flags);
  const settings = async (): Promise<TagSettings> => ({
    model: resolve(model),
    hash: await hashOfModel(model),
    format,
    decode: decodeOf(flags),
    ...(part && { parts: Object.fromEntries(Object.entries(part).map(([name, path]) => [name, resolve(path)])) }),
    reading: reading as TagSettings["reading"],
  });
  const ending = format === "jsonl" ? ".jsonl" : ".txt";
  await runSharded(
    { work: "tag", title: "tagging", flags, fallback: text.name, ending, threads, settings, sizeOf: wholeBlocks },
    stop,
  );
}

function decodeOf({ minScore, overlap, shift }: TagFlags) {
  return {
    ...(minScore !== undefined && { minScore }),
    ...(overlap && { overlap }),
    ...(shift !== undefined && { shift }),
  };
}

async function run(flags: TagFlags, signal: AbortSignal): Promise<void> {
  const { model, in: input, out, threads, part, quiet } = flags;
  const notices = noticeCollector();
  const reading = { ...readingFlags({ ...flags, ...notices }), format: flags.from };
  const inputs = await openInputs(input, reading, text.name);
  const recogniser = await Recogniser.load(model, {
    decode: decodeOf(flags),
    ...(part && { parts: part }),
    ...(threads && { threads }),
  });
  const bar = progress("tagging", { unit: "tokens", quiet });
  const total = sizeCounter();
  async function* tagged(): AsyncGenerator<Document, void, undefined> {
    const patience = flags.in === "-" && isLive() ? livePatience : undefined;
    for (const input of inputs)
      for await (const block of input.blocks()) {
        const { tokens } = total.size();
        const seen = (done: number): void => bar.update(tokens + done);
        for await (const document of predictInSlices(recogniser, interruptible(block, signal), { seen, patience })) {
          signal.throwIfAborted();
          total.add(document);
          yield document;
        }
      }
  }
  try {
    const losses = await write(tagged(), out, flags.format ?? formatOf(out));
    bar.finish();
    if (quiet) return;
    notices.tell(input, quiet);
    for (const line of describeLosses(losses, out)) note(line);
    if (!isStandardOutput(out)) note(`${out}: ${describeSize(total.size())}`);
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
