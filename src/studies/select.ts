import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { InputError, quote, unknownName } from "../util/errors.ts";
import type { PlannedRun } from "./grid.ts";

/** The folder of a study, given by its path or by its name below one of the roots. */
export function findStudy(name: string, roots: readonly string[]): string {
  const isStudy = (folder: string): boolean => existsSync(join(folder, "study.yaml"));
  const found = [name, ...roots.map((root) => join(root, name))].find(isStudy);
  if (found !== undefined) return found;
  const known = roots
    .filter((root) => existsSync(root))
    .flatMap((root) => readdirSync(root).filter((each) => isStudy(join(root, each))));
  throw new InputError(`experiment: no folder with a study.yaml and no study ${unknownName(name, new Set(known))}`);
}

/** The runs that pass all filters `axis=value,…`: those with one of the values on the axis. */
export function chosenRuns(runs: readonly PlannedRun[], filters: readonly string[]): PlannedRun[] {
  const parsed = filters.map((text) => parseFilter(text, runs));
  return runs.filter(({ place }) => parsed.every(({ axis, values }) => values.includes(place[axis] ?? "")));
}

interface Filter {
  readonly axis: string;
  readonly values: readonly string[];
}

function parseFilter(text: string, runs: readonly PlannedRun[]): Filter {
  const equals = text.indexOf("=");
  if (equals < 1) throw new InputError(`--only: expected AXIS=VALUE, such as seed=1, got ${quote(text)}`);
  const axis = text.slice(0, equals);
  const known = new Set(runs.flatMap(({ place }) => place[axis] ?? []));
  if (known.size === 0) {
    throw new InputError(
      `--only: unknown axis ${unknownName(axis, new Set(runs.flatMap(({ place }) => Object.keys(place))))}`,
    );
  }
  return { axis, values: valuesIn(text.slice(equals + 1), axis, known) };
}

/** Values between commas; a value that has commas itself is taken as a whole. */
function valuesIn(text: string, axis: string, known: ReadonlySet<string>): string[] {
  const values: string[] = [];
  let rest = text.split(",");
  while (rest.length > 0) {
    const sizes = rest.map((_, i) => rest.length - i);
    const size = sizes.find((each) => known.has(rest.slice(0, each).join(",")));
    if (size === undefined) throw new InputError(`--only: ${axis} has no value ${unknownName(rest[0]!, known)}`);
    values.push(rest.slice(0, size).join(","));
    rest = rest.slice(size);
  }
  return values;
}
