import { formatShape } from "./dims.ts";
import type { Node, Op, Tensor, TensorType } from "./types.ts";

let nextId = 0;

export function apply<A>(op: Op<A>, inputs: readonly Tensor[], attrs: A): Node {
  const types = op.type(inputs, attrs);
  const node: Node = { id: nextId++, op: op as Op, inputs, attrs, outputs: [] };
  for (const type of types) addOutput(node, type);
  return node;
}

/** The single output of an op. */
export function apply1<A>(op: Op<A>, inputs: readonly Tensor[], attrs: A): Tensor {
  return apply(op, inputs, attrs).outputs[0]!;
}

export function addOutput(node: Node, { dtype, shape }: TensorType): Tensor {
  const tensor: Tensor = { node, index: node.outputs.length, dtype, shape };
  node.outputs.push(tensor);
  return tensor;
}

/** A shape error: the op, the rule, and every operand. */
export function fail(op: string, rule: string, ...operands: readonly TensorType[]): never {
  const shapes = operands.map((operand) => `${operand.dtype} ${formatShape(operand.shape)}`).join(" and ");
  throw new TypeError(`${op}: ${rule}${shapes ? `, got ${shapes}` : ""}`);
}

/** All nodes that the tensors need, each after those it depends on. Iterative: graphs may be deeper than the stack. */
export function topological(outputs: readonly Tensor[], dependencies = (node: Node) => node.inputs): Node[] {
  const order: Node[] = [];
  const seen = new Set<Node>();
  const stack: { node: Node; entered: boolean }[] = [...outputs]
    .reverse()
    .map(({ node }) => ({ node, entered: false }));
  for (let top = stack.pop(); top; top = stack.pop()) {
    if (top.entered) order.push(top.node);
    else if (!seen.has(top.node)) {
      seen.add(top.node);
      stack.push({ node: top.node, entered: true });
      const needed = dependencies(top.node);
      for (let i = needed.length - 1; i >= 0; i--) stack.push({ node: needed[i]!.node, entered: false });
    }
  }
  return order;
}

/** The graph inputs that a tensor depends on, with their names. */
export function inputsOf(output: Tensor): { name: string; tensor: Tensor }[] {
  return topological([output])
    .filter(({ op }) => op.name === "input")
    .map(({ attrs, outputs: [tensor] }) => ({ name: (attrs as { name: string }).name, tensor: tensor! }));
}
