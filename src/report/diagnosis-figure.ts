import type { Diagnosis, LengthRow, MissingEstimates, MissingShare, Sparsity } from "../evaluation/index.ts";
import { type Chart, figure, type Mark, type Point } from "./figure.ts";

/** Means of fewer sentences say little; the paper leaves them out too. */
const enoughSentences = 20;

/** The picture of a diagnosis: entities against √n, and how much is estimated to be missing. */
export function diagnosisFigure({ sparsity, missing }: Diagnosis): string {
  const sample = missing.sample;
  const untold = "because" in missing.surfaces.overall ? " (cannot be told)" : "";
  const methods: [string, MissingEstimates][] = [[`from names labelled here and not there${untold}`, missing.surfaces]];
  if (sample !== undefined) {
    methods.push(
      ["from the sample: labels for each token", sample.density],
      ["from the sample: its names", sample.names],
    );
    if (sample.recall !== undefined) methods.push(["from the sample: its sentences", sample.recall]);
  }
  const rows = rowsOf(methods);
  return figure([sparsityChart(sparsity), missingChart(methods, rows)], {
    height: Math.max(330, 100 + 24 * rows.length),
  });
}

/** Li, Liu and Shi, figure 3, with bars of one standard deviation to either side. */
function sparsityChart({ lengths }: Sparsity): Chart {
  const frequent = lengths.filter(({ sentences }) => sentences >= enoughSentences);
  const rows = frequent.length > 1 ? frequent : lengths;
  const longest = Math.max(...rows.map(({ length }) => length));
  const highest = Math.max(Math.sqrt(longest), ...rows.map(({ mean, deviation }) => mean + deviation));
  const root = Array.from({ length: 101 }, (_, i): Point => [(i / 100) ** 2 * longest, (i / 100) * Math.sqrt(longest)]);
  const counts = `annotated entities${rows === frequent ? ` (lengths with at least ${enoughSentences} sentences)` : ""}`;
  const bars = rows.flatMap(({ length, mean, deviation }: LengthRow): Point[] => [
    [length, Math.max(0, mean - deviation)],
    [length, mean + deviation],
  ]);
  return {
    title: "Entities of a sentence, by its length",
    x: { label: "tokens", domain: [0, longest + 1] },
    y: { label: "entities", domain: [0, highest * 1.05] },
    marks: [
      { name: counts, kind: "ranges", points: bars },
      { name: counts, kind: "points", points: rows.map(({ length, mean }): Point => [length, mean]) },
      { name: "square root of the length", kind: "line", points: root },
    ],
  };
}

function rowsOf(methods: readonly [string, MissingEstimates][]): string[] {
  return ["all types", ...[...new Set(methods.flatMap(([, { byType }]) => Object.keys(byType)))].sort()];
}

function missingChart(methods: readonly [string, MissingEstimates][], rows: readonly string[]): Chart {
  const marks = methods.flatMap(([name, { overall, byType }], method): Mark[] => {
    const shift = ((method + 1) / (methods.length + 1) - 0.5) * 0.8;
    const known = rows.flatMap((row, i): { estimate: MissingShare; y: number }[] => {
      const estimate = i === 0 ? overall : byType[row];
      // Rows go down the page, values of an axis up.
      return estimate?.missing === undefined ? [] : [{ estimate, y: rows.length - 1 - i - shift }];
    });
    const ranges = known.flatMap(({ estimate, y }): Point[] => [
      [100 * estimate.low, y],
      [100 * estimate.high, y],
    ]);
    const middles = known.map(({ estimate, y }): Point => [100 * estimate.missing, y]);
    return [
      { name, kind: "ranges", points: ranges },
      { name, kind: "points", points: middles },
    ];
  });
  return {
    title: "Estimated share of missing entities",
    x: { label: "% missing, with 95 % intervals", domain: [0, 100] },
    y: {
      label: "type",
      domain: [-0.6, rows.length - 0.4],
      ticks: rows.map((label, i) => ({ at: rows.length - 1 - i, label })),
    },
    marks,
  };
}
