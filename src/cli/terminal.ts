import { stripVTControlCharacters } from "node:util";

/** Where text is shown: standard output or error, or a stand-in in a test. */
export interface TextStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Prose is hard to read in longer lines than this. */
const widestProse = 100;
/** No table is set in less. */
const narrowest = 40;

/**
 * The columns that lines may take: those of the terminal, or what `COLUMNS` says. Without either there is no limit,
 * because a file or another program reads the text.
 */
export function columnsOf(stream: TextStream = process.stdout, environment: Environment = process.env): number {
  const declared = Number(environment.COLUMNS);
  const columns = stream.isTTY ? (stream.columns ?? 80) : declared;
  return Number.isInteger(columns) && columns > 0 ? Math.max(narrowest, columns) : Number.POSITIVE_INFINITY;
}

/** True when text may be coloured: `FORCE_COLOR` asks for it, `NO_COLOR` forbids it, else a terminal decides. */
export function hasColours(stream: TextStream, environment: Environment = process.env): boolean {
  const { FORCE_COLOR: force, NO_COLOR: no, TERM: term } = environment;
  if (force !== undefined) return force !== "0" && force !== "false";
  return (no === undefined || no === "") && stream.isTTY === true && term !== "dumb";
}

const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;
export type Colour = keyof typeof codes;

export function coloured(text: string, colour: Colour, stream: TextStream): string {
  if (!hasColours(stream)) return text;
  const [on, off] = codes[colour];
  return `\u001b[${on}m${text}\u001b[${off}m`;
}

/** Characters of East Asia and emoji, which take two columns. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** The columns that a text takes on a terminal. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of stripVTControlCharacters(text)) {
    if (/\p{M}|\u200d|\ufe0f/u.test(character)) continue;
    width += wide.test(character) ? 2 : 1;
  }
  return width;
}

/** The beginning of a text, with … where it had to be cut. */
export function shortened(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let [result, used] = ["", 0];
  for (const character of text) {
    used += widthOf(character);
    if (used > width - 1) break;
    result += character;
  }
  return `${result}…`;
}

export interface WrapOptions {
  /** Columns; those of standard output when missing. */
  readonly width?: number;
  /** What stands before each line after the first. */
  readonly indent?: string;
}

/** Words in lines that fit. Line breaks in the text stay. */
export function wrapped(text: string, { width = columnsOf(), indent = "" }: WrapOptions = {}): string {
  const limit = Math.min(width, widestProse);
  return text
    .split("\n")
    .flatMap((line) => wrapLine(line, limit, indent))
    .join("\n");
}

function wrapLine(text: string, width: number, indent: string): string[] {
  const first = /^ */.exec(text)![0];
  const lines: string[] = [];
  let line = first;
  // A number and its sign stay together.
  for (const word of text.slice(first.length).split(/ (?!%)/)) {
    const longer = line.trim() === "" ? line + word : `${line} ${word}`;
    if (widthOf(longer) <= width || line.trim() === "") line = longer;
    else {
      lines.push(line);
      line = first + indent + word;
    }
  }
  return [...lines, line];
}

/** Padded on the right, or on the left for numbers, by what it takes on a terminal. */
export function padded(text: string, width: number, side: "left" | "right" = "right"): string {
  const space = " ".repeat(Math.max(0, width - widthOf(text)));
  return side === "right" ? text + space : space + text;
}
