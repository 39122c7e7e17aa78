import { InputError, quote } from "../util/errors.ts";
import type { Entry } from "./matcher.ts";

/** Where a line stands, for messages. */
export interface LinePlace {
  readonly file: string;
  readonly line: number;
}

/** Names that people give to the column of surfaces, and to that of types, in the head of a table. */
const surfaceNames = new Set(
  "surface term terms name entity mention text string synonym phrase word pattern preferred_term".split(" "),
);
const typeNames = new Set("type label category class tag entity_type semantic_type ner_tag kind".split(" "));

/** Which columns hold what; the type may be missing. */
export interface Columns {
  readonly surface: number;
  readonly type: number | undefined;
  /** How many columns every line must have; missing where a head names those that matter. */
  readonly count?: number;
}

/** The separator of a table by its ending and first line: a tab, a comma, or a semicolon as in much of Europe. */
export function separatorOf(first: string, ending: string): string | undefined {
  if (ending === ".tsv" || (ending !== ".csv" && first.includes("\t"))) return "\t";
  if (ending === ".csv") return splitRow(first, ",").length === 1 && splitRow(first, ";").length > 1 ? ";" : ",";
  // Names may hold commas: without the ending, only a head tells a table.
  return [",", ";"].find((each) => {
    const cells = splitRow(first, each);
    return cells.length > 1 && headOf(cells) !== undefined;
  });
}

/** The columns that the head of a table names; `undefined` when the cells are no head. */
export function headOf(cells: readonly string[]): Columns | undefined {
  const names = cells.map((cell) =>
    cell
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, "_"),
  );
  const surface = names.findIndex((name) => surfaceNames.has(name));
  const type = names.findIndex((name, column) => column !== surface && typeNames.has(name));
  if (surface < 0 || (type < 0 && cells.length > 1)) return undefined;
  return { surface, type: type < 0 ? undefined : type };
}

/** The entry of a row. */
export function rowReader(columns: Columns, separator: string, dictionary: string, declared: string | undefined) {
  return (content: string, place: LinePlace): Entry => {
    const cells = cellsOf(content, separator, place);
    const surface = cells[columns.surface]?.trim();
    const type = columns.type === undefined ? declared : cells[columns.type]?.trim();
    const isShort = !surface || (columns.type !== undefined && !type);
    if (isShort || (columns.count !== undefined && cells.length !== columns.count)) {
      const expected = describeColumns(columns, separator);
      const got = `${cells.length} column${cells.length === 1 ? "" : "s"}`;
      throw new InputError(`dictionary: expected ${expected}, got ${got}: ${quote(content)}`, place);
    }
    return type === undefined ? { surface, dictionary } : { surface, type, dictionary };
  };
}

/** `surface<TAB>type` */
function describeColumns({ surface, type }: Columns, separator: string): string {
  if (type === undefined) return `a surface in column ${surface + 1}`;
  const names = surface < type ? ["surface", "type"] : ["type", "surface"];
  return names.join(separator === "\t" ? "<TAB>" : separator);
}

/** The cells of a row; a quoted cell that goes on in the next line is refused. */
export function cellsOf(content: string, separator: string, place: LinePlace): string[] {
  if (separator === "\t") return content.split("\t");
  const { cells, isOpen } = splitQuoted(content, separator);
  if (isOpen) throw new InputError(`dictionary: a quoted cell does not end on its line: ${quote(content)}`, place);
  return cells;
}

function splitRow(content: string, separator: string): string[] {
  return splitQuoted(content, separator).cells;
}

/** Cells between separators; within quotes the separator counts for nothing and "" is a quote (RFC 4180). */
function splitQuoted(content: string, separator: string): { cells: string[]; isOpen: boolean } {
  const cells: string[] = [];
  let [cell, isOpen] = ["", false];
  for (let i = 0; i < content.length; i++) {
    const character = content[i]!;
    if (isOpen && character === '"' && content[i + 1] === '"') {
      cell += '"';
      i++;
    } else if (character === '"' && (isOpen || cell.trim() === "")) {
      isOpen = !isOpen;
      if (isOpen) cell = "";
    } else if (character === separator && !isOpen) {
      cells.push(cell);
      cell = "";
    } else cell += character;
  }
  return { cells: [...cells, cell], isOpen };
}
