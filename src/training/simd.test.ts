import { describe, expect, it } from "vitest";
import { gaussian, random } from "../util/random.ts";
import { adamw } from "./optimiser.ts";
import { simdArrays, vectors } from "./simd.ts";

describe("the assembled AdamW kernel", () => {
  it("equals the plain loop to float32 precision over several steps, also when the size is no multiple of four", () => {
    const size = 1003;
    const { arrays, kernels } = simdArrays(size, 4);
    const [params, grads, mean, square] = arrays as [Float32Array, Float32Array, Float32Array, Float32Array];
    const rng = random(5, "simd");
    for (let i = 0; i < size; i++) params[i] = gaussian(rng);
    const plain = { params: params.slice(), moments: [new Float32Array(size), new Float32Array(size)] };
    const [rate, decay, scale, beta1, beta2, epsilon] = [0.01, 0.1, 0.7, 0.9, 0.999, 1e-8];
    for (let count = 1; count <= 5; count++) {
      for (let i = 0; i < size; i++) grads[i] = gaussian(rng);
      adamw({ beta1, beta2, epsilon }).update({ ...plain, grads, start: 0, end: size, rate, decay, scale, count });
      kernels.adamw(
        params.byteOffset,
        grads.byteOffset,
        mean.byteOffset,
        square.byteOffset,
        params.byteOffset + 4 * vectors(size),
        beta1,
        1 - beta1,
        beta2,
        1 - beta2,
        scale,
        rate / (1 - beta1 ** count),
        1 / (1 - beta2 ** count),
        epsilon,
        1 - rate * decay,
      );
    }
    params.forEach((value, i) => {
      expect(Math.abs(value - plain.params[i]!)).toBeLessThan(3e-6);
    });
  });
});
