import type { Encoder } from "../../encoders/index.ts";
import type { Data } from "../../tensor/index.ts";
import { isCandidate } from "../../text/index.ts";
import { keyOf } from "../../util/random.ts";
import type { Batch, BatchCounts, Visit } from "../head.ts";
import { spanBatch } from "../span/batch.ts";
import { longest } from "../span/grid.ts";
import { saysLabels } from "../span/items.ts";
import type { Supervision } from "../span/supervision.ts";
import type { AutonerItem } from "./items.ts";

/** Items as numbers. */
export function autonerBatch(
  items: readonly AutonerItem[],
  encoder: Encoder,
  { sets, soft }: Supervision,
  { seed, epoch }: Visit,
): Batch {
  const spans = items.map(({ typed }) => [...typed.keys()]);
  const { batch, width } = spanBatch(items, encoder, spans);
  const keys = items.map(({ id }) => keyOf(seed, "dropout", epoch, id) | 0);
  Object.assign(batch.feeds, gapFeeds(items), typeFeeds(items, width, sets.types.length + 1, soft), {
    noise: { data: Int32Array.from(keys), shape: [items.length] },
  });
  return batch;
}

/** `[batch, time]`: which gaps are breaks, and how much they train. */
function gapFeeds(items: readonly AutonerItem[]): Record<string, Data> {
  const time = longest(items.map(({ sentence }) => sentence));
  const [breaks, weights] = [new Float32Array(items.length * time), new Float32Array(items.length * time)];
  items.forEach(({ gaps }, b) => {
    breaks.set(gaps.breaks, b * time);
    weights.set(gaps.weights, b * time);
  });
  const shape = [items.length, time];
  return { "gap.breaks": { data: breaks, shape }, "gap.weights": { data: weights, shape } };
}

/**
 * `[batch, spans, labels]`: which labels the typed spans may have, and the shares of a teacher; rows are padded with spans
 * that weigh nothing.
 */
function typeFeeds(items: readonly AutonerItem[], width: number, labels: number, soft: boolean): Record<string, Data> {
  const allowed = new Float32Array(items.length * width * labels);
  const weights = new Float32Array(items.length * width);
  const targets = new Float32Array(soft ? allowed.length : 0);
  items.forEach(({ typed, adjusted }, b) => {
    [...typed].forEach(([span, candidates], s) => {
      const [at, change] = [b * width + s, adjusted?.get(span)];
      weights[at] = change?.weight ?? 1;
      for (const label of candidates) allowed[at * labels + label] = 1;
      if (change?.target) targets.set(change.target, at * labels);
    });
  });
  const shape = [items.length, width];
  return {
    "span.allowed": { data: allowed, shape: [...shape, labels] },
    "span.weights": { data: weights, shape },
    ...(soft && { "span.targets": { data: targets, shape: [...shape, labels] } }),
  };
}

/** Negatives are unknown spans, nearly all of one token, that train as O alone because nobody spoke of them. */
export function countTyped(items: readonly AutonerItem[]): BatchCounts {
  let [tokens, positives, negatives, missampled] = [0, 0, 0, 0];
  for (const { sentence, grid, states, typed, adjusted, hiddenTokens } of items) {
    const starts = grid.starts();
    tokens += grid.length;
    positives += sentence.entities.length;
    for (const [span, candidates] of typed) {
      if (!isCandidate(states[span]!) || candidates.length > 1 || saysLabels(adjusted?.get(span))) continue;
      negatives++;
      if (hiddenTokens[starts[span]!]) missampled++;
    }
  }
  return { tokens, positives, negatives, missampled };
}
