import type { Decision } from "./model.ts";

/** How fast somebody works. */
export interface Pace {
  /** Decisions a minute. */
  readonly decisions: number;
  /** Suspicions a minute: a decision may settle several. */
  readonly items: number;
}

/** Longer gaps are breaks. */
const longestGap = 90_000;
/** So many of the last decisions count, so that the figure follows the person. */
const recent = 60;

/** The pace of the last decisions without the breaks between them; missing before there are three. */
export function paceOf(made: readonly Decision[]): Pace | undefined {
  const last = made.slice(-recent);
  let [time, steps, items] = [0, 0, 0];
  for (const [i, decision] of last.entries()) {
    if (i === 0) continue;
    const gap = Date.parse(decision.time) - Date.parse(last[i - 1]!.time);
    if (!(gap >= 0 && gap <= longestGap)) continue;
    time += gap;
    steps++;
    items += decision.items.length;
  }
  if (steps < 2 || time === 0) return undefined;
  return { decisions: (steps * 60_000) / time, items: (items * 60_000) / time };
}
