import { encoderInput } from "../encoders/index.ts";
import { InputError, quote } from "../util/errors.ts";

/** Settings by name, as a settings file holds them: nested, incomplete, checked by the schema of all settings. */
export type SettingsInput = Readonly<Record<string, unknown>>;

/** Settings over settings; a part given by name alone keeps the options below it. */
export function merge(below: SettingsInput, above: SettingsInput): Record<string, unknown> {
  const result = new Map(Object.entries(below));
  for (const [key, value] of Object.entries(above)) {
    const before = result.get(key);
    if (key === "encoder") result.set(key, mergeValues(encoderInput(before), encoderInput(value)));
    // `by-type` is no part with options: shifts by type take its place.
    else if (key === "shift" && typeof before === "string") result.set(key, value);
    else result.set(key, mergeValues(before, value));
  }
  return Object.fromEntries(result);
}

/** `a.b=value` as settings; the value is read as JSON where it can be, else as text. */
export function settingOf(assignment: string): Record<string, unknown> {
  const equals = assignment.indexOf("=");
  const path = assignment.slice(0, equals).trim();
  if (equals < 1 || path === "") throw new InputError(`--set: expected key=value, got ${quote(assignment)}`);
  return settingAt(path, parseValue(assignment.slice(equals + 1)));
}

/** One setting by its path: `a.b` and a value as `{ a: { b: value } }`. */
export function settingAt(path: string, value: unknown): Record<string, unknown> {
  const [last, ...outer] = path.split(".").reverse() as [string, ...string[]];
  return outer.reduce<Record<string, unknown>>((inner, key) => ({ [key]: inner }), { [last]: value });
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function mergeValues(below: unknown, above: unknown): unknown {
  if (typeof above === "string" && isRecord(below) && below.name === above) return below;
  if (!isRecord(above)) return above;
  if (Array.isArray(below)) return mergeItems(below, above);
  if (typeof below === "string" && !("name" in above)) return { name: below, ...above };
  if (!isRecord(below)) return above;
  const another = above.name !== undefined && below.name !== undefined && above.name !== below.name;
  return another ? above : merge(below, above);
}

/** Options for members of a list, by their name or number: `encoder.sources.transformer.train=all`. */
function mergeItems(below: readonly unknown[], above: SettingsInput): unknown {
  const result = [...below];
  for (const [key, value] of Object.entries(above)) {
    const at = below.findIndex((item, i) => String(i) === key || (isRecord(item) ? item.name : item) === key);
    if (at < 0) return above;
    result[at] = mergeValues(below[at], value);
  }
  return result;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
