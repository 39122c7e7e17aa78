import { type Audit, decisionsOf, type MissingEstimate, type Suspicion, suspicionKinds } from "../audit/index.ts";
import { grouped } from "./progress.ts";
import { table } from "./table.ts";
import { shortened, wrapped } from "./terminal.ts";
import { plural } from "./watch.ts";

export interface AuditReportOptions {
  /** How many decisions are shown. */
  readonly examples: number;
}

/** An audit for the terminal: how much is suspected, how much is missing, and the first decisions. */
export function describeAudit({ suspicions, missing, calibrated }: Audit, { examples }: AuditReportOptions): string {
  const decisions = decisionsOf(suspicions);
  return [
    wrapped(
      `${plural(suspicions.length, "place is", "places are")} suspected; ${plural(decisions.length, "decision settles", "decisions settle")} them.`,
    ),
    kindTable(suspicions),
    describeMissing(missing, calibrated),
    describeDecisions(decisions.slice(0, examples)),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function kindTable(suspicions: readonly Suspicion[]): string {
  const rows = suspicionKinds.flatMap((kind) => {
    const own = suspicions.filter((suspicion) => suspicion.kind === kind);
    if (own.length === 0) return [];
    const expected = own.reduce((sum, { score }) => sum + score, 0);
    return [[kind, grouped(own.length), grouped(decisionsOf(own).length), grouped(Math.round(expected))]];
  });
  return rows.length === 0 ? "" : table([["kind", "places", "decisions", "expected errors"], ...rows]);
}

function describeMissing(missing: readonly MissingEstimate[], calibrated: boolean): string {
  const count = (value: number): string => grouped(Math.round(value));
  const rows = missing.map(({ type, labelled, missing: expected, low, high }) => [
    type,
    grouped(labelled),
    count(expected),
    `${count(low)} to ${count(high)}`,
  ]);
  const source = calibrated
    ? "calibrated on dev"
    : "not calibrated: scores and interval rest on the given labels alone; --dev FILE calibrates them";
  return [
    wrapped(`Expected to be missing, with 95 % intervals (${source})`),
    table([["type", "labelled", "missing", "interval"], ...rows]),
  ].join("\n");
}

function describeDecisions(decisions: readonly (readonly Suspicion[])[]): string {
  return decisions.map(describeDecision).join("\n");
}

/** `missing  PER “Ana Lopes”, 14 places, 0.93`, and the first reasons below. */
function describeDecision(members: readonly Suspicion[]): string {
  const [first] = members as [Suspicion];
  const { kind, type, text, given, score, document, start } = first;
  const suggestion = `${type} ${quoted(text)}`;
  const what = {
    missing: suggestion,
    wrong: suggestion,
    type: `${quoted(text)} is ${given?.type}, rather ${type}`,
    boundary: `rather ${suggestion}`,
  }[kind];
  const places = members.length === 1 ? "" : `, ${plural(members.length, "place")}`;
  const where = `document ${typeof document === "number" ? document : JSON.stringify(document)}, character ${grouped(start)}`;
  return [
    wrapped(`  ${kind}: ${what}${places}, score ${score.toFixed(2)} (${where})`, { indent: "  " }),
    ...first.reasons.slice(0, 2).map((reason) => wrapped(`    ${reason}`, { indent: "  " })),
  ].join("\n");
}

function quoted(text: string): string {
  return `“${shortened(text.replaceAll(/\s+/gu, " "), 40)}”`;
}

/** Counts and estimates, for JSON. */
export function summaryOf({ suspicions, missing, calibrated, review }: Audit): object {
  return {
    places: suspicions.length,
    decisions: decisionsOf(suspicions).length,
    byKind: Object.fromEntries(
      suspicionKinds.map((kind) => [kind, suspicions.filter((suspicion) => suspicion.kind === kind).length]),
    ),
    calibrated,
    missing,
    review,
  };
}
