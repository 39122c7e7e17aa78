import { type Shape, sameShape } from "./dims.ts";
import { apply, topological } from "./graph.ts";
import type { MatmulAttrs } from "./ops/matmul.ts";
import { type Piece, slice } from "./ops/pieces.ts";
import type { Node, Tensor } from "./types.ts";

type Range = readonly [start: number, end: number];

/** The ranges of one axis that are used: in order, apart from one another, and less than the whole. */
interface Cut {
  readonly axis: number;
  readonly ranges: readonly Range[];
}

/** The axis of each input that an axis of the output is made from, undefined for an input that is needed as a whole. */
type Origin = (node: Node, axis: number) => readonly (number | undefined)[] | undefined;

/** Ops whose output can be computed in part, from parts of their inputs. */
const origins: Readonly<Record<string, Origin>> = {
  add: elementwise,
  sub: elementwise,
  mul: elementwise,
  reshape: ({ inputs: [x], outputs: [y] }, axis) => {
    const tail = y!.shape.slice(axis);
    return sameShape(x!.shape.slice(-tail.length), tail) ? [x!.shape.length - tail.length] : undefined;
  },
  matmul: ({ inputs: [a, b], outputs: [y], attrs }, axis) => {
    const { transA, transB } = attrs as MatmulAttrs;
    if (axis === y!.shape.length - 1) return [undefined, b!.shape.length - (transB ? 2 : 1)];
    return axis === y!.shape.length - 2 ? [a!.shape.length - (transA ? 1 : 2), undefined] : undefined;
  },
};

/**
 * Where only slices of a product are used, the slices of its operand give the same for less: what is cut off is not
 * computed. The gradient of parts side by side, of which some are fixed, is such a product. Returns what stands for
 * slices that are in the graph; the graph itself is not changed.
 */
export function narrow(outputs: readonly Tensor[]): ReadonlyMap<Tensor, Tensor> {
  const order = topological(outputs);
  const cuts = cutsOf(order, outputs);
  const parts = new Map<Tensor, readonly Tensor[]>();
  const instead = new Map<Tensor, Tensor>();
  const partOf = (tensor: Tensor, axis: number, [start, end]: Range): Tensor => {
    const ranges = cuts.get(tensor)?.ranges ?? [];
    const which = ranges.findIndex(([from, to]) => from <= start && end <= to);
    if (which < 0) return slice(tensor, axis, start, end);
    const from = ranges[which]![0];
    return slice(parts.get(tensor)![which]!, axis, start - from, end - from);
  };
  for (const node of order) {
    const [output] = node.outputs;
    const piece = fixedPiece(node);
    if (piece && cuts.has(node.inputs[0]!))
      instead.set(output!, partOf(node.inputs[0]!, piece.axis, [piece.start, piece.end]));
    const cut = cuts.get(output!);
    if (!cut) continue;
    const axes = origins[node.op.name]!(node, cut.axis)!;
    const build = (range: Range): Tensor => {
      const inputs = node.inputs.map((input, i) => (axes[i] === undefined ? input : partOf(input, axes[i], range)));
      return apply(node.op, inputs, narrowAttrs(node, cut.axis, range) as never).outputs[0]!;
    };
    parts.set(output!, cut.ranges.map(build));
  }
  return instead;
}

/** Tensors that can be computed in part and of which only parts are used. Users are looked at before what they use. */
function cutsOf(order: readonly Node[], outputs: readonly Tensor[]): Map<Tensor, Cut> {
  const wanted = new Map<Tensor, Cut | "all">(outputs.map((tensor) => [tensor, "all"]));
  const cuts = new Map<Tensor, Cut>();
  const want = (tensor: Tensor, cut: Cut | "all"): void => {
    const before = wanted.get(tensor);
    const fits = cut !== "all" && before !== "all" && (before === undefined || before.axis === cut.axis);
    wanted.set(tensor, fits ? { axis: cut.axis, ranges: [...(before?.ranges ?? []), ...cut.ranges] } : "all");
  };
  for (const node of order.toReversed()) {
    const cut = cutOf(node, wanted);
    if (cut) cuts.set(node.outputs[0]!, cut);
    const piece = fixedPiece(node);
    const axes = cut && origins[node.op.name]!(node, cut.axis);
    node.inputs.forEach((input, i) => {
      const axis = axes?.[i];
      if (piece) want(input, { axis: piece.axis, ranges: [[piece.start, piece.end]] });
      else want(input, axis === undefined ? "all" : { axis, ranges: cut!.ranges });
    });
  }
  return cuts;
}

function cutOf(node: Node, wanted: ReadonlyMap<Tensor, Cut | "all">): Cut | undefined {
  const [output] = node.outputs;
  const use = output && wanted.get(output);
  if (!use || use === "all" || !origins[node.op.name]?.(node, use.axis)) return undefined;
  const ranges = merged(use.ranges);
  const isWhole = ranges.reduce((sum, [start, end]) => sum + end - start, 0) === output.shape[use.axis];
  return isWhole ? undefined : { axis: use.axis, ranges };
}

/** Ranges that overlap or touch as one. */
function merged(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const [start, end] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = result.at(-1);
    if (last && start <= last[1]) result[result.length - 1] = [last[0], Math.max(last[1], end)];
    else result.push([start, end]);
  }
  return result;
}

/** A slice of an axis of fixed size. */
function fixedPiece({ op, inputs: [x], attrs }: Node): { axis: number; start: number; end: number } | undefined {
  if (op.name !== "slice") return undefined;
  const { axis, start, end } = attrs as Piece;
  return [start, end, x!.shape[axis]].every((dim) => typeof dim === "number")
    ? { axis, start: start as number, end: end as number }
    : undefined;
}

function elementwise({ inputs, outputs: [y] }: Node, axis: number): (number | undefined)[] {
  return inputs.map(({ shape }) => {
    const own = axis - y!.shape.length + shape.length;
    return own < 0 || shape[own] === 1 ? undefined : own;
  });
}

/** Only a new shape is among what an op is told. */
function narrowAttrs({ op, attrs }: Node, axis: number, [start, end]: Range): unknown {
  return op.name === "reshape" ? { shape: (attrs as { shape: Shape }).shape.with(axis, end - start) } : attrs;
}
