import { compareSpans, type Span } from "../text/index.ts";

/**
 * Chooses among matches that overlap. Takes all matches by start and then by end, and how strongly the dictionaries
 * prefer each (a lower rank goes first); returns those that may become labels, in the same order.
 */
export type OverlapPolicy = <M extends Span>(matches: readonly M[], rank: (match: M) => number) => M[];

/** From left to right, at each place the longest match. */
const longest: OverlapPolicy = (matches) => {
  const chosen: (typeof matches)[number][] = [];
  for (const match of matches) {
    const last = chosen.at(-1);
    if (last === undefined || match.start >= last.end) chosen.push(match);
    else if (match.start === last.start) chosen[chosen.length - 1] = match; // later at the same start is longer
  }
  return chosen;
};

/**
 * The choice without overlaps that has the largest sum of squared lengths in tokens (AutoNER, Shang et al. 2018). Of equal
 * sums, the one that takes a match further to the left, and then a longer one.
 */
const squared: OverlapPolicy = (matches) => {
  const count = matches.length;
  const best = new Float64Array(count + 1); // the largest sum that matches from this one on can reach
  const next = new Int32Array(count); // the first match that starts where this one ends, or later
  const taken = new Uint8Array(count);
  let longerTaken = false; // the best sum so far takes a match with the same start
  for (let m = count - 1; m >= 0; m--) {
    const { start, end } = matches[m]!;
    if (matches[m + 1]?.start !== start) longerTaken = false;
    next[m] = firstFrom(matches, end, m + 1);
    const sum = (end - start) ** 2 + best[next[m]!]!;
    const otherwise = best[m + 1]!;
    if (sum > otherwise || (sum === otherwise && !longerTaken)) taken[m] = 1;
    if (taken[m] === 1) longerTaken = true;
    best[m] = Math.max(sum, otherwise);
  }
  const chosen: (typeof matches)[number][] = [];
  for (let m = 0; m < count; m = taken[m] === 1 ? next[m]! : m + 1) if (taken[m] === 1) chosen.push(matches[m]!);
  return chosen;
};

/** None of those that overlap another. */
const drop: OverlapPolicy = (matches) => {
  let reach = 0; // where the matches before this one end
  return matches.filter((match, index) => {
    const alone = match.start >= reach && (matches[index + 1]?.start ?? match.end) >= match.end;
    reach = Math.max(reach, match.end);
    return alone;
  });
};

/** All of them, for methods that choose among candidates. */
const candidates: OverlapPolicy = (matches) => [...matches];

/** The dictionary named first, then the longer match, then the one further to the left. */
const priority: OverlapPolicy = (matches, rank) => {
  const order = [...matches].sort(
    (a, b) => rank(a) - rank(b) || b.end - b.start - (a.end - a.start) || a.start - b.start,
  );
  const covered = new Set<number>();
  const chosen = order.filter(({ start, end }) => {
    for (let token = start; token < end; token++) if (covered.has(token)) return false;
    for (let token = start; token < end; token++) covered.add(token);
    return true;
  });
  return chosen.sort(compareSpans);
};

export const overlapPolicies = { longest, squared, drop, candidates, priority } as const;

export type OverlapPolicyName = keyof typeof overlapPolicies;

/** The first match from `low` on that starts at an offset or after it. */
function firstFrom(matches: readonly Span[], offset: number, low: number): number {
  let high = matches.length;
  let from = low;
  while (from < high) {
    const middle = (from + high) >> 1;
    if (matches[middle]!.start < offset) from = middle + 1;
    else high = middle;
  }
  return from;
}
