import { decodeModel, type OnnxGraph, type OnnxNode } from "../../tensor/index.ts";
import { InputError, messageOf } from "../../util/errors.ts";
import { readFileBytes } from "../../util/regular-file.ts";
import type { NumberArray } from "../../util/safetensors.ts";
import { OnnxConstants, originalName, turned } from "./constants.ts";
import { fusedWeights } from "./fused.ts";
import { biasBehind, productsOf } from "./products.ts";

/** The graph of an ONNX file. */
export async function readOnnx(file: string): Promise<OnnxGraph> {
  const bytes = await readFileBytes(file);
  try {
    return decodeModel(bytes);
  } catch (error) {
    throw new InputError(`is not an ONNX model: ${messageOf(error)}`, { file });
  }
}

/**
 * The weights of a graph as float32, by the names they had before export. Converters keep the names of biases but not
 * always those of the matrices, which they turn round to `[in, out]`: a matrix is found as the operand of the product
 * to which a bias is added, and comes back as `X.weight` beside `X.bias`, in `[out, in]`. Optimisers that fuse a layer's
 * queries, keys and values into one node lose names; there the place in the graph says what a weight is.
 */
export function weightsIn(graph: OnnxGraph, file: string): Map<string, NumberArray> {
  const constants = new OnnxConstants(graph, file);
  const weights = new Map<string, NumberArray>();
  for (const name of constants.names) {
    const found = constants.numbers(name);
    if (found) weights.set(originalName(name), found);
  }
  const links = { readers: readersOf(graph.node), constants };
  const products = productsOf(graph.node, links);
  for (const product of products) {
    const bias = product.bias ?? biasBehind(product.output, links);
    if (bias?.endsWith(".bias")) weights.set(bias.replace(/\.bias$/, ".weight"), turned(product.matrix)!);
  }
  for (const [name, weight] of fusedWeights(graph.node, products, links)) weights.set(name, weight);
  return weights;
}

function readersOf(nodes: readonly OnnxNode[]): Map<string, OnnxNode[]> {
  const readers = new Map<string, OnnxNode[]>();
  for (const node of nodes) {
    for (const name of new Set(node.input)) {
      const known = readers.get(name);
      if (known) known.push(node);
      else readers.set(name, [node]);
    }
  }
  return readers;
}
