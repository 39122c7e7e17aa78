import type { ScoredSpan } from "./span-probabilities.ts";

/** A span with what several models say of it. */
export interface MeanSpan extends ScoredSpan {
  /** For each type, how many of the models find the span and give this type more than any other. */
  readonly votes: readonly number[];
}

/** Adds up what models say of the spans of a sentence; a span that one of them did not list has no share from it. */
export interface SpanMeans {
  add(spans: readonly ScoredSpan[]): void;
  /** The means, by start and then by end. */
  spans(): MeanSpan[];
}

/** From this share on a model that was trained on silence is taken to vote for a span. */
const leastVote = 0.1;

export function spanMeans(): SpanMeans {
  const sums = new Map<string, { start: number; end: number; probs: number[]; votes: number[] }>();
  let models = 0;
  return {
    add(spans) {
      models++;
      for (const { start, end, probs } of spans) {
        const key = `${start} ${end}`;
        const sum = sums.get(key) ?? { start, end, probs: probs.map(() => 0), votes: probs.map(() => 0) };
        sums.set(key, sum);
        const best = probs.indexOf(Math.max(...probs));
        for (const [type, prob] of probs.entries()) sum.probs[type]! += prob;
        if (probs[best]! >= leastVote) sum.votes[best]!++;
      }
    },
    spans: () =>
      [...sums.values()]
        .map(({ probs, ...rest }) => ({ ...rest, probs: probs.map((sum) => sum / models) }))
        .sort((a, b) => a.start - b.start || a.end - b.end),
  };
}
