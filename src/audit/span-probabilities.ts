import type { ItemScores } from "../heads/index.ts";
import type { Span } from "../text/index.ts";

/** A span with the probability of each type there. */
export interface ScoredSpan extends Span {
  readonly probs: readonly number[];
}

/** Spans below this are no candidates: no decision about them would be worth a person's time. */
const leastProbability = 0.0001;

/**
 * Turns what a model says of the items of a sentence into spans with probabilities, by start and then by end. A span
 * model says it directly. A tagger's span is as probable as the least probable of its tags, or of the tag after it
 * that must not go on with it: a bound that the tags of a chain, which hang together, come close to.
 */
export function spanProbabilities(
  labels: readonly string[],
  types: readonly string[],
): (scores: ItemScores) => ScoredSpan[] {
  const isSpanModel = labels.length === types.length + 1 && types.every((type, i) => labels[i + 1] === type);
  return isSpanModel ? spansOfItems(types.length) : spansOfTags(labels, types);
}

function spansOfItems(types: number): (scores: ItemScores) => ScoredSpan[] {
  return ({ items, logProbs }) => {
    const [starts, ends] = [items.starts(), items.ends()];
    const found: ScoredSpan[] = [];
    for (let item = 0; item < items.size; item++) {
      const row = item * (types + 1) + 1;
      const probs = Array.from({ length: types }, (_, type) => Math.exp(logProbs[row + type]!));
      if (Math.max(...probs) >= leastProbability) found.push({ start: starts[item]!, end: ends[item]!, probs });
    }
    return found.sort((a, b) => a.start - b.start || a.end - b.end);
  };
}

/** The numbers of a type's tags; a scheme without its own tag for the last token or for a single one lacks them. */
interface TypeTags {
  readonly first: number;
  readonly inner: number;
  readonly last: number | undefined;
  readonly single: number | undefined;
}

function spansOfTags(labels: readonly string[], types: readonly string[]): (scores: ItemScores) => ScoredSpan[] {
  const tag = (role: string, type: string): number | undefined => {
    const found = labels.indexOf(`${role}-${type}`);
    return found < 0 ? undefined : found;
  };
  const tags = types.map(
    (type): TypeTags => ({
      first: tag("B", type)!,
      inner: tag("I", type)!,
      last: tag("E", type),
      single: tag("S", type),
    }),
  );
  return ({ items, logProbs }) => {
    const prob = (token: number, label: number): number => Math.exp(logProbs[token * labels.length + label]!);
    const found = new Map<string, { start: number; end: number; probs: number[] }>();
    for (const [type, own] of tags.entries()) {
      for (const { start, end, probability } of spansOfType(items.size, own, prob)) {
        const key = `${start} ${end}`;
        const span = found.get(key) ?? { start, end, probs: new Array<number>(types.length).fill(0) };
        span.probs[type] = probability;
        found.set(key, span);
      }
    }
    return [...found.values()].sort((a, b) => a.start - b.start || a.end - b.end);
  };
}

function* spansOfType(
  tokens: number,
  { first, inner, last, single }: TypeTags,
  prob: (token: number, label: number) => number,
): Generator<Span & { readonly probability: number }> {
  for (let start = 0; start < tokens; start++) {
    // What the span has before its last token, and what it would have with that one inside.
    let before = 1;
    for (let end = start + 1; end <= tokens && before >= leastProbability; end++) {
      const token = end - 1;
      const begins = token === start;
      const closing = begins ? (single ?? first) : (last ?? inner);
      const goesOn = last === undefined && end < tokens ? prob(end, inner) : 0;
      const probability = Math.min(before, prob(token, closing), 1 - goesOn);
      if (probability >= leastProbability) yield { start, end, probability };
      before = Math.min(before, prob(token, begins ? first : inner));
    }
  }
}
