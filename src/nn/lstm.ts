import {
  add,
  concat,
  flip,
  matmul,
  mul,
  reshape,
  scan,
  sigmoid,
  slice,
  split,
  type Tensor,
  tanh,
  transpose,
  unsqueeze,
  zeros,
} from "../tensor/index.ts";
import { glorot, type Initialiser } from "./initialise.ts";
import { widthOf } from "./layers.ts";
import type { Parameters } from "./parameters.ts";

/**
 * A long short-term memory over `x` of shape `[batch, time, width]`, with `mask` `[batch, time]` of ones and zeros.
 * Both directions run in one scan, as a batch of two products: `[batch, time, 2 * units]`. Where the mask is 0 the state
 * is 0, so that padding on the right influences nothing in either direction.
 */
export function bilstm(params: Parameters, name: string, x: Tensor, mask: Tensor, units: number): Tensor {
  const [forward, backward] = split(project(params, name, x, units, 2), -1, [4 * units, 4 * units]) as [Tensor, Tensor];
  const time = (y: Tensor): Tensor => transpose(y, [1, 0, 2]);
  const both = (a: Tensor, b: Tensor): Tensor => concat([unsqueeze(a, 1), unsqueeze(flip(b, 0), 1)], 1); // [time, 2, batch, …]
  const marks = time(unsqueeze(mask, -1));
  const states = recur(params, name, both(time(forward), time(backward)), both(marks, marks), units);
  const [left, right] = [0, 1].map((k) => {
    const one = slice(states, 1, k, k + 1);
    return reshape(one, [one.shape[0]!, one.shape[2]!, units]);
  }) as [Tensor, Tensor];
  return concat([time(left), time(flip(right, 0))], -1);
}

/** One direction only: `[batch, time, units]`. */
export function lstm(params: Parameters, name: string, x: Tensor, mask: Tensor, units: number): Tensor {
  const steps = (y: Tensor): Tensor => unsqueeze(transpose(y, [1, 0, 2]), 1); // [time, 1, batch, …]
  const states = recur(params, name, steps(project(params, name, x, units, 1)), steps(unsqueeze(mask, -1)), units);
  const one = reshape(states, [states.shape[0]!, states.shape[2]!, units]);
  return transpose(one, [1, 0, 2]);
}

/** The part of the gates that depends on the input alone, for all steps and directions in one product. */
function project(params: Parameters, name: string, x: Tensor, units: number, directions: number): Tensor {
  const width = directions * 4 * units;
  const weight = params.declare(`${name}.input`, [widthOf(x), width], glorotOfGates(4 * directions));
  return add(matmul(x, weight), params.declare(`${name}.bias`, [width], openForgetGates(units)));
}

/** Gates `[time, directions, batch, 4 * units]` in the order input, forget, output, candidate → states. */
function recur(params: Parameters, name: string, gates: Tensor, marks: Tensor, units: number): Tensor {
  const [, directions, batch] = gates.shape;
  const weight = params.declare(`${name}.recurrent`, [directions as number, units, 4 * units], glorotOfGates(4));
  const start = zeros({ shape: [directions!, batch!, units] });
  const { stacked } = scan([start, start], [gates, marks], ([state, cell], [gate, mark]) => {
    const sums = add(gate!, matmul(state!, weight));
    const [opening, candidate] = split(sums, -1, [3 * units, units]) as [Tensor, Tensor];
    const [enter, keep, leave] = split(sigmoid(opening), -1, [units, units, units]) as [Tensor, Tensor, Tensor];
    const nextCell = mul(mark!, add(mul(keep, cell!), mul(enter, tanh(candidate))));
    const nextState = mul(leave, tanh(nextCell));
    return { carries: [nextState, nextCell], stacked: [nextState] };
  });
  return stacked[0]!;
}

/** The scale that one gate alone would have, whatever number of gates stand side by side. */
const glorotOfGates =
  (gates: number): Initialiser =>
  (target, shape, rng) => {
    glorot(target, [...shape.slice(0, -1), shape.at(-1)! / gates], rng);
  };

/** Forget gates start open, so that gradients reach back from the first step on. */
const openForgetGates =
  (units: number): Initialiser =>
  (target) => {
    for (let i = 0; i < target.length; i++) target[i] = Math.floor(i / units) % 4 === 1 ? 1 : 0;
  };
