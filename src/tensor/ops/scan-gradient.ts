import { type Dim, times } from "../dims.ts";
import { addOutput, apply, topological } from "../graph.ts";
import { backpropagate, zeros } from "../reverse.ts";
import type { Backward, Node, Tensor } from "../types.ts";
import { add, addOp } from "./arithmetic.ts";
import { type MatmulAttrs, matmul, matmulOp } from "./matmul.ts";
import { inside, type ScanBody, stackType, stepValue } from "./scan-body.ts";
import { type ReduceAttrs, reshape, reshapeOp, sum, sumOp, transpose } from "./shape.ts";

interface Attrs extends ScanBody {
  readonly reverse: boolean;
}
type MakeScan = (initial: readonly Tensor[], sequences: readonly Tensor[], attrs: Attrs) => Node;

/**
 * The gradient of a scan is a scan in the other direction. Its carries are the gradients of the carries; its sequences
 * are the gradients of the stacked outputs and whatever the body's gradient needs of the forward pass (residuals), which
 * the forward scan is asked to stack. Gradients of captured weights that are products or sums over the step are taken
 * out of the loop: one tall product afterwards instead of one small product and one addition at each step.
 */
export function scanGradient(
  { inputs, outputs, attrs, grads }: Backward<Attrs>,
  makeScan: MakeScan,
): (Tensor | undefined)[] {
  const { carries, items, next, stacked, reverse } = attrs;
  const forward = outputs[0]!.node;
  const nodes = inside(attrs);
  const captured = inputs.slice(carries.length + items.length);

  const sequences: Tensor[] = [];
  const steps: Tensor[] = [];
  const receive = (sequence: Tensor, { dtype, shape }: Tensor): Tensor => {
    sequences.push(sequence);
    steps.push(stepValue({ dtype, shape }));
    return steps.at(-1)!;
  };

  const floats = carries.flatMap((carry, i) => (carry.dtype === "float32" ? [i] : []));
  const dCarries = floats.map((i) => stepValue(carries[i]!));
  const seeds: [Tensor, Tensor][] = floats.map((i, k) => [next[i]!, dCarries[k]!]);
  grads.slice(carries.length).forEach((grad, i) => {
    if (grad) seeds.push([stacked[i]!, receive(grad, stacked[i]!)]);
  });
  const wrt = [...floats.map((i) => carries[i]!), ...items, ...captured];
  const raw = backpropagate(seeds, wrt, (node) => nodes.has(node));

  const residuals = new Map<Tensor, Tensor>();
  const bodyGrads = substitute(raw, nodes, (tensor) => {
    const known = residuals.get(tensor) ?? receive(residual(forward, tensor), tensor);
    residuals.set(tensor, known);
    return known;
  });
  const nextGrads = floats.map((i, k) => bodyGrads[k] ?? zeros(carries[i]!));
  const itemGrads = bodyGrads.slice(floats.length, floats.length + items.length);
  const captureGrads = bodyGrads.slice(floats.length + items.length);

  const collected = itemGrads.filter((grad) => grad !== undefined);
  const sequenceOf = new Map(steps.map((step, i) => [step, sequences[i]!]));
  const variable = inside({
    carries: dCarries,
    items: steps,
    next: nextGrads,
    stacked: captureGrads.filter((g) => g !== undefined),
  });
  const stack = (tensor: Tensor): ((results: readonly Tensor[]) => Tensor) | undefined => {
    const sequence = sequenceOf.get(tensor);
    if (sequence) return () => sequence;
    if (!variable.has(tensor.node)) return undefined;
    const place = collected.includes(tensor) ? collected.indexOf(tensor) : collected.push(tensor) - 1;
    return (results) => results[place]!;
  };
  const totals: Tensor[] = [];
  const outer = captureGrads.map((grad) => {
    if (!grad) return undefined;
    const outside = hoist(grad, stack);
    if (outside) return outside;
    const place = totals.push(grad) - 1;
    return (_: readonly Tensor[], sums: readonly Tensor[]) => sums[place]!;
  });

  if (steps.length === 0) receive(inputs[carries.length]!, items[0]!);
  const running = totals.map(stepValue);
  const backward = makeScan([...floats.map((i) => grads[i] ?? zeros(carries[i]!)), ...totals.map(zeros)], sequences, {
    reverse: !reverse,
    carries: [...dCarries, ...running],
    items: steps,
    next: [...nextGrads, ...totals.map((grad, i) => add(running[i]!, grad))],
    stacked: [...collected],
  });
  const finals = backward.outputs.slice(0, floats.length);
  const sums = backward.outputs.slice(floats.length, floats.length + totals.length);
  const results = backward.outputs.slice(floats.length + totals.length);
  return [
    ...carries.map((_, i) => finals[floats.indexOf(i)]),
    ...itemGrads.map((grad) => (grad ? results[collected.indexOf(grad)] : undefined)),
    ...outer.map((build) => build?.(results, sums)),
  ];
}

