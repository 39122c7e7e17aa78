import type { FigurePlan, Measure, Result, Study } from "../studies/index.ts";
import {
  combinations,
  labelsOn,
  type MeasuredRun,
  matches,
  summarise,
  titleOfLabel,
  titleOfMeasure,
  valueFor,
} from "../studies/index.ts";
import { InputError } from "../util/errors.ts";
import { type Chart, figure, type Mark, type Point } from "./figure.ts";

/** The figure of a study as SVG; nothing while its runs do not have results at two places of the axis. */
export function studyFigure(plan: FigurePlan, study: Study, measured: readonly MeasuredRun[]): string | undefined {
  const { name, panels, where } = plan;
  const path = `figure "${name}"`;
  const panelAxes = panels === undefined ? [] : [panels];
  const runs = measured.filter(({ place }) => matches(place, where));
  const groups = combinations(
    runs.map(({ place }) => place),
    panelAxes,
    study,
  );
  const charts = groups.flatMap((labels) => {
    const members = runs.filter(({ place }) => labelsOn(place, panelAxes).join() === labels.join());
    const marks = marksOf(members, plan, study, path);
    // A single place on the axis makes no curve.
    if (new Set(marks.flatMap(({ points }) => points.map(([at]) => at))).size < 2) return [];
    const title = [plan.title, ...labels.map((label, i) => titleOfLabel(panelAxes[i]!, label, study))].join(", ");
    return [chartOf(title, marks, plan)];
  });
  return charts.length === 0 ? undefined : figure(charts);
}

function marksOf(runs: readonly MeasuredRun[], plan: FigurePlan, study: Study, path: string): Mark[] {
  const { series, x } = plan;
  const names = combinations(
    runs.map(({ place }) => place),
    series,
    study,
  );
  const lines = names.flatMap((labels) => plan.y.map((y) => ({ labels, y })));
  return lines.flatMap(({ labels, y }) => {
    const measure = plan.y.length === 1 ? [] : [titleOfMeasure(y)];
    const name = [...labels.map((label, i) => titleOfLabel(series[i]!, label, study)), ...measure].join(", ");
    const members = runs.filter(({ place }) => labelsOn(place, series).join("\n") === labels.join("\n"));
    const values = new Map<number, number[]>();
    for (const run of members) {
      for (const [at, value] of pointsOf(run, x, y, path)) values.set(at, [...(values.get(at) ?? []), value]);
    }
    const places = [...values].sort(([a], [b]) => a - b).map(([at, each]) => ({ at, ...summarise(each)! }));
    if (places.length === 0) return [];
    const points = places.map(({ at, mean }): Point => [at, mean]);
    const ranges = places.flatMap(({ at, mean, deviation }): Point[] =>
      deviation === undefined
        ? []
        : [
            [at, mean - deviation],
            [at, mean + deviation],
          ],
    );
    const marks: Mark[] = [
      { name, kind: "line", points },
      { name, kind: "points", points },
    ];
    return ranges.length === 0 ? marks : [...marks, { name, kind: "ranges", points: ranges }];
  });
}

function pointsOf({ place, result }: MeasuredRun, x: string, y: Measure, path: string): Point[] {
  if (x === "epoch") return result.epochs.flatMap((epoch): Point[] => epochPoint(epoch, y, path));
  const label = place[x];
  const value = valueFor(result, y);
  if (label === undefined || value === undefined) return [];
  const at = Number(label);
  if (Number.isNaN(at)) throw new InputError(`${path}: the values of axis ${x} must be numbers, got "${label}"`);
  return [[at, value]];
}

function epochPoint(epoch: Result["epochs"][number], y: Measure, path: string): Point[] {
  const [set, score] = y.split(".") as [string, "precision" | "recall" | "f1"];
  const value = y === "missampling" ? epoch.missampling : set === "dev" ? epoch[score] : null;
  if (value === null)
    throw new InputError(`${path}: by epoch there are dev.precision, dev.recall, dev.f1 and missampling, not ${y}`);
  return value === undefined ? [] : [[epoch.epoch, 100 * value]];
}

function chartOf(title: string, marks: readonly Mark[], { x, y }: FigurePlan): Chart {
  const points = marks.flatMap((mark) => mark.points);
  return {
    title,
    x: {
      label: x === "rate" ? "share of annotations hidden" : x,
      domain: extent(points.map(([at]) => at)),
    },
    y: {
      label: y.length === 1 ? `${titleOfMeasure(y[0]!)}${y[0]!.includes(".") ? ", %" : ""}` : "per cent",
      // A mean less its deviation may lie below 0, a score cannot.
      domain: chartDomain(points.map(([, value]) => Math.max(0, value))),
    },
    marks,
  };
}

function extent(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)];
}

/** From the lowest to the highest value, widened to a tenth of a power of ten; what has no negative values shows none. */
export function chartDomain(values: readonly number[]): [number, number] {
  const [low, high] = extent(values);
  const unit = 10 ** Math.floor(Math.log10(Math.max(high - low, 1e-3)));
  return [Math.floor(low / unit) * unit, Math.ceil(high / unit) * unit];
}
