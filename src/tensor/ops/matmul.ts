import { broadcast, type Dim, type Shape } from "../dims.ts";
import { apply1, fail } from "../graph.ts";
import type { Lowering, Op, Tensor } from "../types.ts";
import { elements, strides, value, walk } from "../value.ts";
import { flatten, sumTo } from "./shape.ts";

export interface MatmulAttrs {
  /** Read the last two axes of a, or of b, as swapped. */
  readonly transA: boolean;
  readonly transB: boolean;
  /** A factor on the product, which costs nothing there. */
  readonly scale: number;
}

/** Matrix products over the last two axes, leading axes broadcast. */
export const matmulOp: Op<MatmulAttrs> = {
  name: "matmul",
  type: ([a, b], { transA, transB }) => {
    if (a!.dtype !== "float32" || b!.dtype !== "float32") fail("matmul", "operands must be float32", a!, b!);
    if (a!.shape.length < 2 || b!.shape.length < 2) fail("matmul", "operands need two axes or more", a!, b!);
    const [rows, inner] = matrix(a!.shape, transA);
    const [innerB, columns] = matrix(b!.shape, transB);
    if (inner !== innerB) {
      fail(
        "matmul",
        `columns of a${transA ? "ᵀ" : ""} (${inner}) must equal rows of b${transB ? "ᵀ" : ""} (${innerB})`,
        a!,
        b!,
      );
    }
    const lead =
      broadcast(a!.shape.slice(0, -2), b!.shape.slice(0, -2)) ?? fail("matmul", "leading axes must broadcast", a!, b!);
    return [{ dtype: "float32", shape: [...lead, rows, columns] }];
  },
  gradient: ({ inputs: [a, b], attrs: { transA, transB, scale }, grad }) => {
    const da = transA
      ? matmul(b!, grad, { transA: transB, transB: true, scale })
      : matmul(grad, b!, { transB: !transB, scale });
    // A weight that meets many matrices: one tall product is far faster than a batch that is summed afterwards.
    if (b!.shape.length === 2 && a!.shape.length > 2 && !transA) {
      const [x, g] = [flatten(a!), flatten(grad)];
      return [da, transB ? matmul(g, x, { transA: true, scale }) : matmul(x, g, { transA: true, scale })];
    }
    const db = transB
      ? matmul(grad, a!, { transA: true, transB: transA, scale })
      : matmul(a!, grad, { transA: !transA, scale });
    return [sumTo(da, a!.shape), sumTo(db, b!.shape)];
  },
  reference: ([a, b], { transA, transB, scale }, [out]) => {
    const lead = out!.shape.slice(0, -2);
    const [rows, columns] = out!.shape.slice(-2) as [number, number];
    const inner = a!.shape.at(transA ? -2 : -1)!;
    const [aColumns, bColumns] = [a!.shape.at(-1)!, b!.shape.at(-1)!];
    const result = value(out!.shape, () => 0);
    walk(lead, [matrixStrides(a!.shape, lead), matrixStrides(b!.shape, lead)], (index, [aStart, bStart]) => {
      for (let i = 0; i < rows; i++) {
        for (let j = 0; j < columns; j++) {
          let total = 0;
          for (let k = 0; k < inner; k++) {
            const x = a!.data[aStart! + (transA ? k * aColumns + i : i * aColumns + k)]!;
            total += x * b!.data[bStart! + (transB ? j * bColumns + k : k * bColumns + j)]!;
          }
          result.data[(index * rows + i) * columns + j] = scale * total;
        }
      }
    });
    return [result];
  },
  lower: (to, inputs, attrs, node) => [lowerMatmul(to, inputs as [string, string], attrs, node.inputs)],
};

export function matmul(
  a: Tensor,
  b: Tensor,
  { transA = false, transB = false, scale = 1 }: Partial<MatmulAttrs> = {},
): Tensor {
  return apply1(matmulOp, [a, b], { transA, transB, scale });
}

function lowerMatmul(
  to: Lowering,
  [a, b]: [string, string],
  { transA, transB, scale }: MatmulAttrs,
  [x, y]: readonly Tensor[],
): string {
  if (!transA && !transB && scale === 1) return to.node("MatMul", [a, b]);
  const flags = { transA: transA ? 1 : 0, transB: transB ? 1 : 0, alpha: { float: scale } };
  if (x!.shape.length === 2 && y!.shape.length === 2) return to.node("Gemm", [a, b], flags);
  if (!to.portable) return to.node("FusedMatMul", [a, b], flags, "com.microsoft");
  const swapped = (name: string, { shape }: Tensor): string => {
    const axes = shape.map((_, axis) => axis);
    return to.node("Transpose", [name], { perm: [...axes.slice(0, -2), axes.length - 1, axes.length - 2] });
  };
  const product = to.node("MatMul", [transA ? swapped(a, x!) : a, transB ? swapped(b, y!) : b]);
  return scale === 1 ? product : to.node("Mul", [product, to.constant("float32", [], [scale])]);
}

function matrix(shape: Shape, transposed: boolean): [Dim, Dim] {
  const [rows, columns] = shape.slice(-2) as [Dim, Dim];
  return transposed ? [columns, rows] : [rows, columns];
}

function matrixStrides(shape: readonly number[], lead: readonly number[]): number[] {
  const size = elements(shape.slice(-2));
  return strides(shape.slice(0, -2), lead).map((stride) => stride * size);
}
