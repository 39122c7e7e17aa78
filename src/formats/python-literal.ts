import { InputError, quote } from "../util/errors.ts";

/** What the small part of Python's literals that data files use can hold. Tuples and lists both become arrays. */
export type PythonValue = string | number | boolean | null | readonly PythonValue[];

/** Reads a literal of strings, numbers, True, False, None, lists and tuples, and nothing else: no code is ever run. */
export function parsePythonLiteral(source: string): PythonValue {
  const reader = { source, at: 0 };
  const value = readValue(reader, 0);
  skipSpace(reader);
  if (reader.at < source.length) refuse(reader, "the end");
  return value;
}

interface Reader {
  readonly source: string;
  at: number;
}

const deepest = 64;
const closing: Readonly<Record<string, string>> = { "[": "]", "(": ")" };
const names: Readonly<Record<string, PythonValue>> = { True: true, False: false, None: null };

function readValue(reader: Reader, depth: number): PythonValue {
  if (depth > deepest) throw new InputError(`a Python literal is nested more than ${deepest} deep`);
  skipSpace(reader);
  const character = reader.source[reader.at] ?? "";
  if (closing[character] !== undefined) return readItems(reader, closing[character], depth);
  if (character === "'" || character === '"') return readString(reader);
  const pattern = /[uU](?=['"])|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|True|False|None/y;
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.source)?.[0];
  if (found === undefined) return refuse(reader, "a string, a number, a list or a tuple");
  reader.at += found.length;
  if (/^u$/i.test(found)) return readString(reader);
  return Object.hasOwn(names, found) ? names[found]! : Number(found);
}

function readItems(reader: Reader, end: string, depth: number): PythonValue {
  reader.at++;
  const items: PythonValue[] = [];
  let commas = 0;
  for (;;) {
    skipSpace(reader);
    if (reader.source[reader.at] === end) break;
    if (items.length > commas) refuse(reader, `"," or "${end}"`);
    items.push(readValue(reader, depth + 1));
    skipSpace(reader);
    if (reader.source[reader.at] === ",") {
      commas++;
      reader.at++;
    }
  }
  reader.at++;
  const isParenthesised = end === ")" && items.length === 1 && commas === 0;
  return isParenthesised ? items[0]! : items;
}

const simpleEscapes: Readonly<Record<string, string>> = {
  "\n": "",
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

function readString(reader: Reader): string {
  const { source } = reader;
  const mark = source[reader.at]!;
  const pieces: string[] = [];
  let start = ++reader.at;
  while (source[reader.at] !== mark) {
    if (reader.at >= source.length || source[reader.at] === "\n") refuse(reader, `the closing ${mark} of a string`);
    if (source[reader.at] === "\\") {
      pieces.push(source.slice(start, reader.at), readEscape(reader));
      start = reader.at;
    } else reader.at++;
  }
  pieces.push(source.slice(start, reader.at));
  reader.at++;
  return pieces.join("");
}

function readEscape(reader: Reader): string {
  const pattern = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|([^xuUN]))/sy;
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.source);
  if (found === null) return refuse(reader, "an escape of Python");
  reader.at += found[0].length;
  const [, short, unicode, long, octal, single] = found;
  const hexadecimal = short ?? unicode ?? long;
  if (single !== undefined) return simpleEscapes[single] ?? found[0];
  const codePoint = hexadecimal === undefined ? Number.parseInt(octal!, 8) : Number.parseInt(hexadecimal, 16);
  if (codePoint > 0x10ffff) refuse(reader, "a code point up to 10FFFF");
  return String.fromCodePoint(codePoint);
}

function skipSpace(reader: Reader): void {
  while (/\s/.test(reader.source[reader.at] ?? "")) reader.at++;
}

function refuse(reader: Reader, expected: string): never {
  const rest = reader.source.slice(reader.at, reader.at + 20);
  throw new InputError(`expected ${expected} at character ${reader.at + 1} of a Python literal, got ${quote(rest)}`);
}

/** A string as Python writes it. */
export function pythonString(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replaceAll(/[\\\p{Cc}\p{Cs}\u2028\u2029]|['"]/gu, (character) => {
    if (character === "'" || character === '"') return character === mark ? `\\${character}` : character;
    const known = written[character];
    if (known !== undefined) return known;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return `${mark}${escaped}${mark}`;
}

const written: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
