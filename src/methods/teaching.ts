import type { Adjustment, Items, Model } from "../heads/index.ts";
import { labelBiases, type Shift } from "../inference/index.ts";
import {
  isDeclared,
  itemState,
  noTypes,
  restriction,
  type Sentence,
  type Span,
  type TypeSets,
  typeSets,
} from "../text/index.ts";
import type { StageContext } from "../training/index.ts";

/** What models say of the items of a sentence. */
export interface SentenceShares {
  readonly items: Items;
  /** `[items, labels]`, row by row. */
  readonly shares: Float64Array;
}

/** What models say of sentences, and what their labels are. All labels of no entity are one, the first. */
export interface CorpusShares {
  readonly types: readonly string[];
  /** The number of each label's type; -1 for the first. */
  readonly typeOf: readonly number[];
  readonly sentences: readonly SentenceShares[];
  readonly sets: TypeSets;
  /** What the annotation says of the items of a sentence. */
  states(sentence: Sentence): Int16Array;
}

/** An item that teachers may speak of: nobody declared what it is. */
export interface OpenItem extends Span {
  readonly sentence: number;
  /** The number of the type that it is labelled with; -1 for none. */
  readonly type: number;
  /** The share of each label; 0 for types that the annotation rules out. */
  readonly row: Float64Array;
}

/** The mean of what the models of earlier stages say. One of them is in memory at a time. */
export async function meanShares(
  { scorer: open, signal }: Pick<StageContext, "scorer" | "signal">,
  stages: readonly string[],
  sentences: readonly Sentence[],
): Promise<CorpusShares> {
  const all: { items: Items; shares: Float64Array }[] = [];
  let model: Model | undefined;
  for (const name of stages) {
    const scorer = await open(name);
    model = scorer.model;
    try {
      let number = 0;
      for await (const { items, logProbs } of scorer.scores(sentences)) {
        signal?.throwIfAborted();
        all[number] ??= { items, shares: new Float64Array(items.size * entityLabels(model).length) };
        addShares(all[number]!.shares, logProbs, model, 1 / stages.length);
        number++;
      }
    } finally {
      await scorer.dispose();
      await model.encoder.dispose?.();
    }
  }
  const { types, typeOf, states } = model!;
  const sets = typeSets(types);
  return {
    types,
    typeOf: entityLabels(model!).map((label) => typeOf[label]!),
    sentences: all,
    sets,
    states: (sentence) => states!(sentence, sets),
  };
}

/** O, and the labels of entities. */
function entityLabels({ typeOf }: Pick<Model, "typeOf">): number[] {
  return [...typeOf.keys()].filter((label) => label === 0 || typeOf[label]! >= 0);
}

/** Adds probabilities; further labels of no entity count as O. */
function addShares(to: Float64Array, logProbs: Float32Array, { typeOf }: Model, weight: number): void {
  const labels = entityLabels({ typeOf });
  const place = typeOf.map((type, label) => (type < 0 ? 0 : labels.indexOf(label)));
  for (let at = 0; at < logProbs.length; at++) {
    const item = Math.floor(at / typeOf.length);
    to[item * labels.length + place[at % typeOf.length]!]! += weight * Math.exp(logProbs[at]!);
  }
}

/**
 * The items of sentences that teachers may speak of. What people declared is never overruled: labels and silence in parts
 * that are complete and what is rejected stay as they are, and what is unsure does not train.
 */
export function* openItems(corpus: CorpusShares, sentences: readonly Sentence[]): Generator<OpenItem> {
  const { types, typeOf, sets } = corpus;
  for (const [number, sentence] of sentences.entries()) {
    const { items, shares } = corpus.sentences[number]!;
    const [starts, ends, states] = [items.starts(), items.ends(), corpus.states(sentence)];
    const declared = sentence.entities.filter((entity) => isDeclared(sentence, entity));
    const isSettled = ({ start, end }: Span, type: string): boolean =>
      declared.some((entity) => entity.type === type && entity.start <= start && end <= entity.end);
    for (let item = 0; item < items.size; item++) {
      const [state, span] = [states[item]!, { start: starts[item]!, end: ends[item]! }];
      if (state === itemState.outside || state === itemState.excluded) continue;
      if (state > 0 && isSettled(span, types[state - 1]!)) continue;
      const said = shares.subarray(item * typeOf.length, (item + 1) * typeOf.length);
      const excluded = restriction(state) ?? noTypes;
      const row = said.map((share, label) => (label > 0 && sets.has(excluded, typeOf[label]!) ? 0 : share));
      yield { sentence: number, ...span, type: state > 0 ? state - 1 : -1, row: normalised(row) };
    }
  }
}

/** What models say when decoding adds this to the score of O. */
export function shifted(corpus: CorpusShares, shift: Shift): CorpusShares {
  const biases = labelBiases(corpus, shift);
  if (!biases) return corpus;
  const factors = Float64Array.from(biases, Math.exp);
  const labels = factors.length;
  const sentences = corpus.sentences.map(({ items, shares }) => {
    const moved = shares.map((share, at) => share * factors[at % labels]!);
    for (let at = 0; at < moved.length; at += labels) moved.set(normalised(moved.subarray(at, at + labels)), at);
    return { items, shares: moved };
  });
  return { ...corpus, sentences };
}

/** Shares that sum to 1; all for the first where there are none. */
export function normalised(row: Float64Array): Float64Array {
  const total = row.reduce((sum, share) => sum + share, 0);
  return total > 0 ? row.map((share) => share / total) : row.map((_, label) => (label === 0 ? 1 : 0));
}

/** Where teachers are as sure as this that an item without a label is none, it is a plain negative, and needs no target. */
const sureOutside = 0.999;

/** An item with shares to learn; nothing where the plain negative says the same. */
export function taught(item: OpenItem, shares: Float64Array): Adjustment[] {
  return item.type < 0 && shares[0]! >= sureOutside ? [] : [withTarget(item, shares)];
}

/** An item with shares to learn. Six digits are enough for that, and keep the file of a stage small. */
function withTarget({ sentence, start, end }: OpenItem, shares: Float64Array): Adjustment {
  return { sentence, start, end, weight: 1, target: Array.from(shares, (share) => Math.round(share * 1e6) / 1e6) };
}
