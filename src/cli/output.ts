import type { Loss } from "../formats/index.ts";
import { InputError } from "../util/errors.ts";
import { isStandardOutput } from "../util/output-target.ts";
import { visible, visibleLines } from "../util/visible.ts";
import { grouped } from "./progress.ts";

/** Data, on standard output. */
export function print(text: string): void {
  process.stdout.write(`${visibleLines(text)}\n`);
}

export function printJson(value: unknown): void {
  print(visible(JSON.stringify(value)));
}

/** A word to the person who runs the command, on standard error. */
export function note(text: string): void {
  process.stderr.write(`${visibleLines(text)}\n`);
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

/** What a cell shows at most: names come from data, and may have any length. */
const widestCell = 120;

/** Rows with columns lined up: the first to the left, the others to the right. */
export function table(given: readonly (readonly string[])[]): string {
  const rows = given.map((row) =>
    row.map((cell) => visible(cell.length > widestCell ? `${cell.slice(0, widestCell - 1)}…` : cell)),
  );
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, row[column]!.length), 0),
  );
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join("  ");
  return rows.map((row) => line(row).trimEnd()).join("\n");
}
