import type { Encoded } from "../../encoders/index.ts";
import { dropout, embedding, glorot, linear, type Noise, type Parameters, widthOf, zero } from "../../nn/index.ts";
import {
  add,
  cast,
  concat,
  constant,
  equal,
  matmul,
  mul,
  pad,
  relu,
  reshape,
  split,
  sub,
  sum,
  type Tensor,
  tanh,
  unsqueeze,
} from "../../tensor/index.ts";

/** Spans of a batch: token numbers `[batch, spans]`; `ends` is the last token, not the one after it. */
export interface SpanIndices {
  readonly starts: Tensor;
  readonly ends: Tensor;
  /** 0, 1, 2 … for every place of the time axis: `[time]`. */
  readonly positions: Tensor;
}

export interface ScorerSettings {
  /** Width of the hidden state of a span. */
  readonly hidden: number;
  readonly dropout: number;
  /** Widths from this on share one embedding (only the scorer with width embeddings). */
  readonly maxWidth: number;
  readonly labels: number;
  /**
   * First value of the bias of "not an entity": the log-odds of the labels that will be trained. A bias of 0 would have
   * to travel there in steps of the learning rate, and the hidden states would saturate on the way.
   */
  readonly outsideBias: number;
}

/** What a scorer says of spans: a vector each, from which the logits come. */
export interface SpanScores {
  /** `[batch, spans, hidden]` */
  readonly hidden: Tensor;
  /** `[batch, spans, labels]` */
  readonly logits: Tensor;
  /** `[batch, spans, …]`: the vectors of which the hidden states are made. Large, so built only for who asks. */
  vectors(): Tensor;
}

export type Scorer = (
  params: Parameters,
  encoded: Encoded,
  spans: SpanIndices,
  settings: ScorerSettings,
  noise: Noise | undefined,
) => SpanScores;

/**
 * Start, end, their difference and their product (papers 000 and 004). W[h_i; h_j; h_i−h_j; h_i⊙h_j] is written as
 * (W₁+W₃)h_i + (W₂−W₃)h_j + W₄(h_i⊙h_j): two products per token and one per span, never a table of 4d per span.
 */
const productScorer: Scorer = (params, encoded, spans, settings, noise) => {
  const { hidden, dropout: rate } = settings;
  const { first, last } = dropTokens(encoded, rate, noise);
  const width = widthOf(first);
  const weight = (part: string): Tensor => params.declare(`span.${part}`, [width, hidden], glorot);
  const difference = weight("difference");
  const starts = matmul(first, add(weight("start"), difference));
  const ends = matmul(last, sub(weight("end"), difference));
  const [start, i] = split(gatherTokens(concat([starts, first], -1), spans.starts, spans), -1, [hidden, width]) as [
    Tensor,
    Tensor,
  ];
  const [end, j] = split(gatherTokens(concat([ends, last], -1), spans.ends, spans), -1, [hidden, width]) as [
    Tensor,
    Tensor,
  ];
  const product = matmul(mul(i, j), weight("product"));
  const sums = add(add(add(start, end), product), params.declare("span.bias", [hidden], zero));
  const state = dropout(tanh(sums), rate, noise, "span.hidden");
  return {
    hidden: state,
    logits: labelScores(params, state, settings),
    vectors: () => concat([i, j, sub(i, j), mul(i, j)], -1),
  };
};