/** The values of a body tensor at all steps: the sequence it came from, or a new output of the forward scan. */
function residual(forward: Node, tensor: Tensor): Tensor {
  const { carries, items, stacked } = forward.attrs as Attrs;
  const item = items.indexOf(tensor);
  if (item >= 0) return forward.inputs[carries.length + item]!;
  const known = stacked.indexOf(tensor);
  if (known >= 0) return forward.outputs[carries.length + known]!;
  stacked.push(tensor);
  return addOutput(forward, stackType(tensor, forward.inputs[carries.length]!.shape[0]!));
}

/** Rebuilds tensors with those of some nodes replaced. */
function substitute(
  tensors: readonly (Tensor | undefined)[],
  nodes: ReadonlySet<Node>,
  replace: (tensor: Tensor) => Tensor,
): (Tensor | undefined)[] {
  const rebuilt = new Map<Node, Node>();
  const resolve = (tensor: Tensor): Tensor =>
    nodes.has(tensor.node) ? replace(tensor) : (rebuilt.get(tensor.node)?.outputs[tensor.index] ?? tensor);
  const roots = tensors.filter((tensor) => tensor !== undefined);
  for (const node of topological(roots, (each) => (nodes.has(each) ? [] : each.inputs))) {
    if (nodes.has(node)) continue;
    const inputs = node.inputs.map(resolve);
    if (inputs.some((input, i) => input !== node.inputs[i]))
      rebuilt.set(node, apply(node.op, inputs, node.attrs as never));
  }
  return tensors.map((tensor) => tensor && resolve(tensor));
}

type Outside = (results: readonly Tensor[], sums: readonly Tensor[]) => Tensor;
type Stack = (tensor: Tensor) => ((results: readonly Tensor[]) => Tensor) | undefined;

/** Σ over steps of a product or a sum, computed from stacked operands after the loop; undefined for other gradients. */
function hoist(grad: Tensor, stack: Stack): Outside | undefined {
  const { op, inputs, attrs } = grad.node;
  if (op === (addOp as Node["op"])) {
    const [a, b] = inputs.map((input) => hoist(input, stack));
    return a && b && ((...step) => add(a(...step), b(...step)));
  }
  if (op === (reshapeOp as Node["op"])) {
    const inner = hoist(inputs[0]!, stack);
    return inner && ((...step) => reshape(inner(...step), grad.shape));
  }
  if (op === (sumOp as Node["op"])) {
    const terms = stack(inputs[0]!);
    const { axes, keep } = attrs as unknown as ReduceAttrs;
    const shifted = { axes: [0, ...axes.map((axis) => axis + 1)], keep };
    return terms && ((results) => reshape(sum(terms(results), shifted), grad.shape));
  }
  const { transA, transB, scale } = attrs as unknown as MatmulAttrs;
  if (op === (matmulOp as Node["op"]) && transA && !transB && inputs[0]!.shape.length === inputs[1]!.shape.length) {
    const [a, b] = inputs.map(stack);
    return a && b && ((results) => matmul(tall(a(results)), tall(b(results)), { transA: true, scale }));
  }
  return undefined;
}

/** `[time, …, rows, columns]` → `[…, time*rows, columns]`: the steps under one another. */
function tall(x: Tensor): Tensor {
  const rank = x.shape.length;
  const lead = Array.from({ length: rank - 3 }, (_, i) => i + 1);
  const moved = transpose(x, [...lead, 0, rank - 2, rank - 1]);
  const [time, rows, columns] = moved.shape.slice(-3) as [Dim, Dim, Dim];
  return reshape(moved, [...moved.shape.slice(0, -3), times(time, rows), columns]);
}
