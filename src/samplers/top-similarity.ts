import { z } from "zod";
import {
  add,
  cast,
  div,
  flatten,
  greater,
  matmul,
  max,
  mul,
  neg,
  reshape,
  sqrt,
  sum,
  type Tensor,
  unsqueeze,
  where,
} from "../tensor/index.ts";
import { drawCount } from "../util/span-counts.ts";
import type { BatchSampler, BatchSpans } from "./sampler.ts";

export const topSimilaritySettings = z.strictObject({
  /** r: the share of the batch's unknown spans that are kept; at least one. */
  rate: z.number().positive().max(1).default(0.05),
  /** Compares hidden states, as the authors' code does, or the vectors of the spans, as the paper says. */
  on: z.enum(["hidden", "span"]).default("hidden"),
  /** The most similar ones; the least similar or any, for comparison. */
  keep: z.enum(["top", "bottom", "random"]).default("top"),
  /** A batch without a labelled entity has nothing to be similar to: any negatives, or none. */
  noPositives: z.enum(["random", "skip"]).default("random"),
});
export type TopSimilaritySettings = z.output<typeof topSimilaritySettings>;

/** The ⌈rN⌉ unknown spans of a batch that are most like its labelled entities (Xu, Bing and Lu: Top-Neg). */
export function topSimilarity({ rate, on, keep, noPositives }: TopSimilaritySettings): BatchSampler {
  return {
    name: "top-similarity",
    kind: "batch",
    count: ({ candidates, positives }) =>
      positives === 0 && noPositives === "skip" ? 0 : Math.max(0, Math.min(candidates, drawCount(rate, candidates))),
    priority(spans) {
      if (keep === "random") return spans.noise;
      const near = similarity(on === "span" ? spans.vectors() : spans.hidden, spans.positives);
      return where(greater(max(spans.positives), 0), keep === "top" ? near : neg(near), spans.noise);
    },
  };
}

/**
 * The mean cosine of each vector with those of the positives: `[batch, spans, width]` → `[batch, spans]`. As the product
 * of the unit vector with the mean of the positives' unit vectors, it costs one product however many positives there
 * are. A vector of zeros, all its units dead or dropped, has cosine 0 with everything.
 */
export function similarity(vectors: Tensor, positives: BatchSpans["positives"]): Tensor {
  const width = vectors.shape.at(-1)!;
  const lengths = reshape(sqrt(sum(mul(vectors, vectors), { axes: -1 })), positives.shape);
  // Lengths are 0 or far above this, so nothing else is changed by it. The unit vectors themselves are never built.
  const scale = div(1, add(lengths, cast(greater(1e-12, lengths), "float32")));
  const flat = flatten(vectors);
  const marks = flatten(unsqueeze(mul(positives, scale), -1));
  const centre = div(matmul(marks, flat, { transA: true }), add(sum(positives), 1e-12));
  return mul(reshape(matmul(flat, reshape(centre, [width, 1])), positives.shape), scale);
}
