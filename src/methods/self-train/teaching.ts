import { biased, type ItemScores } from "../../heads/index.ts";
import { labelBiases } from "../../inference/index.ts";
import { compareSpans, type Entity, overlaps, type Span } from "../../text/index.ts";
import type { OutOfFoldScores } from "../../training/index.ts";

/** The names of types, and for each label the number of its type, -1 for none. */
export interface LabelTypes {
  readonly types: readonly string[];
  readonly typeOf: readonly number[];
}

/** What a teacher that has not seen a sentence says of it. */
export interface Opinion {
  readonly scores: ItemScores;
  /** The entities that follow from the scores, with their probabilities. */
  readonly predicted: readonly Entity[];
}

/** What the teachers of a sentence say together. */
export interface Teaching {
  /** The items that they judge. */
  readonly items: ItemScores["items"];
  readonly predicted: readonly Entity[];
  /** That a span is an entity of its type. */
  probability(entity: Entity): number;
  /** That a span is, or the tokens of it are, no part of an entity. */
  outside(span: Span): number;
}

/** The opinions of every sentence, of each cross-fit one, decisions shifted: without that, silence would teach silence. */
export function opinions(fits: readonly OutOfFoldScores[]): Opinion[][] {
  const result: Opinion[][] = [];
  for (const fitted of fits) {
    for (const { sentence, scores, shift, predicted } of fitted.scores()) {
      const biases = labelBiases(fitted, shift);
      const opinion = { scores: biases ? biased(scores, biases) : scores, predicted };
      const known = result[sentence];
      if (known) known.push(opinion);
      else result[sentence] = [opinion];
    }
  }
  return result;
}

/** Probabilities are means over the teachers; an entity is predicted that half of them predict, the likeliest first. */
export function teachingOf(all: readonly Opinion[], labels: LabelTypes): Teaching {
  const readers = all.map(({ scores }) => reader(scores, labels));
  const mean = (of: (each: (typeof readers)[number]) => number): number =>
    readers.reduce((sum, each) => sum + of(each), 0) / readers.length;
  return {
    items: all[0]!.scores.items,
    predicted: all.length === 1 ? all[0]!.predicted : elected(all),
    probability: (entity) => mean((each) => each.probability(entity)),
    outside: (span) => mean((each) => each.outside(span)),
  };
}

function elected(all: readonly Opinion[]): Entity[] {
  const votes = new Map<string, { readonly entity: Entity; votes: number; total: number }>();
  for (const entity of all.flatMap(({ predicted }) => predicted)) {
    const name = `${entity.start} ${entity.end} ${entity.type}`;
    const found = votes.get(name) ?? { entity, votes: 0, total: 0 };
    votes.set(name, { entity, votes: found.votes + 1, total: found.total + entity.score! });
  }
  const result: Entity[] = [];
  const order = [...votes.values()].sort((a, b) => b.total - a.total || compareSpans(a.entity, b.entity));
  for (const { entity, votes: count, total } of order) {
    if (2 * count < all.length || result.some((each) => overlaps(each, entity))) continue;
    result.push({ ...entity, score: total / count });
  }
  return result.sort(compareSpans);
}

/**
 * Probabilities of spans from those of items: of the span itself, or of its least sure token where items are tokens. Of
 * spans that are too wide to be items nothing can be said, so they are what they are.
 */
function reader(
  { items, logProbs }: ItemScores,
  { types, typeOf }: LabelTypes,
): { readonly probability: (entity: Entity) => number; readonly outside: (span: Span) => number } {
  const [starts, ends] = [items.starts(), items.ends()];
  const areTokens = starts.every((start, item) => ends[item] === start + 1);
  const places = new Map(Array.from(starts, (start, item) => [key(start, ends[item]!), item]));
  const share = (item: number, type: number): number => {
    let total = 0;
    typeOf.forEach((each, label) => {
      if (each === type) total += Math.exp(logProbs[item * typeOf.length + label]!);
    });
    return total;
  };
  const of = ({ start, end }: Span, type: number): number => {
    const whole = places.get(key(start, end));
    if (whole !== undefined) return share(whole, type);
    if (!areTokens) return 1;
    let least = 1;
    for (let token = start; token < end; token++)
      least = Math.min(least, share(places.get(key(token, token + 1))!, type));
    return least;
  };
  return {
    probability: (entity) => of(entity, types.indexOf(entity.type)),
    outside: (span) => of(span, -1),
  };
}

function key(start: number, end: number): number {
  return start * 2 ** 26 + end;
}