/** Start, end and an embedding of the width through two layers (papers 002 and 003); the first layer is per token. */
const widthScorer: Scorer = (params, encoded, spans, settings, noise) => {
  const { hidden, dropout: rate, maxWidth } = settings;
  const { first, last } = dropTokens(encoded, rate, noise);
  const start = gatherTokens(linear(params, "span.start", first, hidden, { bias: false }), spans.starts, spans);
  const end = gatherTokens(linear(params, "span.end", last, hidden, { bias: false }), spans.ends, spans);
  const places = sub(spans.ends, spans.starts);
  const widths = embedding(params, "span.widths", places, maxWidth, 150);
  const width = linear(params, "span.width", widths, hidden);
  const one = dropout(relu(add(add(start, end), width)), rate, noise, "span.one");
  const two = dropout(relu(linear(params, "span.two", one, hidden)), rate, noise, "span.two");
  return {
    hidden: two,
    logits: labelScores(params, two, settings),
    vectors: () =>
      concat([gatherTokens(first, spans.starts, spans), gatherTokens(last, spans.ends, spans), widths], -1),
  };
};

/**
 * [x; 1]ᵀ U [y; 1] for each label (Yu et al. 2020), x and y projections of the first and the last token. U starts at zero
 * but for the bias of O. The product with U is made per token, not per span. Dropout of the projections takes the same
 * numbers of all tokens.
 */
export const biaffineScorer: Scorer = (params, encoded, spans, settings, noise) => {
  const { hidden, dropout: rate, labels, outsideBias } = settings;
  const tokens = dropTokens(encoded, rate, noise);
  const side = (which: "first" | "last", name: string): Tensor =>
    dropout(linear(params, name, tokens[which], hidden), rate, noise, name, { shared: true });
  const [x, y] = [side("first", "span.start"), side("last", "span.end")];
  const width = hidden + 1;
  const weight = params.declare("span.biaffine", [width, labels * width], (target) => {
    target.fill(0);
    target[hidden * labels * width + hidden] = outsideBias;
  });
  const starts = gatherTokens(matmul(withOne(x), weight), spans.starts, spans); // [batch, spans, labels * width]
  const ends = gatherTokens(withOne(y), spans.ends, spans);
  const byLabel = reshape(starts, [...starts.shape.slice(0, 2), labels, width]);
  const product = mul(gatherTokens(x, spans.starts, spans), gatherTokens(y, spans.ends, spans));
  return {
    hidden: product,
    logits: sum(mul(byLabel, unsqueeze(ends, 2)), { axes: -1 }),
    vectors: () =>
      concat([gatherTokens(tokens.first, spans.starts, spans), gatherTokens(tokens.last, spans.ends, spans)], -1),
  };
};

/** `[…, width]` → `[…, width + 1]`, the last number 1. */
function withOne(x: Tensor): Tensor {
  const width = widthOf(x);
  return add(pad(x, -1, 0, 1), constant(Array.from({ length: width + 1 }, (_, i) => (i === width ? 1 : 0))));
}

/**
 * Dropout of the token vectors, drawn apart for first and last tokens: a span of one token meets itself in the product,
 * and one draw for both would make that product larger in training than in prediction.
 */
function dropTokens({ first, last }: Encoded, rate: number, noise: Noise | undefined): Pick<Encoded, "first" | "last"> {
  return { first: dropout(first, rate, noise, "span.first"), last: dropout(last, rate, noise, "span.last") };
}

function labelScores(params: Parameters, hidden: Tensor, { labels, outsideBias }: ScorerSettings): Tensor {
  const bias = params.declare("span.labels.bias", [labels], (target) => {
    target[0] = outsideBias;
  });
  return add(linear(params, "span.labels", hidden, labels, { bias: false }), bias);
}

/** Scorers by name: what `--set head.scorer=` takes. */
export const scorers = { product: productScorer, width: widthScorer, biaffine: biaffineScorer };
export type ScorerName = keyof typeof scorers;

/**
 * Vectors of tokens by their number in their own sentence: `[batch, time, d]` and `[batch, spans]` → `[batch, spans, d]`,
 * as a product with one-hot rows. Forwards and backwards it is one batched matrix product, in a fixed order of additions.
 */
export function gatherTokens(vectors: Tensor, ids: Tensor, { positions }: Pick<SpanIndices, "positions">): Tensor {
  return matmul(cast(equal(unsqueeze(ids, -1), positions), "float32"), vectors);
}
