import { type Silence, writeDocuments } from "../formats/index.ts";
import { type Scheme, sizeCounter } from "../text/index.ts";
import type { RegisterCommand } from "./command.ts";
import { noticeCollector } from "./notices.ts";
import { jsonOption, quietOption, required } from "./options.ts";
import { assertJsonHasRoom, describeLosses, note, printJson } from "./output.ts";
import { progress } from "./progress.ts";
import {
  formatOption,
  openDocuments,
  outputFormatOption,
  type ReadingFlags,
  readingFlags,
  readingOptions,
  scheme,
  silenceOption,
} from "./reading.ts";
import { describeSize, watch } from "./watch.ts";

interface ConvertFlags extends ReadingFlags {
  readonly in: string;
  readonly out: string;
  readonly from?: string;
  readonly to?: string;
  readonly silence?: Silence;
  readonly toScheme?: Scheme;
  readonly listLosses?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const help = `
Without --from the format is told by the ending of the name or by the beginning of the file; without --to by the ending
of the name, and .jsonl and standard output mean Lacuna's own format, which loses nothing. What the output format cannot
express ends the command, unless --list-losses leaves it out; lost document ids are listed only.

Examples:
  $ lacuna convert --in train.conll --out train.jsonl
  $ lacuna convert --in train.jsonl --out train.conll --silence negative --to-scheme BIOES
  $ cat tasks.jsonl | lacuna convert --in - --from prodigy --out - --to conll --list-losses`;

export const convert: RegisterCommand = (program, { signal }) => {
  const command = program
    .command("convert")
    .description("Convert annotated text from one file format to another")
    .addOption(required("--in <file>", "annotated text; - is standard input"))
    .addOption(required("--out <file>", "where to write; - is standard output"))
    .addOption(formatOption("--from <format>", "format of the input"))
    .addOption(outputFormatOption("format of the output"))
    .addOption(silenceOption("what unlabelled text means in a format that cannot say it (default: unknown)"));
  for (const option of readingOptions()) command.addOption(option);
  command
    .option("--to-scheme <name>", "tag scheme of the output (default: IOB2)", scheme)
    .option("--list-losses", "leave out what the output format cannot express, and list it")
    .addOption(jsonOption("print what was converted and lost as JSON"))
    .addOption(quietOption())
    .addHelpText("after", help)
    .action((flags: ConvertFlags) => run(flags, signal));
};

async function run(flags: ConvertFlags, signal: AbortSignal): Promise<void> {
  const { in: input, out, from, to, silence, toScheme, listLosses, json, quiet } = flags;
  assertJsonHasRoom(json, out);
  const notices = noticeCollector();
  const reading = { ...readingFlags({ ...flags, ...notices }), format: from, silence };
  const { documents } = await openDocuments(input, reading);
  const watched = watch(documents, progress("converting", { unit: "documents", quiet }), signal);
  const written = sizeCounter();
  const losses = await writeDocuments(out, watched.documents, {
    format: to,
    scheme: toScheme,
    silence,
    onLoss: listLosses ? "list" : "error",
    onWritten: written.add,
  });
  if (json) printJson({ ...written.size(), read: watched.size(), losses, notices: notices.list() });
  if (quiet) return;
  notices.tell(input, quiet);
  for (const line of describeLosses(losses, out)) note(line);
  note(`${out}: ${describeSize(written.size())}`);
}
