/** The engine: symbolic graphs, reverse-mode gradients, and programs that ONNX Runtime runs. */
export { type Bindings, type Dim, formatShape, minus, plus, type Shape, sizeOf, times } from "./dims.ts";
export { inputsOf } from "./graph.ts";
export { type GraphInput, type OnnxOptions, onnxGraph, toOnnx } from "./onnx.ts";
export {
  decodeModel,
  eachNode,
  encodeModel,
  type OnnxAttribute,
  type OnnxGraph,
  type OnnxNode,
  type OnnxTensor,
  type OnnxValue,
} from "./onnx-schema.ts";
export {
  add,
  and,
  cast,
  div,
  equal,
  erf,
  exp,
  greater,
  less,
  log,
  mul,
  neg,
  not,
  type Operand,
  oneHot,
  or,
  pow,
  relu,
  sigmoid,
  sqrt,
  sub,
  tanh,
  where,
} from "./ops/arithmetic.ts";
export { type OpName, opTable } from "./ops/index.ts";
export { gather, gatherSmall, pick, putAlong, scatterAdd, takeAlong } from "./ops/indexing.ts";
export { constant, dimension, input, scalar, stopGradient } from "./ops/leaf.ts";
export { matmul } from "./ops/matmul.ts";
export { gelu, layerNorm } from "./ops/norm.ts";
export { concat, flip, pad, slice, split } from "./ops/pieces.ts";
export { coins, uniform } from "./ops/random.ts";
export { argmax, logSoftmax, logSumExp, max, mean, softmax, topK } from "./ops/reduce.ts";
export { type ScanResult, type ScanStep, scan } from "./ops/scan.ts";
export { expand, flatten, type ReduceOptions, reshape, sum, sumTo, transpose, unsqueeze } from "./ops/shape.ts";
export { runReference } from "./reference.ts";
export { backpropagate, gradients, zeros } from "./reverse.ts";
export { onnxRuntime } from "./runtime/onnx-runtime.ts";
export {
  availableDevices,
  type Data,
  type Device,
  Program,
  type RuntimeOptions,
  type TypedArray,
} from "./runtime/program.ts";
export type { DType, Tensor, TensorType } from "./types.ts";
export { type Value, value } from "./value.ts";
