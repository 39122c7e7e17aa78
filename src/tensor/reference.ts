import { type Dim, evaluate } from "./dims.ts";
import { topological } from "./graph.ts";
import type { Node, Tensor } from "./types.ts";
import type { Value } from "./value.ts";

/** Runs a graph in float64 by the reference kernels: slow, and the oracle of all else. Feeds are keyed by input name. */
export function runReference(outputs: readonly Tensor[], feeds: Readonly<Record<string, Value>>): Value[] {
  const known = new Map<Tensor, Value>();
  const bindings = new Map<string, number>();
  for (const {
    op,
    attrs,
    outputs: [tensor],
  } of topological(outputs)) {
    if (op.name !== "input") continue;
    const { name } = attrs as { name: string };
    const fed = feeds[name];
    if (!fed) throw new RangeError(`reference: no value was given for input "${name}"`);
    tensor!.shape.forEach((dim, axis) => {
      if (typeof dim === "string") bindings.set(dim, fed.shape[axis]!);
    });
    known.set(tensor!, fed);
  }
  return interpret(outputs, known, (dim) => evaluate(dim, bindings));
}

/** Computes tensors from some that are known. */
export function interpret(
  outputs: readonly Tensor[],
  known: ReadonlyMap<Tensor, Value>,
  size: (dim: Dim) => number,
): Value[] {
  const values = new Map(known);
  const unknownInputs = (node: Node): readonly Tensor[] =>
    node.outputs.some((tensor) => known.has(tensor)) ? [] : node.inputs;
  for (const node of topological(outputs, unknownInputs)) {
    if (node.outputs.some((tensor) => known.has(tensor))) continue;
    const types = node.outputs.map(({ dtype, shape }) => ({ dtype, shape: shape.map(size) }));
    const results = node.op.reference(
      node.inputs.map((tensor) => values.get(tensor)!),
      node.attrs as never,
      types,
      size,
    );
    node.outputs.forEach((tensor, i) => {
      values.set(tensor, results[i]!);
    });
  }
  return outputs.map((tensor) => values.get(tensor)!);
}
