import { widthOf } from "../../nn/index.ts";
import {
  add,
  and,
  cast,
  constant,
  type Data,
  div,
  exp,
  greater,
  input,
  log,
  logSoftmax,
  matmul,
  mul,
  reshape,
  softmax,
  sqrt,
  sub,
  sum,
  type Tensor,
  where,
} from "../../tensor/index.ts";
import type { Mix, Retrieval, RetrievalPart } from "../head.ts";

/** The inputs of `prediction`. */
export function retrievalFeeds({ centroids, alpha }: Retrieval, { width }: RetrievalPart): Record<string, Data> {
  return {
    "retrieval.centroids": { data: centroids, shape: [centroids.length / width, width] },
    "retrieval.alpha": { data: Float32Array.of(alpha), shape: [] },
  };
}

/**
 * Scores `[batch, spans, labels]` of spans by the model and by the centroids together (Si et al.: RAI); never above 0.
 * What the centroids say has no share for "not an entity", so that it only ever speaks for entities.
 */
export function mixed(logits: Tensor, hidden: Tensor, mix: Mix): Tensor {
  const logProbs = logSoftmax(logits);
  const centroids = input("retrieval.centroids", "float32", [widthOf(logits), widthOf(hidden)]);
  const alpha = input("retrieval.alpha", "float32", []);
  const shares = retrieved(hidden, centroids);
  const own = sub(1, alpha);
  if (mix === "prob") return log(add(mul(own, exp(logProbs)), mul(alpha, shares)));
  // The shares are lowered by 1, which changes neither the order of labels nor that of spans and keeps scores below 0.
  return add(mul(own, logProbs), mul(alpha, sub(shares, 1)));
}

/** The softmax of the cosines with the centroids, without a share for label 0 and for labels that have no centroid. */
export function retrieved(hidden: Tensor, centroids: Tensor): Tensor {
  const labels = centroids.shape[0] as number;
  const seen = greater(reshape(length(centroids), [labels]), 1e-8);
  const cosines = matmul(unit(hidden), unit(centroids), { transB: true }); // [batch, spans, labels]
  const entity = greater(constant(Array.from({ length: labels }, (_, label) => label)), 0);
  return mul(softmax(where(seen, cosines, never)), cast(and(seen, entity), "float32"));
}

/** A cosine that has no share in a softmax. */
const never = -1e4;

function unit(x: Tensor): Tensor {
  return div(x, add(length(x), 1e-8));
}

function length(x: Tensor): Tensor {
  return sqrt(sum(mul(x, x), { axes: -1, keep: true }));
}
