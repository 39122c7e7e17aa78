import type { Suspicion } from "./suspicion.ts";

/** Where a person stands after so many decisions. */
export interface ReviewPoint {
  readonly decisions: number;
  /** Places that these decisions settle: one decision may settle many. */
  readonly places: number;
  /** How many of these places are expected to be errors. */
  readonly errors: number;
}

/** More points than this cannot be told apart in a figure. */
const mostPoints = 200;

/** What to expect of going through suspicions in their order, a group at a time. */
export function reviewCurve(suspicions: readonly Suspicion[]): ReviewPoint[] {
  const groups = decisionsOf(suspicions);
  const step = Math.max(1, Math.ceil(groups.length / mostPoints));
  const points: ReviewPoint[] = [];
  let [places, errors] = [0, 0];
  for (const [number, members] of groups.entries()) {
    places += members.length;
    for (const { score } of members) errors += score;
    const decisions = number + 1;
    if (decisions % step === 0 || decisions === 1 || decisions === groups.length)
      points.push({ decisions, places, errors });
  }
  return points;
}

/** Suspicions by the decision that settles them, in the order of the first of each. */
export function decisionsOf(suspicions: readonly Suspicion[]): (readonly Suspicion[])[] {
  const groups = new Map<string, Suspicion[]>();
  for (const suspicion of suspicions) {
    const group = groups.get(suspicion.group);
    if (group) group.push(suspicion);
    else groups.set(suspicion.group, [suspicion]);
  }
  return [...groups.values()];
}
