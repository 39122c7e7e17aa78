import { windows } from "../heads/pure.ts";
import type { ItemVectors } from "../inference/index.ts";
import { type Sentence, type Span, surface } from "../text/index.ts";
import type { OutOfFoldScores } from "../training/index.ts";

/** A span of a sentence, by the sentence's number. */
export interface Place extends Span {
  readonly sentence: number;
}

/** A labelled text that is like another in the eyes of a model. */
export interface Neighbour {
  readonly text: string;
  readonly type: string;
}

/** So many suspicions get neighbours, those that a person sees first: each costs a look at all examples. */
export const mostPlaces = 1000;
/** Labelled places that are compared, in each fold. */
const mostExamples = 4000;
const neighbours = 3;

/**
 * The labelled places that are most like each of some places, by the cosine of hidden states: those of a model that has
 * learned from the labelled places and has not seen the place itself. Other texts only: what becomes of the same text
 * is known without a model.
 */
export async function nearestLabelled(
  places: readonly Place[],
  sentences: readonly Sentence[],
  { folds, vectors }: Pick<OutOfFoldScores, "folds" | "vectors">,
  signal?: AbortSignal,
): Promise<(readonly Neighbour[])[]> {
  const found: (readonly Neighbour[])[] = places.map(() => []);
  const fits = sentences.map((sentence) => windows(sentence).length === 1);
  for (const fold of new Set(places.map(({ sentence }) => folds[sentence]!))) {
    signal?.throwIfAborted();
    const own = [...places.entries()].filter(([, { sentence }]) => folds[sentence] === fold && fits[sentence]);
    const examples = spread(
      sentences.flatMap(({ entities }, sentence) =>
        folds[sentence] === fold || !fits[sentence] ? [] : entities.map((entity) => ({ ...entity, sentence })),
      ),
      mostExamples,
    );
    const wanted = [...own.map(([, place]) => place), ...examples];
    const states = await statesOf(wanted, sentences, (chosen) => vectors(fold, chosen));
    if (states.length === 0) continue;
    const known = examples.map((example, i) => {
      const { type } = example;
      return { text: textOf(example, sentences), type, state: states[own.length + i]! };
    });
    for (const [i, [number, place]] of own.entries())
      found[number] = nearest(states[i]!, textOf(place, sentences), known);
  }
  return found;
}

interface Example extends Neighbour {
  readonly state: Float32Array;
}

function nearest(state: Float32Array, text: string, examples: readonly Example[]): Neighbour[] {
  const best: (Neighbour & { readonly cosine: number })[] = [];
  for (const { text: other, type, state: its } of examples) {
    if (other === text) continue;
    const cosine = dot(state, its);
    if (best.length === neighbours && cosine <= best.at(-1)!.cosine) continue;
    const same = best.findIndex((each) => each.text === other && each.type === type);
    if (same >= 0 && best[same]!.cosine >= cosine) continue;
    if (same >= 0) best.splice(same, 1);
    best.push({ text: other, type, cosine });
    best.sort((a, b) => b.cosine - a.cosine);
    best.length = Math.min(best.length, neighbours);
  }
  return best.map(({ text: other, type }) => ({ text: other, type }));
}

/** A unit vector for each place; nothing at all where the model has no hidden states to show. */
async function statesOf(
  places: readonly Place[],
  sentences: readonly Sentence[],
  vectors: (sentences: readonly Sentence[]) => AsyncIterable<ItemVectors>,
): Promise<Float32Array[]> {
  const inSentence = new Map<number, number[]>();
  for (const [i, { sentence }] of places.entries()) inSentence.set(sentence, [...(inSentence.get(sentence) ?? []), i]);
  const numbers = [...inSentence.keys()];
  const states: Float32Array[] = [];
  let at = 0;
  for await (const shown of vectors(numbers.map((number) => sentences[number]!)))
    for (const place of inSentence.get(numbers[at++]!)!) states[place] = stateOf(places[place]!, shown);
  return states;
}

/** The widest items within a span at its start and at its end, joined: the span itself, or its first and last token. */
function stateOf({ start, end }: Span, { items, width, data }: ItemVectors): Float32Array {
  const [starts, ends] = [items.starts(), items.ends()];
  let [first, last] = [-1, -1];
  for (let i = 0; i < items.size; i++) {
    if (starts[i]! < start || ends[i]! > end) continue;
    if (starts[i] === start && (first < 0 || ends[i]! > ends[first]!)) first = i;
    if (ends[i] === end && (last < 0 || starts[i]! < starts[last]!)) last = i;
  }
  const joined = new Float32Array(2 * width);
  joined.set(data.subarray(first * width, (first + 1) * width));
  joined.set(data.subarray(last * width, (last + 1) * width), width);
  const length = Math.sqrt(dot(joined, joined)) || 1;
  return joined.map((value) => value / length);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** So many of the items, from all over the list. */
function spread<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items;
  return Array.from({ length: most }, (_, i) => items[Math.floor((i * items.length) / most)]!);
}

function textOf(place: Place, sentences: readonly Sentence[]): string {
  return surface(sentences[place.sentence]!, place).replaceAll(/\s+/gu, " ");
}
