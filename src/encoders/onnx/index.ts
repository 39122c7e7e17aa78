/** Graphs of ONNX: their weights under the names of a checkpoint, and the sizes of the model. */
export { readOnnx, weightsIn } from "./file.ts";
export { configOf, huggingFaceNames, weightNamed } from "./names.ts";
