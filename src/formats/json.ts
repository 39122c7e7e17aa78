import { InputError, messageOf } from "../util/errors.ts";
import { deepestNesting } from "../util/json.ts";
import { checkUtf8, unmarkedChunks } from "./lines.ts";
import type { Source } from "./source.ts";

/** One JSON value of a file, and the line on which it begins. */
export interface JsonValue {
  readonly value: unknown;
  readonly line: number;
}

/**
 * The values of a JSON-lines file, or the elements of a file that is one JSON array, one at a time: the memory is that
 * of the largest value. An array of a string and something else is a value, not a list of values.
 */
export async function* jsonValues(source: Source): AsyncGenerator<JsonValue, void, undefined> {
  const cutter = valueCutter(source.name);
  for await (const chunk of unmarkedChunks(source)) {
    for (const piece of cutter.cut(chunk)) yield parse(piece, source.name);
  }
  cutter.end();
}

interface Piece {
  readonly bytes: Buffer;
  readonly line: number;
}

function parse({ bytes, line }: Piece, file: string): JsonValue {
  checkUtf8(bytes, file, line);
  try {
    return { value: JSON.parse(bytes.toString("utf8")), line };
  } catch (error) {
    throw new InputError(`not valid JSON: ${messageOf(error)}`, { file, line });
  }
}

const code = {
  newline: 0x0a,
  quote: 0x22,
  comma: 0x2c,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
} as const;

/**
 * Where the values stand: one after the other, or as elements of one list. An opening bracket at the beginning does not
 * tell (`undecided`); what follows it does.
 */
type Layout = "unseen" | "undecided" | "list" | "list over" | "sequence";

/** Finds where values begin and end by counting brackets outside strings; what is in them is left to the JSON parser. */
function valueCutter(file: string): { cut(chunk: Buffer): Piece[]; end(): void } {
  let layout: Layout = "unseen";
  let line = 1;
  let startLine = 1;
  let depth = 0;
  let inString = false;
  let escaped = false;
  let lineStart = true;
  let held: Buffer[] = [];

  const fail = (message: string, where = line): never => {
    throw new InputError(`not valid JSON: ${message}`, { file, line: where });
  };

  /** Looks at a byte between values; true when a value begins with it. */
  const begins = (byte: number): boolean => {
    if (isSpace(byte)) return false;
    const opens = byte === code.openBrace || byte === code.openBracket;
    if (layout === "undecided") {
      layout = opens || byte === code.closeBracket ? "list" : "sequence";
      if (layout === "sequence") {
        held.push(Buffer.from("["));
        return true;
      }
    }
    if (layout === "unseen") {
      layout = byte === code.openBracket ? "undecided" : "sequence";
      startLine = line;
      if (layout === "undecided") return false;
    }
    if (layout === "list" && (byte === code.comma || byte === code.closeBracket)) {
      if (byte === code.closeBracket) layout = "list over";
      return false;
    }
    if (layout === "list over") fail("there is more after the end of the list");
    if (!opens) fail(`expected an object or a list, got ${JSON.stringify(String.fromCharCode(byte))}`);
    startLine = line;
    return true;
  };

  const cut = (chunk: Buffer): Piece[] => {
    const pieces: Piece[] = [];
    let start = 0;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === code.backslash) escaped = true;
        else if (byte === code.quote) inString = false;
        else if (byte === code.newline) fail("a line break inside a string");
      } else if (depth === 0) {
        if (begins(byte)) {
          start = i;
          depth = 1;
          inString = byte === code.quote;
        }
      } else if (byte === code.quote) inString = true;
      else if (byte === code.openBrace || byte === code.openBracket) {
        if (lineStart && layout === "sequence") fail("the value does not end before the next one begins", startLine);
        if (++depth > deepestNesting) fail(`the value is nested more than ${deepestNesting} deep`, startLine);
      } else if ((byte === code.closeBrace || byte === code.closeBracket) && --depth === 0) {
        pieces.push({ bytes: Buffer.concat([...held, chunk.subarray(start, i + 1)]), line: startLine });
        held = [];
      }
      lineStart = byte === code.newline;
      if (lineStart) line++;
    }
    if (depth > 0) held.push(chunk.subarray(start));
    return pieces;
  };

  return {
    cut,
    end() {
      if (depth > 0) fail("the file ends inside the value", startLine);
      if (layout === "list" || layout === "undecided") fail("the file ends inside its list");
    },
  };
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

/**
 * The keys of the first object of a text that begins like JSON, though the text may break off anywhere; `undefined`
 * when it does not begin like JSON. For a pair of a text and an object (spaCy's old form), those of the object.
 */
export function firstKeys(head: string): ReadonlySet<string> | undefined {
  if (!/^\s*[[{]/.test(head)) return undefined;
  const keys = new Set<string>();
  let depth = 0;
  for (let i = 0; i < head.length; i++) {
    const character = head[i]!;
    if (character === '"') {
      const end = stringEnd(head, i);
      const isKey = depth === 1 && /^\s*:/.test(head.slice(end, end + 64));
      if (isKey) keys.add(head.slice(i + 1, end - 1));
      i = end - 1;
    } else if (character === "{" || (character === "[" && depth > 0)) depth++;
    else if ((character === "}" || character === "]") && depth > 0 && --depth === 0) break;
  }
  return keys;
}

function stringEnd(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
  return Math.min(end + 1, text.length);
}
