import { type Silence, writeDocuments } from "../formats/index.ts";
import type { Scheme } from "../text/tags.ts";
import type { RegisterCommand } from "./command.ts";
import { jsonOption, quietOption, required } from "./options.ts";
import { assertJsonHasRoom, describeLosses, note, printJson } from "./output.ts";
import { progress } from "./progress.ts";
import {
  formatOption,
  openDocuments,
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
of the name, and .jsonl and standard output mean Lacuna's own format, which loses nothing.

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
    .addOption(formatOption("--to <format>", "format of the output"))
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
  const { documents } = await openDocuments(input, { ...readingFlags(flags), format: from, silence });
  const watched = watch(documents, progress("converting", { unit: "documents", quiet }), signal);
  const losses = await writeDocuments(out, watched.documents, {
    format: to,
    scheme: toScheme,
    silence,
    onLoss: listLosses ? "list" : "error",
  });
  if (json) printJson({ ...watched.size(), losses });
  if (quiet) return;
  for (const line of describeLosses(losses, out)) note(line);
  note(`${out}: ${describeSize(watched.size())}`);
}
