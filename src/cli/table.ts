import { visible } from "../util/visible.ts";
import { columnsOf, padded, shortened, widthOf } from "./terminal.ts";

type Rows = readonly (readonly string[])[];

export interface TableOptions {
  /** Columns that the lines may take; those of standard output when missing. */
  readonly width?: number;
}

const gap = 2;
const shortestName = 10;
/** What a cell shows at most: names come from data, and may have any length. */
const widestCell = 120;

/**
 * Rows with columns lined up: the first, of names, to the left, the others to the right. The first row is the head.
 * Where the lines would be too long the head breaks between words, then names are cut with …, and then the columns that
 * do not fit follow in a table of their own, with the names again.
 */
export function table(given: Rows, { width = columnsOf() }: TableOptions = {}): string {
  if (given.length === 0) return "";
  const rows = shownRows(given);
  const natural = rows[0]!.map((_, column) => widest(rows, column));
  if (sum(natural) <= width) return lines(rows, natural);
  const narrow = rows[0]!.map((head, column) => {
    return Math.max(widest(rows.slice(1), column), ...head.split(" ").map(widthOf));
  });
  const names = Math.max(shortestName, width - (sum(narrow) - narrow[0]!));
  const widths = [Math.min(narrow[0]!, names), ...narrow.slice(1)];
  const blocks = columnBlocks(widths, width);
  return blocks
    .map((columns) => {
      const picked = rows.map((row) => columns.map((column) => row[column]!));
      const size = columns.map((column) => widths[column]!);
      return lines(brokenHead(picked, size), size);
    })
    .join("\n\n");
}

/** The rows as they can be shown: nothing in a cell steers a terminal. */
function shownRows(rows: Rows): Rows {
  return rows.map((row) => row.map((cell) => shortened(visible(cell), widestCell)));
}

/** What the widest cell of a column takes. */
function widest(rows: Rows, column: number): number {
  return rows.reduce((width, row) => Math.max(width, widthOf(row[column] ?? "")), 0);
}

/** What columns take side by side. */
function sum(widths: readonly number[]): number {
  return widths.reduce((total, each) => total + each + gap, -gap);
}

/** Which columns stand together: the names always, and of the others as many as fit. */
function columnBlocks(widths: readonly number[], width: number): number[][] {
  const blocks: number[][] = [];
  let block = [0];
  for (let column = 1; column < widths.length; column++) {
    const next = [...block, column];
    if (block.length > 1 && sum(next.map((each) => widths[each]!)) > width) {
      blocks.push(block);
      block = [0, column];
    } else block = next;
  }
  return [...blocks, block];
}

/** The rows with a head of several lines, the last words lowest. */
function brokenHead(rows: Rows, widths: readonly number[]): Rows {
  const heads = rows[0]!.map((head, column) => brokenWords(head, widths[column]!));
  const height = Math.max(...heads.map(({ length }) => length));
  const head = Array.from({ length: height }, (_, i) => heads.map((words) => words[words.length - height + i] ?? ""));
  return [...head, ...rows.slice(1)];
}

function brokenWords(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(`${last} ${word}`) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function lines(rows: Rows, widths: readonly number[]): string {
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => padded(shortened(cell, widths[column]!), widths[column]!, column === 0 ? "right" : "left"))
      .join(" ".repeat(gap))
      .trimEnd();
  return rows.map(line).join("\n");
}

/** Rows of words, all to the left and set in by two; the last column is cut where a line would be too long. */
export function list(given: Rows, { width = columnsOf() }: TableOptions = {}): string[] {
  const rows = shownRows(given);
  const count = rows.reduce((most, { length }) => Math.max(most, length), 0);
  const widths = Array.from({ length: count }, (_, column) => widest(rows, column));
  return rows.map((row) =>
    shortened(`  ${row.map((cell, i) => padded(cell, widths[i]!)).join("  ")}`.trimEnd(), width),
  );
}
