/** Layers: functions that declare parameters and build graphs from tensor ops. */

export { type Chain, impossible, type Legal, legalChain } from "./chain.ts";
export { type CharCnnOptions, charCnn, convolution } from "./convolution.ts";
export {
  type ChainOptions,
  type ChainWeights,
  chainScores,
  constrainedLogLikelihood,
  crf,
  logLikelihood,
  logPartition,
  marginals,
  sequenceScore,
} from "./crf.ts";
export { highway } from "./highway.ts";
export { from, glorot, type Initialiser, normal, one, uniformWithin, zero } from "./initialise.ts";
export { dropout, embedding, hideBias, linear, type Noise, normalise, widthOf, wordDropout } from "./layers.ts";
export { bilstm, lstm } from "./lstm.ts";
export { type ParameterSpec, ParameterStore, Parameters, type Slot, storeSize } from "./parameters.ts";
export { posterior } from "./posterior.ts";
export { type Relations, type RelativeOptions, relativeAttention, relativeBlock } from "./relative-attention.ts";
export { type RemovalMode, removalLogLikelihood, removalModes } from "./removed-tokens.ts";
export { angles, simplexVertices } from "./simplex.ts";
export { attention, type TransformerOptions, transformerBlock } from "./transformer.ts";
export { viterbi } from "./viterbi.ts";
