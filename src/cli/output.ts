import type { Loss } from "../formats/index.ts";
import { InputError } from "../util/errors.ts";
import { isStandardOutput } from "../util/output-target.ts";
import { visible, visibleLines } from "../util/visible.ts";
import { clearProgress, grouped } from "./progress.ts";
import { coloured, columnsOf, wrapped } from "./terminal.ts";

/** Data, on standard output. */
export function print(text: string): void {
  process.stdout.write(`${visibleLines(text)}\n`);
}

export function printJson(value: unknown): void {
  print(visible(JSON.stringify(value)));
}

/** A word to the person who runs the command, on standard error and on a line of its own. */
export function note(text: string): void {
  show(visibleLines(text));
}

/** The same where something is likely to be wrong. */
export function warn(text: string): void {
  show(`${coloured("warning:", "yellow", process.stderr)} ${visibleLines(text)}`);
}

function show(text: string): void {
  clearProgress();
  const width = columnsOf(process.stderr);
  const lines = Number.isFinite(width) ? wrapped(text, { width, indent: "  " }) : text;
  process.stderr.write(`${lines}\n`);
}

/** Standard output cannot hold the data and a summary at once. */
export function assertJsonHasRoom(json: boolean | undefined, out: string): void {
  if (json && isStandardOutput(out))
    throw new InputError(`--json prints to standard output, where --out ${out} already puts the data`);
}

/** `b.conll: left out scores (3), such as LOC "Berlin" with 0.5` */
export function describeLosses(losses: readonly Loss[], file: string): string[] {
  return losses.map(({ what, count, example }) => `${file}: left out ${what} (${grouped(count)}), such as ${example}`);
}
