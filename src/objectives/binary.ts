import { add, exp, log, mul, neg, relu, sub, type Tensor } from "../tensor/index.ts";

/**
 * −log p of a yes (1) or no (0) under the log-odds of yes, element by element: softplus(z) − y·z, for z of any size. With a
 * share of yes between them it is the cross-entropy with that share.
 */
export function binaryLosses(logits: Tensor, labels: Tensor): Tensor {
  const distance = add(relu(logits), relu(neg(logits)));
  return sub(add(relu(logits), log(add(1, exp(neg(distance))))), mul(labels, logits));
}

/** max(0, 1 − y·z) with 1 for yes and −1 for no. */
export function hingeLosses(scores: Tensor, labels: Tensor): Tensor {
  return relu(sub(1, mul(scores, sub(mul(2, labels), 1))));
}
