import { join } from "node:path";
import { InputError, unknownName } from "../util/errors.ts";
import { axisLabels, type PlannedRun, plannedRuns } from "./grid.ts";
import { readStudy, type Study } from "./study.ts";
import type { Selection } from "./table-schema.ts";

/** A study that was read and checked, with its runs. */
export interface OpenStudy {
  readonly study: Study;
  readonly runs: readonly PlannedRun[];
  /** Where it was read from. */
  readonly file: string;
}

/** Reads the study of a folder. What its tables and figures ask for is checked now, not after hours of training. */
export async function openStudy(folder: string): Promise<OpenStudy> {
  const file = join(folder, "study.yaml");
  const study = await readStudy(file);
  const runs = plannedRuns(study, file);
  assertLayout(study, file);
  return { study, runs, file };
}

/** A misspelt axis or value would select nothing and say nothing. */
export function assertLayout(study: Study, file: string): void {
  const check = selectionCheck(study, { file, what: "study" });
  const axes = (names: readonly string[]): Selection => Object.fromEntries(names.map((name) => [name, []]));
  study.tables.forEach(({ rows, columns, where, baseline = {}, paper }, i) => {
    check(axes(rows), `tables.${i}.rows`);
    check(axes(columns), `tables.${i}.columns`);
    check(where, `tables.${i}.where`);
    check(baseline, `tables.${i}.baseline`);
    paper.forEach(({ row }, j) => {
      check(row, `tables.${i}.paper.${j}.row`);
    });
  });
  study.figures.forEach(({ x, series, panels, where }, i) => {
    if (x !== "epoch") check(axes([x]), `figures.${i}.x`);
    check(axes(series), `figures.${i}.series`);
    if (panels !== undefined) check(axes([panels]), `figures.${i}.panels`);
    check(where, `figures.${i}.where`);
  });
}

/** Refuses values that a study does not have; `what` the file should be and `path`, where they stand in it, are for errors. */
export function selectionCheck(
  study: Study,
  { file, what }: { readonly file: string; readonly what: string },
): (wanted: Selection, path: string) => void {
  const known = axisLabels(study);
  return (wanted, path) => {
    for (const [axis, labels] of Object.entries(wanted)) {
      const values = known.get(axis);
      if (!values) {
        throw new InputError(`not a ${what}: ${path}: unknown axis ${unknownName(axis, known.keys())}`, { file });
      }
      for (const label of labels) {
        if (values.includes(label)) continue;
        throw new InputError(`not a ${what}: ${path}.${axis}: unknown ${unknownName(label, values)}`, { file });
      }
    }
  };
}
