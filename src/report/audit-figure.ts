import type { ReviewPoint } from "../audit/index.ts";
import { type Chart, figure, type Point } from "./figure.ts";

/** The picture of an audit: how precise the list is expected to be, and how many errors a person finds with it. */
export function auditFigure(review: readonly ReviewPoint[]): string {
  return figure([precisionChart(review), errorsChart(review)]);
}

function precisionChart(review: readonly ReviewPoint[]): Chart {
  const points = review.map(({ places, errors }): Point => [places, (100 * errors) / places]);
  return {
    title: "Expected precision of the list",
    x: { label: "places reviewed", domain: [0, Math.max(1, review.at(-1)?.places ?? 0)] },
    y: { label: "% of them errors", domain: [0, 100] },
    marks: [{ name: "places reviewed so far, best first", kind: "line", points }],
  };
}

function errorsChart(review: readonly ReviewPoint[]): Chart {
  const last = review.at(-1) ?? { decisions: 1, places: 1, errors: 1 };
  const start: Point = [0, 0];
  const found = review.map(({ decisions, errors }): Point => [decisions, errors]);
  return {
    title: "Errors that decisions are expected to settle",
    x: { label: "decisions", domain: [0, Math.max(1, last.decisions)] },
    y: { label: "errors", domain: [0, Math.max(1, last.errors)] },
    marks: [
      { name: "best decisions first", kind: "line", points: [start, ...found] },
      { name: "in random order", kind: "line", points: [start, [last.decisions, last.errors]] },
    ],
  };
}
