import { one, type Parameters, zero } from "../../nn/index.ts";
import { matmul, mul, reshape, softmax, type Tensor, unsqueeze } from "../../tensor/index.ts";

/**
 * A learned mean of layers, times a learned number (Peters et al. 2018): `[batch, time, layers * width]` → `[batch, time,
 * width]`. At first all layers count alike. A single layer is taken as it is.
 */
export function layerMix(params: Parameters, name: string, states: Tensor, layers: number): Tensor {
  if (layers === 1) return states;
  const [batch, time, all] = states.shape as [Tensor["shape"][0], Tensor["shape"][0], number];
  const width = all / layers;
  const weights = softmax(params.declare(`${name}.mix`, [layers], zero, { decay: false }));
  const mixed = matmul(unsqueeze(weights, 0), reshape(states, [batch!, time!, layers, width])); // [batch, time, 1, width]
  const scale = params.declare(`${name}.scale`, [1], one, { decay: false });
  return mul(reshape(mixed, [batch!, time!, width]), scale);
}
