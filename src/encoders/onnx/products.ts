import type { OnnxNode } from "../../tensor/index.ts";
import { own } from "../../util/own.ts";
import type { NumberArray } from "../../util/safetensors.ts";
import { type OnnxConstants, turned } from "./constants.ts";

/** Who reads what in a graph. */
export interface Links {
  readonly readers: ReadonlyMap<string, readonly OnnxNode[]>;
  readonly constants: OnnxConstants;
}

/** A product with a matrix of the model, whichever nodes it takes. */
export interface Product {
  /** What is multiplied, before it is quantised. */
  readonly input: string;
  /** The product with its scale. */
  readonly output: string;
  /** `[in, out]` */
  readonly matrix: NumberArray;
  /** The vector that the node itself adds. */
  readonly bias?: string | undefined;
}

/** What may stand between a product and the sum with its bias. */
const passedBy = new Set(["Cast", "Mul"]);
/** Nodes that add a vector to a product, and which of their inputs it is; of a sum, it is the one that is stored. */
const adding: Readonly<Record<string, number>> = {
  BiasGelu: 1,
  FastGelu: 1,
  SkipLayerNormalization: 4,
};
const longestWay = 6;

export function productsOf(nodes: readonly OnnxNode[], links: Links): Product[] {
  return nodes.flatMap((node) => {
    const found = own(readings, node.opType)?.(node, links);
    return found?.matrix?.shape.length === 2 ? [found as Product] : [];
  });
}

type Reading = (
  node: OnnxNode,
  links: Links,
) => (Omit<Product, "matrix"> & { matrix: NumberArray | undefined }) | undefined;

const readings: Readonly<Record<string, Reading>> = {
  MatMul: ({ input: [x, matrix], output: [output] }, { constants }) =>
    x !== undefined && matrix !== undefined && output !== undefined
      ? { input: x, output, matrix: constants.numbers(matrix) }
      : undefined,
  Gemm: ({ input: [x, matrix, bias], output: [output], attribute }, { constants }) => {
    if (x === undefined || matrix === undefined || output === undefined) return undefined;
    const numbers = constants.numbers(matrix);
    const isTurned = attribute.some(({ name, i }) => name === "transB" && i === 1);
    return { input: x, output, bias: bias || undefined, matrix: isTurned ? turned(numbers) : numbers };
  },
  /** Cast to float and multiplied by both scales in two nodes behind it. */
  MatMulInteger: ({ input: [x, matrix, , zero], output: [output] }, links) => {
    if (x === undefined || matrix === undefined || output === undefined) return undefined;
    const { constants } = links;
    const scaled = scaleBehind(output, links);
    const known = constants.numbers(matrix);
    const numbers = known ?? (scaled && constants.dequantised(matrix, scaled.scale, zero || undefined));
    return { input: unquantised(x, constants), output: scaled?.output ?? output, matrix: numbers };
  },
  DynamicQuantizeMatMul: ({ input: [x, matrix, scale, zero, bias], output: [output] }, { constants }) => {
    if (x === undefined || matrix === undefined || scale === undefined || output === undefined) return undefined;
    const numbers = constants.dequantised(matrix, scale, zero || undefined);
    return { input: x, output, bias: bias || undefined, matrix: numbers };
  },
  MatMulIntegerToFloat: ({ input: [x, matrix, , scale, , zero, bias], output: [output] }, { constants }) => {
    if (x === undefined || matrix === undefined || scale === undefined || output === undefined) return undefined;
    const numbers = constants.dequantised(matrix, scale, zero || undefined);
    return { input: unquantised(x, constants), output, bias: bias || undefined, matrix: numbers };
  },
};

function unquantised(name: string, constants: OnnxConstants): string {
  const maker = constants.maker(name);
  return maker?.opType === "DynamicQuantizeLinear" ? (maker.input[0] ?? name) : name;
}

/** The weight's own scale in the product of scales that a cast product is multiplied by. */
function scaleBehind(product: string, { readers, constants }: Links): { scale: string; output: string } | undefined {
  const cast = readers.get(product)?.find(({ opType }) => opType === "Cast")?.output[0];
  const multiplied = cast === undefined ? undefined : readers.get(cast)?.find(({ opType }) => opType === "Mul");
  const scales = multiplied?.input.find((name) => name !== cast);
  const output = multiplied?.output[0];
  if (scales === undefined || output === undefined) return undefined;
  const scale = [scales, ...(constants.maker(scales)?.input ?? [])].find((name) => constants.shape(name) !== undefined);
  return scale === undefined ? undefined : { scale, output };
}

/** The name of the vector that is added to a product; undefined where none is. */
export function biasBehind(product: string, { readers, constants }: Links): string | undefined {
  let name: string | undefined = product;
  for (let way = 0; way < longestWay && name !== undefined; way++) {
    const [reader, second]: readonly (OnnxNode | undefined)[] = readers.get(name) ?? [];
    if (!reader || second) return undefined;
    if (reader.opType === "Add") return reader.input.find((each) => constants.shape(each)?.length === 1);
    const added = own(adding, reader.opType);
    if (added !== undefined) return reader.input[added] || undefined;
    name = passedBy.has(reader.opType) ? reader.output[0] : undefined;
  }
  return undefined;
}
