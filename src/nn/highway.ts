import { add, mul, relu, sigmoid, sub, type Tensor } from "../tensor/index.ts";
import { linear, widthOf } from "./layers.ts";
import type { Parameters } from "./parameters.ts";

/** A layer that lets a share of its input through as it is, a learned one for each number (Srivastava et al. 2015). */
export function highway(params: Parameters, name: string, x: Tensor): Tensor {
  const width = widthOf(x);
  const gate = sigmoid(linear(params, `${name}.gate`, x, width));
  return add(mul(gate, relu(linear(params, name, x, width))), mul(sub(1, gate), x));
}
