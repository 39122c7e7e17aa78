import type { Data } from "../../tensor/index.ts";
import { restriction, type TypeSets } from "../../text/index.ts";
import { keyOf } from "../../util/random.ts";
import type { Visit } from "../head.ts";
import type { SpanItem } from "./items.ts";

/** Which tensors a training graph has beside labels and weights: none that the data do not need. */
export interface Supervision {
  readonly sets: TypeSets;
  /** Some spans may have one of several labels. */
  readonly restricted: boolean;
  /** Some spans have targets of a teacher. */
  readonly soft: boolean;
}

export function supervisionOf(items: readonly SpanItem[], sets: TypeSets): Supervision {
  const changes = items.flatMap(({ adjusted }) => [...(adjusted?.values() ?? [])]);
  const isRestricted = (state: number): boolean => restriction(state) !== undefined;
  return {
    sets,
    restricted:
      items.some(({ states }) => states.some(isRestricted)) || changes.some(({ allowed }) => allowed !== undefined),
    soft: changes.some(({ target }) => target !== undefined),
  };
}

/**
 * What spans should be, sentence by sentence: the first `known` as the annotation says, the others negatives. Rows are
 * padded to `width` spans, which weigh nothing.
 */
export function supervise(
  items: readonly SpanItem[],
  spans: readonly (readonly number[])[],
  known: readonly number[],
  width: number,
  { seed, epoch }: Visit,
  { sets, restricted, soft }: Supervision,
): Record<string, Data> {
  const count = sets.types.length + 1;
  const size = items.length * width;
  const labels = new Int32Array(size);
  const weights = new Float32Array(size);
  const allowed = new Float32Array(restricted ? size * count : 0);
  const targets = new Float32Array(soft ? size * count : 0);
  spans.forEach((indices, b) => {
    const { states, adjusted } = items[b]!;
    indices.forEach((index, s) => {
      const at = b * width + s;
      const state = s < known[b]! ? states[index]! : 0;
      const change = adjusted?.get(index);
      labels[at] = Math.max(0, state);
      weights[at] = change?.weight ?? 1;
      if (soft && change?.target) targets.set(change.target, at * count);
      if (!restricted) return;
      const set = restriction(state);
      for (let label = 0; label < count; label++) {
        const may = set === undefined ? label === labels[at] : label === 0 || !sets.has(set, label - 1);
        allowed[at * count + label] = (change?.allowed?.includes(label) ?? may) ? 1 : 0;
      }
    });
  });
  const shape = [items.length, width];
  const keys = items.map(({ id }) => keyOf(seed, "dropout", epoch, id) | 0);
  return {
    "span.labels": { data: labels, shape },
    "span.weights": { data: weights, shape },
    ...(restricted && { "span.allowed": { data: allowed, shape: [...shape, count] } }),
    ...(soft && { "span.targets": { data: targets, shape: [...shape, count] } }),
    noise: { data: Int32Array.from(keys), shape: [items.length] },
    epoch: { data: Float32Array.of(epoch), shape: [] },
  };
}
