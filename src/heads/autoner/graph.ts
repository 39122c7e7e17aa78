import type { Encoded } from "../../encoders/index.ts";
import { dropout, highway, linear, type Noise, type Parameters, zero } from "../../nn/index.ts";
import { allowedLosses, binaryLosses, hingeLosses, type Reduction, reduce, softened } from "../../objectives/index.ts";
import {
  add,
  and,
  cast,
  concat,
  greater,
  input,
  less,
  logSoftmax,
  max,
  minus,
  mul,
  neg,
  not,
  pad,
  reshape,
  slice,
  sub,
  type Tensor,
  tanh,
  unsqueeze,
  where,
} from "../../tensor/index.ts";
import type { Prediction } from "../head.ts";
import { gatherTokens, type SpanIndices } from "../span/scorers.ts";
import type { AutonerModelSettings } from "./settings.ts";

export interface AutonerShape extends AutonerModelSettings {
  readonly labels: number;
  /** First log-odds of a break, and of O among the labels: where the training of the biases begins. */
  readonly breakOdds: number;
  readonly outsideOdds: number;
}

/** Scores of gaps, `[batch, time]` for the gap before each token, above 0 for a break; and of labels, `[batch, spans, labels]`. */
export interface AutonerScores {
  readonly gaps: Tensor;
  readonly types: Tensor;
}

/**
 * A gap is read from the token before it and the one behind it, a span from its first and its last: over an LSTM these
 * hold the states that the paper takes, backward at the left gap of a span and forward at its right one.
 */
export function autonerScores(
  params: Parameters,
  encoded: Encoded,
  spans: SpanIndices,
  { hidden, highway: layers, dropout: rate, labels, breakOdds, outsideOdds }: AutonerShape,
  noise: Noise | undefined,
): AutonerScores {
  const first = dropout(encoded.first, rate, noise, "autoner.first");
  const last = dropout(encoded.last, rate, noise, "autoner.last");
  const time = last.shape[1]!;
  const before = pad(slice(last, 1, 0, minus(time, 1)), 1, 1, 0);
  const state = (name: string, left: Tensor, right: Tensor): Tensor => {
    let x = tanh(add(add(left, right), params.declare(`${name}.bias`, [hidden], zero)));
    for (let layer = 0; layer < layers; layer++) x = highway(params, `${name}.highway.${layer}`, x);
    return dropout(x, rate, noise, name);
  };
  const side = (name: string, x: Tensor): Tensor => linear(params, name, x, hidden, { bias: false });
  const gap = state("gap", side("gap.left", before), side("gap.right", first));
  const span = state(
    "span",
    gatherTokens(side("span.start", first), spans.starts, spans),
    gatherTokens(side("span.end", last), spans.ends, spans),
  );
  const scores = (name: string, x: Tensor, width: number, odds: number): Tensor => {
    const bias = params.declare(`${name}.bias`, [width], (target) => {
      target[0] = odds;
    });
    return add(linear(params, name, x, width, { bias: false }), bias);
  };
  return {
    gaps: reshape(scores("gap.break", gap, 1, breakOdds), gap.shape.slice(0, 2)),
    types: scores("span.labels", span, labels, outsideOdds),
  };
}

/** The loss of gaps that are known, and of the types of spans: among the labels that they may have, or by a teacher's shares. */
export function autonerLoss(
  { gaps, types }: AutonerScores,
  { gapLoss, gapWeight, labels }: AutonerShape,
  reduction: Reduction,
  soft: boolean,
): Tensor {
  const perToken = (name: string): Tensor => input(name, "float32", ["batch", "time"]);
  const breaks = perToken("gap.breaks");
  const losses =
    gapLoss === "hinge"
      ? hingeLosses(gaps, cast(greater(breaks, 0.5), "float32")) // knows no shares
      : binaryLosses(gaps, breaks);
  const atGaps = reduce(losses, perToken("gap.weights"), reduction);
  // −log Σ p over the candidates has the gradient of the cross-entropy with their shares under the model itself.
  const perLabel = (name: string): Tensor => input(name, "float32", ["batch", "spans", labels]);
  const among = allowedLosses(types, perLabel("span.allowed"));
  const weights = input("span.weights", "float32", ["batch", "spans"]);
  const atSpans = reduce(soft ? softened(among, types, perLabel("span.targets")) : among, weights, reduction);
  return add(mul(gapWeight, atGaps), atSpans);
}

/** A score above any other: the ends of a sentence are breaks. */
const sure = 1e4;

/**
 * A span is of a type when it lies between two breaks without one inside, and the type scores above O. Its score of O is the
 * higher of O's own and what the least sure of its gaps leaves, so that a type wins exactly when both decisions say so.
 */
export function autonerPrediction({ gaps, types }: AutonerScores, mask: Tensor, spans: SpanIndices): Prediction {
  const labels = types.shape.at(-1) as number;
  const outside = slice(types, -1, 0, 1);
  const entities = slice(types, -1, 1, labels);
  const best = max(entities, { axes: -1, keep: true });
  const rest = sub(best, segmentScores(gaps, mask, spans));
  const logits = concat([where(less(outside, rest), rest, outside), entities], -1);
  return { logits, logProbs: logSoftmax(logits) };
}

/** The least sure of the decisions that make a span a segment, `[batch, spans, 1]`: above 0 when all are for it. */
function segmentScores(gaps: Tensor, mask: Tensor, spans: SpanIndices): Tensor {
  const time = gaps.shape[1]!;
  const next = (x: Tensor): Tensor => pad(slice(x, 1, 1, time), 1, 0, 1);
  const before = where(greater(spans.positions, 0), gaps, sure); // [batch, time]
  const behind = where(greater(next(mask), 0.5), next(gaps), sure);
  const [starts, ends] = [unsqueeze(spans.starts, -1), unsqueeze(spans.ends, -1)];
  const inside = and(greater(spans.positions, starts), not(greater(spans.positions, ends))); // [batch, spans, time]
  const within = max(where(inside, unsqueeze(before, 1), -sure), { axes: -1, keep: true });
  const at = (values: Tensor, ids: Tensor): Tensor => gatherTokens(unsqueeze(values, -1), ids, spans);
  const least = (a: Tensor, b: Tensor): Tensor => where(less(a, b), a, b);
  return least(least(at(before, spans.starts), at(behind, spans.ends)), neg(within));
}
