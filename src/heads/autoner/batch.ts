import type { Encoder } from "../../encoders/index.ts";
import type { Data } from "../../tensor/index.ts";
import { isCandidate } from "../../text/index.ts";
import { keyOf } from "../../util/random.ts";
import type { Batch, BatchCounts, Visit } from "../head.ts";
import { spanBatch } from "../span/batch.ts";
import { longest } from "../span/grid.ts";
import { type AutonerItem, gapState } from "./items.ts";

/** Items as numbers. */
export function autonerBatch(
  items: readonly AutonerItem[],
  encoder: Encoder,
  labels: number,
  { seed, epoch }: Visit,
): Batch {
  const spans = items.map(({ typed }) => [...typed.keys()]);
  const { batch, width } = spanBatch(items, encoder, spans);
  const keys = items.map(({ id }) => keyOf(seed, "dropout", epoch, id) | 0);
  Object.assign(batch.feeds, gapFeeds(items), typeFeeds(items, width, labels), {
    noise: { data: Int32Array.from(keys), shape: [items.length] },
  });
  return batch;
}

/** `[batch, time]`: which gaps are breaks, and which are known. */
function gapFeeds(items: readonly AutonerItem[]): Record<string, Data> {
  const time = longest(items.map(({ sentence }) => sentence));
  const [breaks, weights] = [new Float32Array(items.length * time), new Float32Array(items.length * time)];
  items.forEach(({ gaps }, b) => {
    gaps.forEach((gap, token) => {
      breaks[b * time + token] = gap === gapState.break ? 1 : 0;
      weights[b * time + token] = gap === gapState.unknown ? 0 : 1;
    });
  });
  const shape = [items.length, time];
  return { "gap.breaks": { data: breaks, shape }, "gap.weights": { data: weights, shape } };
}

/** `[batch, spans, labels]`: which labels the typed spans may have; rows are padded with spans that weigh nothing. */
function typeFeeds(items: readonly AutonerItem[], width: number, labels: number): Record<string, Data> {
  const allowed = new Float32Array(items.length * width * labels);
  const weights = new Float32Array(items.length * width);
  items.forEach(({ typed }, b) => {
    [...typed.values()].forEach((candidates, s) => {
      weights[b * width + s] = 1;
      for (const label of candidates) allowed[(b * width + s) * labels + label] = 1;
    });
  });
  return {
    "span.allowed": { data: allowed, shape: [items.length, width, labels] },
    "span.weights": { data: weights, shape: [items.length, width] },
  };
}

/** Negatives are unknown spans, nearly all of one token, that train as O alone. */
export function countTyped(items: readonly AutonerItem[]): BatchCounts {
  let [tokens, positives, negatives, missampled] = [0, 0, 0, 0];
  for (const { sentence, grid, states, typed, hiddenTokens } of items) {
    const starts = grid.starts();
    tokens += grid.length;
    positives += sentence.entities.length;
    for (const [span, candidates] of typed) {
      if (!isCandidate(states[span]!) || candidates.length > 1) continue;
      negatives++;
      if (hiddenTokens[starts[span]!]) missampled++;
    }
  }
  return { tokens, positives, negatives, missampled };
}
