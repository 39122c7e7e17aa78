import { oneLine, visible } from "./visible.ts";

/** Where in an input something was found; both parts are optional because not all input is a file with lines. */
export interface Place {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/** More than this is no message; the beginning says what is wrong. */
const longestMessage = 2000;

/** Bad input or bad usage: the caller can mend it. One line: what, where, which rule, which value, what to do. Exit code 2. */
export class InputError extends Error {
  readonly place: Place;

  constructor(message: string, place: Place = {}) {
    super(`${prefix(place)}${oneLine(message, longestMessage)}`);
    this.name = "InputError";
    this.place = place;
  }
}

function prefix({ file, line }: Place): string {
  if (file === undefined) return line === undefined ? "" : `line ${line}: `;
  const name = oneLine(file);
  return line === undefined ? `${name}: ` : `${name}:${line}: `;
}

/** What a quoted value takes in a message at most. */
const longestValue = 80;

/** A value quoted for an error message: short, on one line, without characters that steer a terminal. */
export function quote(value: unknown): string {
  const text = visible(beginningOf(value, longestValue + 1));
  return text.length > longestValue ? `${text.slice(0, 77)}…${typeof value === "string" ? '"' : ""}` : text;
}

/** The JSON of a value as far as it is needed: values of any size and depth are looked at no further than that. */
function beginningOf(value: unknown, length: number): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, length));
  if (typeof value !== "object" || value === null) return String(value);
  const isList = Array.isArray(value);
  let text = isList ? "[" : "{";
  const keys = isList ? value.keys() : Object.keys(value);
  for (const key of keys) {
    if (text.length > 1) text += ",";
    if (!isList) text += `${beginningOf(String(key), length)}:`;
    if (text.length >= length) return text;
    text += beginningOf((value as Record<PropertyKey, unknown>)[key], length - text.length);
    if (text.length >= length) return text;
  }
  return text + (isList ? "]" : "}");
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  if (error instanceof RangeError && error.message.startsWith("Maximum call stack")) return "it is nested too deeply";
  return error instanceof Error ? error.message : String(error);
}

/** More names than this are no help. */
const mostNames = 60;

/** `"rat" (known: rate, maxWidth)`: a name that was not found beside those that exist. */
export function unknownName(name: string, known: Iterable<string>): string {
  const names = [...known];
  const listed = names.slice(0, mostNames).map((each) => (each.length > longestValue ? quote(each) : each));
  const rest = names.length > mostNames ? `, and ${names.length - mostNames} more` : "";
  return `${quote(name)} (known: ${listed.join(", ")}${rest})`;
}
