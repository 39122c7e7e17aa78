import * as arithmetic from "./arithmetic.ts";
import * as indexing from "./indexing.ts";
import * as leaf from "./leaf.ts";
import { matmulOp } from "./matmul.ts";
import { geluOp, layerNormOp } from "./norm.ts";
import { concatOp, flipOp, padOp, sliceOp, splitOp } from "./pieces.ts";
import { coinsOp, uniformOp } from "./random.ts";
import { argmaxOp, logSoftmaxOp, maxOp, softmaxOp, topKOp } from "./reduce.ts";
import { scanOp } from "./scan.ts";
import { stepOp } from "./scan-body.ts";
import { expandOp, reshapeOp, sumOp, transposeOp } from "./shape.ts";

/** Every op there is. A row has a type rule, a gradient or the word none, a reference kernel and an ONNX lowering. */
export const opTable = {
  input: leaf.inputOp,
  constant: leaf.constantOp,
  dimension: leaf.dimensionOp,
  stopGradient: leaf.stopGradientOp,
  add: arithmetic.addOp,
  sub: arithmetic.subOp,
  mul: arithmetic.mulOp,
  div: arithmetic.divOp,
  equal: arithmetic.equalOp,
  less: arithmetic.lessOp,
  greater: arithmetic.greaterOp,
  and: arithmetic.andOp,
  or: arithmetic.orOp,
  not: arithmetic.notOp,
  neg: arithmetic.negOp,
  exp: arithmetic.expOp,
  log: arithmetic.logOp,
  sqrt: arithmetic.sqrtOp,
  pow: arithmetic.powOp,
  tanh: arithmetic.tanhOp,
  sigmoid: arithmetic.sigmoidOp,
  relu: arithmetic.reluOp,
  erf: arithmetic.erfOp,
  where: arithmetic.whereOp,
  cast: arithmetic.castOp,
  matmul: matmulOp,
  reshape: reshapeOp,
  transpose: transposeOp,
  expand: expandOp,
  sum: sumOp,
  max: maxOp,
  softmax: softmaxOp,
  logSoftmax: logSoftmaxOp,
  argmax: argmaxOp,
  topK: topKOp,
  concat: concatOp,
  slice: sliceOp,
  split: splitOp,
  flip: flipOp,
  pad: padOp,
  gather: indexing.gatherOp,
  scatterAdd: indexing.scatterAddOp,
  takeAlong: indexing.takeAlongOp,
  putAlong: indexing.putAlongOp,
  layerNorm: layerNormOp,
  gelu: geluOp,
  uniform: uniformOp,
  coins: coinsOp,
  scan: scanOp,
  step: stepOp,
};

export type OpName = keyof typeof opTable;
