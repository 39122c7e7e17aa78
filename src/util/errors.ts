/** Where in an input something was found; both parts are optional because not all input is a file with lines. */
export interface Place {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/** Bad input or bad usage: the caller can mend it. One line: what, where, which rule, which value, what to do. Exit code 2. */
export class InputError extends Error {
  readonly place: Place;

  constructor(message: string, place: Place = {}) {
    super(`${prefix(place)}${message.replaceAll(/\s*\n\s*/g, " ")}`);
    this.name = "InputError";
    this.place = place;
  }
}

function prefix({ file, line }: Place): string {
  if (file === undefined) return line === undefined ? "" : `line ${line}: `;
  return line === undefined ? `${file}: ` : `${file}:${line}: `;
}

/** A value quoted for an error message: short, on one line. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}…${typeof value === "string" ? '"' : ""}` : text;
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** `"rat" (known: rate, maxWidth)`: a name that was not found beside those that exist. */
export function unknownName(name: string, known: Iterable<string>): string {
  return `${quote(name)} (known: ${[...known].join(", ")})`;
}
