import { quote } from "./errors.ts";

/**
 * Says what is wrong with a value from a file, with its path in it: `inputs.2.of: expected word or pair, got "x"`; nothing
 * where it is fine. For what also runs in a browser, where a library of schemas would weigh more than all the rest.
 */
export type Shape = (value: unknown, path: string) => string | undefined;

function rule(expected: string, holds: (value: unknown) => boolean): Shape {
  return (value, path) =>
    holds(value) ? undefined : `${path === "" ? "" : `${path}: `}expected ${expected}, got ${quote(value)}`;
}

export const text: Shape = rule("a text", (value) => typeof value === "string");
export const flag: Shape = rule("true or false", (value) => typeof value === "boolean");
export const finite: Shape = rule("a number", (value) => Number.isFinite(value));

export function whole(least: number, most = 2 ** 31 - 1): Shape {
  return rule(
    `a whole number from ${least} to ${most}`,
    (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
  );
}

export function oneOf(...known: readonly string[]): Shape {
  return rule(known.join(" or "), (value) => typeof value === "string" && known.includes(value));
}

export function optional(shape: Shape): Shape {
  return (value, path) => (value === undefined ? undefined : shape(value, path));
}

/** A list whose entries all have a shape; of a length where one is given. */
export function list(entry: Shape, length?: number): Shape {
  const expected = length === undefined ? "a list" : `a list of ${length}`;
  const isList = rule(expected, (value) => Array.isArray(value) && (length === undefined || value.length === length));
  return (value, path) => isList(value, path) ?? first(value as unknown[], path, entry);
}

/** An object whose values all have a shape, whatever they are called. */
export function record(entry: Shape): Shape {
  return (value, path) => object(value, path) ?? first(value as object, path, entry);
}

/** An object with these fields; others may stand beside them. */
export function fields(shapes: Readonly<Record<string, Shape>>): Shape {
  return (value, path) => {
    const wrong = object(value, path);
    if (wrong !== undefined) return wrong;
    for (const [name, shape] of Object.entries(shapes)) {
      const found = Object.hasOwn(value as object, name) ? (value as Record<string, unknown>)[name] : undefined;
      const fault = shape(found, inside(path, name));
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

const object: Shape = rule(
  "an object",
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);

function first(values: object, path: string, entry: Shape): string | undefined {
  for (const [name, value] of Object.entries(values)) {
    const fault = entry(value, inside(path, name));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function inside(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
