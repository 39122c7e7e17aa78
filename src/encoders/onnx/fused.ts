import type { OnnxNode } from "../../tensor/index.ts";
import type { NumberArray } from "../../util/safetensors.ts";
import { type OnnxConstants, turned } from "./constants.ts";
import { biasBehind, type Links, type Product } from "./products.ts";

type Named = [name: string, weight: NumberArray | undefined];

const attentions = new Set(["Attention", "QAttention", "MultiHeadAttention"]);
const norms = new Set(["SkipLayerNormalization", "LayerNormalization", "SimplifiedLayerNormalization"]);
/** Nodes from one part of a layer to the next, the activation written out included. */
const nearby = 24;

/**
 * The weights of a graph whose attention is one node for each layer, named as a BERT has them by their place: the nth
 * such node is layer n, and behind it come its output, a norm, the inner and the outer layer, and a norm.
 */
export function fusedWeights(
  nodes: readonly OnnxNode[],
  products: readonly Product[],
  links: Links,
): Map<string, NumberArray> {
  const byInput = new Map(products.toReversed().map((product) => [product.input, product]));
  const layers = nodes.filter(({ opType }) => attentions.has(opType));
  const found = [
    ...nodes.flatMap((node) => embeddings(node, links.constants)),
    ...layers.flatMap((node, layer) =>
      [...packed(node, products, links.constants), ...behind(node, byInput, links)].map(
        ([part, weight]): Named => [`encoder.layer.${layer}.${part}`, weight],
      ),
    ),
  ];
  return new Map(found.filter((each): each is [string, NumberArray] => each[1] !== undefined));
}

const tables = [
  "word_embeddings.weight",
  "position_embeddings.weight",
  "token_type_embeddings.weight",
  "LayerNorm.weight",
  "LayerNorm.bias",
] as const;

function embeddings({ opType, input }: OnnxNode, constants: OnnxConstants): Named[] {
  if (opType === "EmbedLayerNormalization") {
    return tables.map((part, i) => [`embeddings.${part}`, constants.numbers(input[2 + i] ?? "")]);
  }
  if (opType !== "QEmbedLayerNormalization") return [];
  // The five tables, then a mask, then their scales and their zero points in the same order.
  return tables.map((part, i) => [
    `embeddings.${part}`,
    constants.dequantised(input[2 + i] ?? "", input[8 + i] ?? "", input[13 + i] || undefined),
  ]);
}

const parts = ["query", "key", "value"] as const;

/** Queries, keys and values, which an attention node holds side by side. */
function packed(node: OnnxNode, products: readonly Product[], constants: OnnxConstants): Named[] {
  const { opType, input, attribute } = node;
  if (opType === "MultiHeadAttention") return separate(node, products, constants);
  const widths = attribute.find(({ name }) => name === "qkv_hidden_sizes")?.ints ?? [];
  if (widths.some((width) => width !== widths[0])) return [];
  const matrix =
    opType === "Attention"
      ? constants.numbers(input[1] ?? "")
      : constants.dequantised(input[1] ?? "", input[4] ?? "", input[7] || undefined);
  const bias = constants.numbers(input[2] ?? "");
  return parts.flatMap((part, i): Named[] => [
    [`attention.self.${part}.weight`, turned(third(matrix, i))],
    [`attention.self.${part}.bias`, third(bias, i)],
  ]);
}

/** Three products whose biases the attention node adds; without biases their own names tell what they are. */
function separate({ input }: OnnxNode, products: readonly Product[], constants: OnnxConstants): Named[] {
  const bias = constants.numbers(input[3] ?? "");
  if (!bias) return [];
  return parts.flatMap((part, i): Named[] => [
    [`attention.self.${part}.weight`, turned(products.find(({ output }) => output === input[i])?.matrix)],
    [`attention.self.${part}.bias`, third(bias, i)],
  ]);
}

/** The columns of one part out of three. */
function third(packed: NumberArray | undefined, part: number): NumberArray | undefined {
  const all = packed?.shape.at(-1);
  if (!packed || all === undefined || all % 3 !== 0) return undefined;
  const width = all / 3;
  const rows = packed.data.length / all;
  const data = new Float32Array(rows * width);
  for (let row = 0; row < rows; row++) {
    const start = row * all + part * width;
    data.set(packed.data.subarray(start, start + width), row * width);
  }
  return { data, shape: [...packed.shape.slice(0, -1), width] };
}

/** What follows attention in a layer. */
function behind(attention: OnnxNode, byInput: ReadonlyMap<string, Product>, links: Links): Named[] {
  const found: Named[] = [];
  let name = attention.output[0];
  const product = (part: string): void => {
    const next = name === undefined ? undefined : ahead(name, links, (each) => byInput.get(each));
    if (next) {
      const bias = next.bias ?? biasBehind(next.output, links);
      found.push([`${part}.weight`, turned(next.matrix)]);
      found.push([`${part}.bias`, bias === undefined ? undefined : links.constants.numbers(bias)]);
    }
    name = next?.output;
  };
  const norm = (part: string): void => {
    const isNorm = ({ opType }: OnnxNode): boolean => norms.has(opType);
    const next = name === undefined ? undefined : ahead(name, links, (each) => links.readers.get(each)?.find(isNorm));
    const stored = next?.input.map((each) => links.constants.numbers(each)).filter((each) => each !== undefined);
    found.push([`${part}.weight`, stored?.[0]], [`${part}.bias`, stored?.[1]]);
    name = next?.output[0];
  };
  product("attention.output.dense");
  norm("attention.output.LayerNorm");
  product("intermediate.dense");
  product("output.dense");
  norm("output.LayerNorm");
  return found;
}

/** The nearest thing found at a name or further on, breadth first, but not beyond a norm or another attention. */
function ahead<T>(start: string, { readers }: Links, find: (name: string) => T | undefined): T | undefined {
  const names = [start];
  for (let i = 0; i < names.length && i < nearby; i++) {
    const found = find(names[i]!);
    if (found) return found;
    for (const { opType, output } of readers.get(names[i]!) ?? []) {
      if (!norms.has(opType) && !attentions.has(opType))
        names.push(...output.slice(0, 4).filter((each) => !names.includes(each)));
    }
  }
  return undefined;
}
