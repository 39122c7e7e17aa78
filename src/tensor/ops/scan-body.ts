import { apply, topological } from "../graph.ts";
import { dependents } from "../reverse.ts";
import type { Node, Op, Tensor, TensorType } from "../types.ts";

/** A loop body: what it is given at each step, what it hands on, and what is collected. */
export interface ScanBody {
  readonly carries: readonly Tensor[];
  readonly items: readonly Tensor[];
  readonly next: readonly Tensor[];
  /** Body tensors whose values at all steps are outputs. Grows when reverse mode needs more of them. */
  readonly stacked: Tensor[];
}

/** A value that the loop gives its body at each step. */
export const stepOp: Op<TensorType> = {
  name: "step",
  type: (_, type) => [type],
  gradient: "none",
  reference: () => outsideOfScan(),
  lower: () => outsideOfScan(),
};

function outsideOfScan(): never {
  throw new TypeError("step: a value of a scan body was used outside of its scan");
}

/** Stands for a value that the loop has anew at every step (a carry, or an item of a sequence) while its body is built. */
export function stepValue({ dtype, shape }: TensorType): Tensor {
  return apply(stepOp, [], { dtype, shape }).outputs[0]!;
}

/** The type of a body tensor collected over all steps. */
export function stackType({ dtype, shape }: TensorType, time: TensorType["shape"][number]): TensorType {
  return { dtype, shape: [time, ...shape] };
}

/** Nodes of a body that depend on the step. */
export function inside({ carries, items, next, stacked }: ScanBody): Set<Node> {
  const stepValues = [...carries, ...items];
  const nodes = dependents(topological([...next, ...stacked]), stepValues);
  for (const { node } of stepValues) nodes.add(node);
  return nodes;
}

/** Outer tensors that a body uses: computed once, outside of the loop. */
export function captures(body: ScanBody): Tensor[] {
  const nodes = inside(body);
  const used = [...nodes].flatMap((node) => node.inputs);
  return [...new Set([...used, ...body.next, ...body.stacked])].filter((tensor) => !nodes.has(tensor.node));
}
