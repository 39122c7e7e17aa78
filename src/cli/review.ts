import { basename, dirname, resolve } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import { writeDocuments, writeFileAtomically } from "../formats/index.ts";
import {
  contentPieces,
  type History,
  pageFiles,
  parseDecisions,
  type Review,
  standalonePage,
} from "../review/index.ts";
import { sizeCounter } from "../text/index.ts";
import { InputError } from "../util/errors.ts";
import { alone } from "../util/lock.ts";
import { isStandardOutput } from "../util/output-target.ts";
import { readTextFile } from "../util/regular-file.ts";
import type { CommandContext, RegisterCommand } from "./command.ts";
import { jsonOption, quietOption, required, wholeNumber } from "./options.ts";
import { assertJsonHasRoom, note, printJson } from "./output.ts";
import { formatOption, readingOptions, silenceOption } from "./reading.ts";
import { loadReview, namesOf, type ReviewFlags } from "./review-load.ts";
import { reviewOnPage } from "./review-page.ts";
import { describeVerdicts, verdictCounts } from "./review-print.ts";
import { describeSize, plural } from "./watch.ts";

const help = `
The page is on this machine only, at an address with a random token. Every decision is kept at once in a file beside --out,
with the ending .decisions.jsonl: the same command goes on where you stopped. The reviewed file is written when you end the
command with Ctrl-C or on the page, and when you ask for it there.

What you accept becomes an entity from the source "review", what you reject is rejected for its type, and what you leave
open stays as it was. With --html the page is a file for somebody else, who sends back the decisions as a file for --decisions.

Examples:
  $ lacuna review --data train.jsonl --audit audit.jsonl --out reviewed.jsonl
  $ lacuna review --data train.jsonl --audit audit.jsonl --html review.html
  $ lacuna review --data train.jsonl --audit audit.jsonl --decisions decisions.jsonl --out reviewed.jsonl`;

export const review: RegisterCommand = (program, stop) => {
  const command = program
    .command("review")
    .description("Decide on the suspicions of an audit, on a page in the browser")
    .addOption(required("--data <files...>", "the annotated text that was audited"))
    .addOption(required("--audit <file>", "the suspicions that lacuna audit wrote"))
    .option("--out <file>", "where to write the reviewed text, as Lacuna JSON lines")
    .addOption(
      new Option("--html <file>", "write the page as one file instead, to be opened from disk").conflicts([
        "out",
        "decisions",
      ]),
    )
    .option("--decisions <file>", "apply the decisions of this file instead, without a page")
    .addOption(
      new Option("--port <number>", "port of the page (default: any that is free)").argParser(port).default(0, ""),
    )
    .option("--no-open", "do not open the page in a browser")
    .addOption(formatOption("--from <format>", "format of the data"))
    .addOption(silenceOption("what unlabelled text means in a format that cannot say it (default: unknown)"));
  for (const option of readingOptions()) command.addOption(option);
  command
    .addOption(jsonOption("print how much was decided as JSON"))
    .addOption(quietOption())
    .addHelpText("after", help)
    .action((flags: ReviewFlags) => run(flags, stop));
};

async function run(flags: ReviewFlags, stop: CommandContext): Promise<void> {
  const { html, out } = flags;
  if (html !== undefined) return writePage(flags, html, stop.signal);
  if (out === undefined)
    throw new InputError("review: where to write is missing (--out FILE, or --html FILE for a page)");
  assertJsonHasRoom(flags.json, out);
  if (flags.decisions !== undefined) return applyFile(flags, flags.decisions, out, stop.signal);
  if (isStandardOutput(out)) throw new InputError("review: --out must be a file: the decisions are kept beside it");
  const kept = `${out}.decisions.jsonl`;
  assertApart([...flags.data, flags.audit], [out, kept]);
  const opened = await loadReview(flags, stop.signal);
  const lock = { patience: 0, signal: stop.signal, name: `.${basename(out)}.review-lock`, what: "review" };
  await alone(
    dirname(resolve(out)),
    async () => {
      const history = await reviewOnPage(opened, flags, { out, kept }, stop);
      await writeReviewed(opened, history, flags, out);
    },
    lock,
  );
}

function assertApart(inputs: readonly string[], outputs: readonly string[]): void {
  const same = inputs.find((input) => outputs.some((output) => resolve(input) === resolve(output)));
  if (same !== undefined) throw new InputError("would be overwritten; choose another --out", { file: same });
}

async function writePage(flags: ReviewFlags, file: string, signal: AbortSignal): Promise<void> {
  const opened = await loadReview(flags, signal);
  const page = await pageFiles();
  async function* pieces(): AsyncGenerator<string, void, undefined> {
    yield* standalonePage(page, contentPieces(opened, namesOf(flags)));
  }
  await writeFileAtomically(file, pieces());
  if (!flags.quiet) note(`${file}: a page with ${plural(opened.items.length, "suspicion")}; open it in a browser`);
}

async function applyFile(flags: ReviewFlags, file: string, out: string, signal: AbortSignal): Promise<void> {
  if (!isStandardOutput(out)) assertApart([...flags.data, flags.audit, file], [out]);
  const opened = await loadReview(flags, signal);
  const history = opened.historyOf(parseDecisions(await readTextFile(file), file), file);
  await writeReviewed(opened, history, flags, out);
}

async function writeReviewed(
  opened: Review,
  history: History,
  { json, quiet }: ReviewFlags,
  out: string,
): Promise<void> {
  const written = sizeCounter();
  await writeDocuments(out, opened.reviewed(history), { format: "lacuna", onWritten: written.add });
  const counts = verdictCounts(opened.items.length, history);
  if (json) printJson({ ...written.size(), decisions: counts });
  if (quiet) return;
  note(describeVerdicts(counts));
  note(`${out}: ${describeSize(written.size())}`);
}

function port(text: string): number {
  const number = wholeNumber(text);
  if (number > 65_535) throw new InvalidArgumentError("Expected a port from 0 to 65535.");
  return number;
}
