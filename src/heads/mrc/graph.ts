import type { Encoder } from "../../encoders/index.ts";
import { dropout, linear, type Noise, type Parameters, zero } from "../../nn/index.ts";
import { binaryLosses, type Reduction, reduce } from "../../objectives/index.ts";
import {
  add,
  cast,
  gather,
  gelu,
  greater,
  input,
  less,
  logSoftmax,
  mul,
  or,
  pad,
  reshape,
  type Tensor,
  transpose,
  where,
} from "../../tensor/index.ts";
import type { Prediction } from "../head.ts";
import { gatherTokens, type SpanIndices } from "../span/scorers.ts";
import { spanInputs } from "../span/trained-spans.ts";
import type { MrcModelSettings } from "./settings.ts";

/** Log-odds of the three decisions; the last axis has all types, or the one that a row asks for. */
export interface MrcScores {
  readonly spans: SpanIndices;
  /** `[rows, time, outputs]` */
  readonly start: Tensor;
  readonly end: Tensor;
  /** `[rows, spans, outputs]` */
  readonly match: Tensor;
}

export interface MrcShape extends MrcModelSettings {
  readonly outputs: number;
  /** First log-odds that an entity of some type starts, or ends, at a token. */
  readonly odds: number;
}

export function mrcScores(params: Parameters, encoder: Encoder, shape: MrcShape, noise: Noise | undefined): MrcScores {
  const spans = spanInputs();
  const encoded = encoder.build(params, { noise, questions: shape.query === "read" });
  const first = dropout(encoded.first, shape.dropout, noise, "mrc.first");
  const last = dropout(encoded.last, shape.dropout, noise, "mrc.last");
  const side = (name: string, tokens: Tensor, ids: Tensor): Tensor =>
    gatherTokens(linear(params, name, tokens, shape.hidden, { bias: false }), ids, spans);
  const both = add(side("mrc.from", first, spans.starts), side("mrc.to", last, spans.ends));
  const pair = gelu(add(both, params.declare("mrc.pair.bias", [shape.hidden], zero)));
  return {
    spans,
    start: boundary(params, "mrc.start", first, shape),
    end: boundary(params, "mrc.end", last, shape),
    match: linear(params, "mrc.match", dropout(pair, shape.dropout, noise, "mrc.pair"), shape.outputs),
  };
}

function boundary(params: Parameters, name: string, tokens: Tensor, { outputs, odds }: MrcShape): Tensor {
  const bias = params.declare(`${name}.bias`, [outputs], (target) => {
    target.fill(odds);
  });
  return add(linear(params, name, tokens, outputs, { bias: false }), bias);
}

/** The three losses, by their weights. */
export function mrcLoss(
  { start, end, match, spans }: MrcScores,
  { weights, candidates, outputs }: MrcShape,
  reduction: Reduction,
): Tensor {
  const given = (name: string, axis: "time" | "spans"): Tensor =>
    input(`mrc.${name}`, "float32", ["batch", axis, outputs]);
  const [starts, ends] = [given("starts", "time"), given("ends", "time")];
  const pairs = given("pairs", "spans");
  const all = given("pairs.weights", "spans");
  const trained = (): Tensor =>
    mul(
      all,
      mul(gatherTokens(chosen(start, starts), spans.starts, spans), gatherTokens(chosen(end, ends), spans.ends, spans)),
    );
  const atStart = reduce(binaryLosses(start, starts), given("starts.weights", "time"), reduction);
  const atEnd = reduce(binaryLosses(end, ends), given("ends.weights", "time"), reduction);
  const together = reduce(binaryLosses(match, pairs), candidates === "all" ? all : trained(), reduction);
  return add(add(mul(weights.start, atStart), mul(weights.end, atEnd)), mul(weights.match, together));
}

/** 1 where something is labelled or predicted. */
function chosen(logits: Tensor, labels: Tensor): Tensor {
  return cast(or(greater(logits, 0), greater(labels, 0.5)), "float32");
}

/**
 * A span is of a type when start, end and match all say so: its log-odds against O are those of the least sure of the
 * three. Probabilities share out what these odds say of all types.
 */
export function mrcPrediction({ start, end, match, spans }: MrcScores, types: number, reads: boolean): Prediction {
  const least = (a: Tensor, b: Tensor): Tensor => where(less(a, b), a, b);
  const ends = least(gatherTokens(start, spans.starts, spans), gatherTokens(end, spans.ends, spans));
  const odds = least(ends, match);
  const logits = pad(reads ? bySentence(odds, types) : odds, -1, 1, 0); // O stands at 0
  return { logits, logProbs: logSoftmax(logits) };
}

/** `[rows, spans, 1]`, a row for each sentence and type, → `[sentences, spans, types]`. */
function bySentence(odds: Tensor, types: number): Tensor {
  const rows = input("mrc.rows", "int32", ["sentences", types]);
  return transpose(gather(reshape(odds, ["batch", "spans"]), rows), [0, 2, 1]);
}
