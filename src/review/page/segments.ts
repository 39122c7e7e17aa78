import type { Mark } from "../model.ts";

/** What an annotation is in the passage: on the page already, doubted or to be replaced, or put forward. */
export type Role = "other" | "given" | "draft";

export interface Shown extends Mark {
  readonly role: Role;
}

/** A piece of text in which no annotation begins or ends. */
export interface Segment {
  readonly start: number;
  readonly end: number;
  /** Annotations over it, the most important last. */
  readonly marks: readonly Shown[];
  /** Annotations whose label comes after it, the innermost first. */
  readonly ending: readonly Shown[];
  /** Whether the annotation on top begins and ends with it. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

const rank: Readonly<Record<Role, number>> = { other: 0, given: 1, draft: 2 };

/** Cuts the range `[start, end)` of a text where annotations begin or end; they may overlap. */
export function segmentsOf(start: number, end: number, all: readonly Shown[]): Segment[] {
  const marks = all.filter((mark) => mark.start < end && mark.end > start);
  const within = (at: number): number => Math.min(Math.max(at, start), end);
  const cuts = [...new Set([start, end, ...marks.flatMap((mark) => [within(mark.start), within(mark.end)])])];
  cuts.sort((a, b) => a - b);
  return cuts.slice(0, -1).map((from, i) => {
    const to = cuts[i + 1]!;
    const over = marks
      .filter((mark) => mark.start < to && mark.end > from)
      .toSorted((a, b) => rank[a.role] - rank[b.role] || b.end - b.start - (a.end - a.start));
    const top = over.at(-1);
    return {
      start: from,
      end: to,
      marks: over,
      ending: marks
        .filter((mark) => within(labelPlace(mark, marks)) === to && mark.start < to)
        .toSorted((a, b) => rank[a.role] - rank[b.role] || b.start - a.start),
      isFirst: top !== undefined && within(top.start) === from,
      isLast: top !== undefined && within(top.end) === to,
    };
  });
}

/** Where the label of an annotation stands: at its end, but not in the middle of what is put forward. */
function labelPlace(mark: Shown, marks: readonly Shown[]): number {
  const around = marks.find(
    (other) => other.role === "draft" && mark.role !== "draft" && mark.end > other.start && mark.end < other.end,
  );
  return around?.end ?? mark.end;
}
