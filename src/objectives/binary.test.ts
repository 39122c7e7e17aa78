import { describe, expect, it } from "vitest";
import { checkFunction, operand } from "../../test/support/gradients.ts";
import { input, runReference, type Tensor } from "../tensor/index.ts";
import { binaryLosses, hingeLosses } from "./binary.ts";

const scores = [-800, -40, -3, -0.5, 0.5, 2, 40, 800];

function losses(of: (scores: Tensor, labels: Tensor) => Tensor, label: number): number[] {
  const shape = [scores.length];
  const built = of(input("z", "float32", shape), input("y", "float32", shape));
  const [found] = runReference([built], {
    z: { shape, data: Float64Array.from(scores) },
    y: { shape, data: new Float64Array(scores.length).fill(label) },
  });
  return [...found!.data];
}

describe.each([
  ["binaryLosses", binaryLosses, (z: number) => (z > 700 ? 0 : z < -700 ? -z : Math.log1p(Math.exp(-z)))],
  ["hingeLosses", hingeLosses, (z: number) => Math.max(0, 1 - z)],
] as const)("%s", (_, of, expected) => {
  it("are those of the definition, for scores of any size", () => {
    for (const label of [0, 1])
      losses(of, label).forEach((loss, i) => {
        expect(loss).toBeCloseTo(expected((label === 1 ? 1 : -1) * scores[i]!), 9);
      });
  });

  it("have the gradient that differences give", async () => {
    await checkFunction(of, [operand([2, 3]), operand([2, 3], { fill: (_rng, i) => i % 2 })], { gradient: true });
  });
});
