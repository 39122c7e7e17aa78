import { erf as errorFunction } from "../erf.ts";
import { apply, apply1, fail } from "../graph.ts";
import type { Op, Tensor } from "../types.ts";
import { elements, value } from "../value.ts";
import { elementwise, erf, exp, mul, add as plus, sub } from "./arithmetic.ts";
import { mean } from "./reduce.ts";
import { sumTo } from "./shape.ts";

/** Normalises the last axis to mean 0 and variance 1, then scales and shifts. Mean and inverse deviation are kept for the gradient. */
export const layerNormOp: Op<{ readonly epsilon: number }> = {
  name: "layerNorm",
  type: ([x, scale, shift]) => {
    const width = x!.shape.at(-1);
    for (const p of [scale!, shift!]) {
      if (p.shape.length !== 1 || p.shape[0] !== width)
        fail("layerNorm", "scale and shift must have the width of the last axis", x!, p);
    }
    const kept = [...x!.shape.slice(0, -1), 1];
    return [x!, { dtype: "float32", shape: kept }, { dtype: "float32", shape: kept }];
  },
  gradient: ({ inputs: [x, scale, shift], outputs: [, centre, inverse], grad }) => {
    const unit = mul(sub(x!, centre!), inverse!);
    const dUnit = mul(grad, scale!);
    const across = { axes: -1, keep: true };
    const inner = sub(sub(dUnit, mean(dUnit, across)), mul(unit, mean(mul(dUnit, unit), across)));
    return [mul(inner, inverse!), sumTo(mul(grad, unit), scale!.shape), sumTo(grad, shift!.shape)];
  },
  reference: ([x, scale, shift], { epsilon }, [out, kept]) => {
    const width = x!.shape.at(-1)!;
    const [result, centre, inverse] = [
      value(out!.shape, () => 0),
      value(kept!.shape, () => 0),
      value(kept!.shape, () => 0),
    ];
    for (let row = 0; row < elements(kept!.shape); row++) {
      const line = x!.data.subarray(row * width, (row + 1) * width);
      const average = line.reduce((a, b) => a + b, 0) / width;
      const variance = line.reduce((a, b) => a + (b - average) ** 2, 0) / width;
      centre.data[row] = average;
      inverse.data[row] = 1 / Math.sqrt(variance + epsilon);
      line.forEach((a, i) => {
        result.data[row * width + i] = (a - average) * inverse.data[row]! * scale!.data[i]! + shift!.data[i]!;
      });
    }
    return [result, centre, inverse];
  },
  lower: (to, inputs, { epsilon }) =>
    to.nodes("LayerNormalization", inputs, 3, { axis: -1, epsilon: { float: epsilon } }),
};

export function layerNorm(x: Tensor, scale: Tensor, shift: Tensor, epsilon = 1e-12): Tensor {
  return apply(layerNormOp, [x, scale, shift], { epsilon }).outputs[0]!;
}

/** x·Φ(x), with the exact normal distribution function. */
export const geluOp: Op<null> = {
  name: "gelu",
  type: ([x]) => (x!.dtype === "float32" ? [x!] : fail("gelu", "operand must be float32", x!)),
  gradient: ({ inputs: [x], grad }) => {
    const cumulative = plus(mul(erf(mul(x!, Math.SQRT1_2)), 0.5), 0.5);
    const density = mul(exp(mul(mul(x!, x!), -0.5)), 1 / Math.sqrt(2 * Math.PI));
    return [mul(grad, plus(cumulative, mul(x!, density)))];
  },
  reference: ([x], _, [out]) => [
    elementwise(out!.shape, [x!], (a) => (a! / 2) * (1 + errorFunction(a! * Math.SQRT1_2))),
  ],
  lower: (to, inputs) => [to.node("Gelu", inputs)],
};

export function gelu(x: Tensor): Tensor {
  return apply1(geluOp, [x], null);
}
