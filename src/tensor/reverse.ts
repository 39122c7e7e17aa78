import { topological } from "./graph.ts";
import { add } from "./ops/arithmetic.ts";
import { scalar } from "./ops/leaf.ts";
import { expand } from "./ops/shape.ts";
import type { Node, Tensor } from "./types.ts";

/**
 * Reverse mode, graph in → graph out: the gradients of a scalar with respect to tensors, as new tensors over the same
 * nodes. Where a tensor does not influence the scalar, its gradient is zero.
 */
export function gradients(loss: Tensor, wrt: readonly Tensor[]): Tensor[] {
  if (loss.shape.length > 0)
    throw new TypeError(`gradients: the loss must be a scalar, got [${loss.shape.join(", ")}]`);
  return backpropagate([[loss, scalar(1)]], wrt).map((grad, i) => grad ?? zeros(wrt[i]!));
}

/** Gradients of Σ ⟨output, seed⟩; undefined where nothing flows back. Nodes that are not `within` end the flow. */
export function backpropagate(
  seeds: readonly (readonly [output: Tensor, seed: Tensor])[],
  wrt: readonly Tensor[],
  within: (node: Node) => boolean = () => true,
): (Tensor | undefined)[] {
  const order = topological(
    seeds.map(([output]) => output),
    (node) => (within(node) ? node.inputs : []),
  ).filter(within);
  const onPath = dependents(order, wrt);
  const grads = new Map<Tensor, Tensor>();
  const flow = (tensor: Tensor, grad: Tensor | undefined): void => {
    if (!grad || tensor.dtype !== "float32" || !(onPath.has(tensor.node) || wrt.includes(tensor))) return;
    const before = grads.get(tensor);
    grads.set(tensor, before ? add(before, grad) : grad);
  };
  for (const [output, seed] of seeds) flow(output, seed);
  for (const node of order.reverse()) {
    const outputs = node.outputs.map((output) => grads.get(output));
    const grad = outputs.find((each) => each !== undefined);
    if (grad === undefined || node.op.gradient === "none" || !onPath.has(node)) continue;
    const { inputs, attrs } = node;
    const backward = { inputs, attrs: attrs as never, outputs: node.outputs, grads: outputs, grad: outputs[0] ?? grad };
    node.op.gradient(backward).forEach((inputGrad, i) => {
      flow(inputs[i]!, inputGrad);
    });
  }
  return wrt.map((tensor) => grads.get(tensor));
}

export function zeros({ shape }: Pick<Tensor, "shape">): Tensor {
  return expand(scalar(0), shape);
}

/** Nodes with an input that depends on one of the sources. */
export function dependents(order: readonly Node[], sources: readonly Tensor[]): Set<Node> {
  const roots = new Set(sources);
  const result = new Set<Node>();
  for (const node of order) {
    if (node.inputs.some((input) => roots.has(input) || result.has(input.node))) result.add(node);
  }
  return result;
}
