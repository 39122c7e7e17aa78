import type { LabelReport, Matcher, SurfaceReport } from "../lexicon/index.ts";
import type { CorpusSize } from "../text/index.ts";
import { quote } from "../util/errors.ts";
import { grouped } from "./progress.ts";
import { list } from "./table.ts";
import { columnsOf, shortened } from "./terminal.ts";
import { plural } from "./watch.ts";

/** What a person has to look at after labelling, as lines: what has most labels, and what may be wrong. */
export function describeReport(report: LabelReport, limit: number): string[] {
  const { surfaces, types, frequent, suspicious, ambiguous, neverMatched } = report;
  const unfound = surfaces.total - surfaces.matched;
  const labelled = frequent.filter(({ labels }) => labels > 0).slice(0, limit);
  const unclear = ambiguous.filter(({ matches }) => matches > 0).slice(0, limit);
  return [
    `labels: ${counts(types)}; matches: ${counts(report.outcomes)}`,
    ...section("most labels", labelled, ({ labels }) => plural(labels, "label")),
    ...section(
      "suspicious, to look at (--stop FILE keeps surfaces from labelling)",
      suspicious.slice(0, limit),
      ({ labels, reason }) => [plural(labels, "label"), reason],
    ),
    ...section("several types, left unknown (--conflicts says what they become)", unclear, ({ matches }) =>
      plural(matches, "match", "matches"),
    ),
    ...(unfound === 0 ? [] : [describeUnfound(unfound, surfaces.total, neverMatched.slice(0, limit))]),
  ];
}

function section<S extends SurfaceReport>(
  title: string,
  surfaces: readonly S[],
  more: (surface: S) => string | string[],
): string[] {
  if (surfaces.length === 0) return [];
  const width = columnsOf(process.stderr);
  const rows = surfaces.map((each) => [shortened(each.surface, 30), each.types.join(", "), ...[more(each)].flat()]);
  return [`${title}:`, ...list(rows, { width })];
}

function describeUnfound(unfound: number, total: number, examples: readonly string[]): string {
  const names = examples.map((text) => quote(shortened(text, 30))).join(", ");
  return `never found: ${grouped(unfound)} of ${plural(total, "surface")}${names === "" ? "" : `, such as ${names}`}`;
}

function counts(byName: Readonly<Record<string, number>>): string {
  const known = Object.entries(byName).filter(([, count]) => count > 0);
  return known.map(([name, count]) => `${grouped(count)} ${name}`).join(", ") || "none";
}

/** Why nothing was labelled, as far as it can be told; `undefined` when something was. */
export function describeNothing(report: LabelReport, size: CorpusSize, matcher: Matcher): string | undefined {
  const { outcomes, surfaces, neverMatched } = report;
  if (outcomes.entity > 0) return undefined;
  const because = (text: string): string => `no entity was labelled: ${text}`;
  if (size.tokens === 0) return because("the input holds no text");
  const matches = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  if (outcomes.unsure > 0 && outcomes.unsure === matches)
    return because("the dictionaries have no types (--unsure), so matches are undecided");
  const { folding, types } = matcher.automaton.header;
  const turned =
    types.length > 20 && 2 * types.length > surfaces.total
      ? [`the dictionary names ${plural(types.length, "type")}: its columns may stand the other way round (--columns)`]
      : [];
  if (matches > 0) {
    const all = `${plural(matches, "match stays", "matches stay")} unknown, ${reasons(outcomes)}`;
    return because([...turned, all].join("; "));
  }
  const causes = [
    ...turned,
    ...(folding.case ? [] : ["letter case may differ (--ignore-case)"]),
    "the text may be in another language or encoding (--encoding, --dict-encoding)",
    `compare the entries with the text: ${neverMatched.slice(0, 3).map(quote).join(", ")}`,
  ];
  return because(`none of ${plural(surfaces.total, "surface")} stands in the text; ${causes.join("; ")}`);
}

function reasons(outcomes: LabelReport["outcomes"]): string {
  const { ambiguous, refused, overlapped, settled, unsure } = outcomes;
  const parts: [number, string][] = [
    [refused, "on the stop list, too short or too long (--stop, --min-length, --max-words)"],
    [ambiguous, "of several types (--conflicts candidates or priority)"],
    [settled, "where the input is annotated already (--replace)"],
    [overlapped, "beaten by a longer match (--overlaps)"],
    [unsure, "without a type (--unsure)"],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, text]) => `${grouped(count)} ${text}`)
    .join(", ");
}
