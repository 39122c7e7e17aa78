import type { Measure, Study, Table } from "../studies/index.ts";
import {
  combinations,
  labelsOn,
  type MeasuredRun,
  matches,
  type Summary,
  summarise,
  titleOfLabel,
  titleOfMeasure,
  valueFor,
} from "../studies/index.ts";
import { InputError } from "../util/errors.ts";
import { type EncoderLabel, encoderLabel } from "./encoder-label.ts";
import { type Significance, significanceAmong } from "./significance.ts";

/** What stands at a row and a column. */
export interface Cell {
  readonly summary: Summary;
  readonly measure: Measure;
  /** How often a difference to the baseline at least this large would come about if there were none. */
  readonly p?: number;
}

export interface Column {
  /** As published figures name it. */
  readonly id: string;
  readonly title: string;
}

/** Our figures, or those of a publication. */
export type Row =
  | {
      readonly kind: "ours";
      readonly titles: readonly string[];
      readonly encoder: EncoderLabel;
      readonly cells: readonly (Cell | undefined)[];
    }
  | {
      readonly kind: "paper";
      readonly source: string;
      readonly encoder: string;
      readonly cells: readonly (number | undefined)[];
    };

export interface BuiltTable {
  readonly title: string;
  readonly rowAxes: readonly string[];
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** The titles of the baseline, where rows were compared. */
  readonly baseline?: string;
}

/** Puts results in rows and columns; of runs that differ in their seed only, the mean. */
export function buildTable(plan: Table, study: Study, measured: readonly MeasuredRun[]): BuiltTable {
  const path = `table "${plan.title}"`;
  const runs = measured.filter(({ place }) => matches(place, plan.where));
  assertOnlySeedsMixed(runs, [...plan.rows, ...plan.columns], path);
  const places = runs.map(({ place }) => place);
  const columns = columnsOf(plan, study, places);
  const significance = significanceAmong(runs.map(({ result }) => result));
  const rows = combinations(places, plan.rows, study).map((labels) => {
    const members = runs.filter(({ place }) => labelsOn(place, plan.rows).join("\n") === labels.join("\n"));
    const row: Row = {
      kind: "ours",
      titles: labels.map((label, i) => titleOfLabel(plan.rows[i]!, label, study)),
      encoder: encoderLabel(members.map(({ result }) => result)),
      cells: columns.map((column) => cellOf(members, column, plan, { runs, significance })),
    };
    return { place: Object.fromEntries(plan.rows.map((axis, i) => [axis, labels[i]!])), row };
  });
  return {
    title: plan.title,
    rowAxes: plan.rows,
    columns: columns.map(({ id, title }) => ({ id, title })),
    rows: withPapers(rows, plan, columns),
    ...(plan.baseline && { baseline: Object.values(plan.baseline).flat().join(", ") }),
  };
}

interface MeasuredColumn extends Column {
  readonly labels: readonly string[];
  readonly measure: Measure;
}

function columnsOf(
  { columns, measures }: Table,
  study: Study,
  places: readonly MeasuredRun["place"][],
): MeasuredColumn[] {
  return combinations(places, columns, study).flatMap((labels) =>
    measures.map((measure) => {
      const named = labels.map((label, i) => {
        const axis = columns[i]!;
        return /^[\d.]+$/.test(label) ? `${axis} ${label}` : titleOfLabel(axis, label, study);
      });
      const alone = labels.length > 0 && measures.length === 1;
      return {
        id: [...labels, ...(alone ? [] : [measure])].join(" "),
        title: [...named, ...(alone ? [] : [titleOfMeasure(measure)])].join(", "),
        labels,
        measure,
      };
    }),
  );
}

function cellOf(
  row: readonly MeasuredRun[],
  { labels, measure }: MeasuredColumn,
  { rows, columns, baseline }: Table,
  { runs, significance }: { readonly runs: readonly MeasuredRun[]; readonly significance: Significance },
): Cell | undefined {
  const inColumn = ({ place }: MeasuredRun): boolean => labelsOn(place, columns).join("\n") === labels.join("\n");
  const members = row.filter(inColumn).map(({ result }) => result);
  const summary = summarise(members.flatMap((result) => valueFor(result, measure) ?? []));
  if (!summary) return undefined;
  if (!baseline || measure !== "test.f1") return { summary, measure };
  const others = rows.filter((axis) => !(axis in baseline));
  const like = row[0]!.place;
  const compared = runs.filter(
    (run) => inColumn(run) && matches(run.place, baseline) && others.every((axis) => run.place[axis] === like[axis]),
  );
  const p = significance(
    compared.map(({ result }) => result),
    members,
  );
  return { summary, measure, ...(p !== undefined && { p }) };
}

/** Published figures stand behind the last of our rows that they belong to, or at the end. */
function withPapers(
  rows: readonly { readonly place: MeasuredRun["place"]; readonly row: Row }[],
  { paper }: Table,
  columns: readonly Column[],
): Row[] {
  const behind = paper.map(({ row }) =>
    Object.keys(row).length === 0 ? -1 : rows.findLastIndex(({ place }) => matches(place, row)),
  );
  const published = (index: number): Row[] =>
    paper
      .filter((_, i) => behind[i] === index)
      .map(({ source, encoder, values }) => ({
        kind: "paper",
        source,
        encoder,
        cells: columns.map(({ id }) => values[id]),
      }));
  return [...rows.flatMap(({ row }, index) => [row, ...published(index)]), ...published(-1)];
}

/** Runs that do not differ on the shown axes may differ in their seed only: a mean over methods or rates would mean nothing. */
export function assertOnlySeedsMixed(runs: readonly MeasuredRun[], shown: readonly string[], path: string): void {
  const seen = new Map<string, MeasuredRun["place"]>();
  for (const { place } of runs) {
    const key = labelsOn(place, shown).join("\n");
    const other = seen.get(key) ?? place;
    seen.set(key, other);
    const mixed = [...new Set([...Object.keys(place), ...Object.keys(other)])].find(
      (axis) => axis !== "seed" && place[axis] !== other[axis],
    );
    if (mixed === undefined) continue;
    const values = [other[mixed] ?? "none", place[mixed] ?? "none"].join(" and ");
    throw new InputError(`${path}: a cell holds runs with ${mixed} ${values}; name the axis in rows, columns or where`);
  }
}
