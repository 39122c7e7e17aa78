import { sameShape } from "../dims.ts";
import { apply, fail } from "../graph.ts";
import { interpret } from "../reference.ts";
import type { Node, Op, Tensor } from "../types.ts";
import { elements, type Value, value } from "../value.ts";
import { captures, type ScanBody, stackType, stepValue } from "./scan-body.ts";
import { scanGradient } from "./scan-gradient.ts";

export interface ScanAttrs extends ScanBody {
  readonly reverse: boolean;
}

/**
 * A loop over the first axis. Inputs: initial carries, sequences `[time, …]`, captured outer tensors. Outputs: final
 * carries, then stacked values `[time, …]`. The gradient is a second scan in the other direction.
 */
export const scanOp: Op<ScanAttrs> = {
  name: "scan",
  type: (inputs, { carries, items, next, stacked }) => {
    carries.forEach((carry, i) => {
      if (next[i]!.dtype !== carry.dtype || !sameShape(next[i]!.shape, carry.shape)) {
        fail("scan", `carry ${i} must keep its type from step to step`, carry, next[i]!);
      }
    });
    const time = inputs[carries.length]!.shape[0]!;
    items.forEach((_, i) => {
      const sequence = inputs[carries.length + i]!;
      if (sequence.shape[0] !== time)
        fail("scan", "sequences must have the same length", inputs[carries.length]!, sequence);
    });
    return [...carries, ...stacked.map((tensor) => stackType(tensor, time))];
  },
  gradient: (backward) => scanGradient(backward, makeScan),
  reference: (inputs, { reverse, carries, items, next, stacked }, outputs, size) => {
    const captured = captures({ carries, items, next, stacked });
    const sequences = inputs.slice(carries.length, carries.length + items.length);
    const known = new Map<Tensor, Value>(
      captured.map((tensor, i) => [tensor, inputs[carries.length + items.length + i]!]),
    );
    const results = outputs.slice(carries.length).map(({ shape }) => value(shape, () => 0));
    let state = inputs.slice(0, carries.length);
    const length = sequences[0]!.shape[0]!;
    for (let step = 0; step < length; step++) {
      const at = reverse ? length - 1 - step : step;
      for (const [i, carry] of carries.entries()) known.set(carry, state[i]!);
      for (const [i, item] of items.entries()) known.set(item, sliceAt(sequences[i]!, at));
      const values = interpret([...next, ...stacked], known, size);
      state = values.slice(0, carries.length);
      results.forEach((result, i) => {
        const { data } = values[carries.length + i]!;
        result.data.set(data, at * data.length);
      });
    }
    return [...state, ...results];
  },
  lower: (to, inputs, { reverse, carries, items, next, stacked }, node) => {
    const wanted = stacked.filter((_, i) => to.needs(node.outputs[carries.length + i]!));
    const direction = (count: number): number[] => new Array<number>(count).fill(reverse ? 1 : 0);
    const names = to.nodes("Scan", inputs.slice(0, carries.length + items.length), carries.length + wanted.length, {
      body: to.body([...carries, ...items], [...next, ...wanted]),
      num_scan_inputs: items.length,
      scan_input_directions: direction(items.length),
      scan_output_directions: direction(wanted.length),
    });
    let at = carries.length;
    return node.outputs.map((_, i) =>
      i < carries.length ? names[i]! : wanted.includes(stacked[i - carries.length]!) ? names[at++]! : "",
    );
  },
};

export interface ScanStep {
  readonly carries: readonly Tensor[];
  readonly stacked?: readonly Tensor[];
}

export interface ScanResult {
  readonly carries: readonly Tensor[];
  readonly stacked: readonly Tensor[];
}

/** Runs `body` over the first axis of the sequences. Outer tensors may be used in the body as they are. */
export function scan(
  initial: readonly Tensor[],
  sequences: readonly Tensor[],
  body: (carries: readonly Tensor[], items: readonly Tensor[]) => ScanStep,
  { reverse = false }: { readonly reverse?: boolean } = {},
): ScanResult {
  if (sequences.length === 0) fail("scan", "needs at least one sequence");
  const carries = initial.map(stepValue);
  const items = sequences.map(({ dtype, shape }) => stepValue({ dtype, shape: shape.slice(1) }));
  const { carries: next, stacked = [] } = body(carries, items);
  return split(makeScan(initial, sequences, { reverse, carries, items, next, stacked: [...stacked] }));
}

function makeScan(initial: readonly Tensor[], sequences: readonly Tensor[], attrs: ScanAttrs): Node {
  return apply(scanOp, [...initial, ...sequences, ...captures(attrs)], attrs);
}

function split(node: Node): ScanResult {
  const { carries } = node.attrs as ScanAttrs;
  return { carries: node.outputs.slice(0, carries.length), stacked: node.outputs.slice(carries.length) };
}

function sliceAt({ shape, data }: Value, at: number): Value {
  const size = elements(shape.slice(1));
  return { shape: shape.slice(1), data: data.subarray(at * size, (at + 1) * size) };
}
