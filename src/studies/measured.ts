import { axisLabels, type PlannedRun } from "./grid.ts";
import { identityOf } from "./identity.ts";
import type { OpenStudy } from "./open-study.ts";
import type { Result, StoredResults } from "./results.ts";
import type { Study } from "./study.ts";
import type { Measure, Selection } from "./table-schema.ts";

/** A run of a study with its result. */
export interface MeasuredRun {
  readonly place: PlannedRun["place"];
  readonly result: Result;
}

/** A study with the runs of it that have results. */
export interface MeasuredStudy {
  readonly opened: OpenStudy;
  readonly measured: readonly MeasuredRun[];
  /** Results whose settings do not exist any more. */
  readonly outdated: number;
}

/** The runs that have results, in the order of the study. */
export function measuredRuns(runs: readonly PlannedRun[], { byIdentity }: StoredResults): MeasuredRun[] {
  return runs.flatMap((run) => {
    const result = byIdentity.get(identityOf(run));
    return result ? [{ place: run.place, result }] : [];
  });
}

/** True where a place has one of the wanted values on each axis, or lacks the axis where none is wanted. */
export function matches(place: PlannedRun["place"], selection: Selection): boolean {
  return Object.entries(selection).every(([axis, labels]) => {
    const label = place[axis];
    return label === undefined ? labels.length === 0 : labels.includes(label);
  });
}

/** What a result has to show: shares in per cent, time in seconds, memory in megabytes. */
export function valueFor(
  { dev, test, unshifted, epochs, seconds, memory }: Result,
  measure: Measure,
): number | undefined {
  switch (measure) {
    case "seconds":
      return seconds;
    case "memory":
      return memory / 2 ** 20;
    case "missampling": {
      const last = epochs.at(-1)?.missampling;
      return last === undefined ? undefined : 100 * last;
    }
    default: {
      const [set, score] = measure.split(".") as ["dev" | "test" | "unshifted", "precision" | "recall" | "f1"];
      const found = { dev, test, unshifted }[set]?.[score];
      return found === undefined ? undefined : 100 * found;
    }
  }
}

/** `test F1`, `test F1, unshifted`, `dev recall` */
export function titleOfMeasure(measure: Measure): string {
  if (measure === "memory") return "memory, MB";
  if (measure === "missampling") return "missampling, %";
  const [set, score = ""] = measure.replace("f1", "F1").split(".") as [string, string?];
  if (set === "unshifted") return `test ${score}, unshifted`;
  return `${set} ${score}`.trim();
}

/** Distinct combinations of labels on some axes, in the order of the axes; a run without an axis has the label "". */
export function combinations(
  places: readonly PlannedRun["place"][],
  axes: readonly string[],
  study: Study,
): string[][] {
  const known = axisLabels(study);
  const rank = (axis: string, label: string): number => known.get(axis)!.indexOf(label);
  const found = new Map(places.map((place) => [labelsOn(place, axes).join("\n"), labelsOn(place, axes)]));
  return [...found.values()].sort((a, b) => {
    const at = a.findIndex((label, i) => label !== b[i]);
    return at < 0 ? 0 : rank(axes[at]!, a[at]!) - rank(axes[at]!, b[at]!);
  });
}

export function labelsOn(place: PlannedRun["place"], axes: readonly string[]): string[] {
  return axes.map((axis) => place[axis] ?? "");
}

/** What readers see of a label: the title of a data set, a dash where a run has no value on the axis. */
export function titleOfLabel(axis: string, label: string, study: Study): string {
  if (label === "") return "–";
  return axis === "data" ? (study.data[label]?.title ?? label) : label;
}

/** Mean, and the deviation between runs where there are several. */
export interface Summary {
  readonly mean: number;
  readonly deviation?: number;
  readonly count: number;
}

export function summarise(values: readonly number[]): Summary | undefined {
  const count = values.length;
  if (count === 0) return undefined;
  const mean = values.reduce((a, b) => a + b) / count;
  if (count === 1) return { mean, count };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / (count - 1)), count };
}
