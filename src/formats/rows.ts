import { InputError, quote } from "../util/errors.ts";
import { jsonValues } from "./json.ts";
import type { Source } from "./source.ts";

/** Throws an error that begins with the file, the line and the format. */
export type Fail = (message: string) => never;

/** One record of a JSON file. */
export interface Row {
  readonly fields: Fields;
  readonly fail: Fail;
}

export type Fields = Readonly<Record<string, unknown>>;

/** The records of a JSON-lines file or of a file with one JSON list. */
export async function* jsonRows(source: Source, format: string): AsyncGenerator<Row, void, undefined> {
  for await (const { value, line } of jsonValues(source)) {
    const fail = failure(format, source.name, line);
    yield { fields: objectOf(value, "a record", fail), fail };
  }
}

export function failure(format: string, file: string, line?: number): Fail {
  return (message) => {
    throw new InputError(`${format}: ${message}`, { file, line });
  };
}

export function objectOf(value: unknown, what: string, fail: Fail): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return fail(`${what} must be an object, got ${quote(value)}`);
  }
  return value as Fields;
}

export function listOf(value: unknown, what: string, fail: Fail): readonly unknown[] {
  return Array.isArray(value) ? value : fail(`${what} must be a list, got ${quote(value)}`);
}

export function stringOf(value: unknown, what: string, fail: Fail): string {
  return typeof value === "string" ? value : fail(`${what} must be a string, got ${quote(value)}`);
}

export function stringsOf(value: unknown, what: string, fail: Fail): readonly string[] {
  return listOf(value, what, fail).map((item) => stringOf(item, `each of ${what}`, fail));
}

export function integerOf(value: unknown, what: string, fail: Fail): number {
  return Number.isInteger(value) ? (value as number) : fail(`${what} must be an integer, got ${quote(value)}`);
}

export function labelOf(value: unknown, fail: Fail): string {
  const label = stringOf(value, "a label", fail);
  return label === "" ? fail("a label is empty") : label;
}

/** A score, when there is one. */
export function scoreOf(value: unknown, fail: Fail): { score?: number } {
  if (value === undefined || value === null) return {};
  if (typeof value !== "number") return fail(`a score must be a number, got ${quote(value)}`);
  return { score: value };
}

/** An id, when there is one; tools number their records, so numbers do. */
export function idOf(value: unknown, fail: Fail): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number") return String(value);
  return stringOf(value, "an id", fail);
}

/** The first of several keys that a record has. */
export function keyOf(fields: Fields, keys: readonly string[]): string | undefined {
  return keys.find((key) => fields[key] !== undefined);
}
