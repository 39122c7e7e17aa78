import { describe, expect, it } from "vitest";
import { adamw, type OptimiserStep, sgd, squaredNorm } from "./optimiser.ts";
import { constant, linear } from "./schedule.ts";

function step(overrides: Partial<OptimiserStep>): OptimiserStep {
  const moments = [new Float32Array(2), new Float32Array(2)];
  return {
    params: Float32Array.of(1, -2),
    grads: Float32Array.of(0.5, -4),
    moments,
    start: 0,
    end: 2,
    rate: 0.1,
    decay: 0,
    scale: 1,
    count: 1,
    ...overrides,
  };
}

describe("adamw", () => {
  it("moves by the learning rate against the sign of the gradient at its first step", () => {
    const one = step({});
    adamw().update(one);
    expect(one.params[0]).toBeCloseTo(0.9, 6);
    expect(one.params[1]).toBeCloseTo(-1.9, 6);
  });

  it("follows the published recurrence over three steps, with decay and scaled gradients", () => {
    const one = step({ decay: 0.2, scale: 0.5 });
    let [p, m, v] = [1, 0, 0];
    for (let count = 1; count <= 3; count++) {
      adamw({ beta1: 0.8, beta2: 0.95, epsilon: 1e-6 }).update({ ...one, count });
      const g = 0.25;
      m = 0.8 * m + 0.2 * g;
      v = 0.95 * v + 0.05 * g * g;
      const [mHat, vHat] = [m / (1 - 0.8 ** count), v / (1 - 0.95 ** count)];
      p = p - 0.1 * 0.2 * p - (0.1 * mHat) / (Math.sqrt(vHat) + 1e-6);
    }
    expect(one.params[0]).toBeCloseTo(p, 5);
  });

  it("touches its range only", () => {
    const one = step({ start: 1 });
    adamw().update(one);
    expect(one.params[0]).toBe(1);
    expect(one.params[1]).not.toBe(-2);
  });
});

describe("sgd", () => {
  it("adds momentum: two equal gradients move by rate · (1 + 1.9)", () => {
    const one = step({});
    sgd({ momentum: 0.9 }).update(one);
    sgd({ momentum: 0.9 }).update(one);
    expect(one.params[0]).toBeCloseTo(1 - 0.1 * 0.5 * 2.9, 6);
  });
});

it("squaredNorm adds all squares, also when the length is no multiple of four", () => {
  expect(squaredNorm(Float32Array.of(1, 2, 3, 4, 5))).toBe(55);
  expect(squaredNorm(new Float32Array(0))).toBe(0);
});

describe("schedules", () => {
  it("linear rises over the warm-up and falls to zero", () => {
    const factor = linear({ warmup: 0.1 });
    expect([0, 0.05, 0.1, 0.55, 1].map(factor)).toEqual([0, 0.5, 1, 0.5, 0].map((x) => expect.closeTo(x, 12)));
  });

  it("constant stays after the warm-up", () => {
    expect([0, 0.5, 1].map(constant())).toEqual([1, 1, 1]);
    expect(constant({ warmup: 0.5 })(0.25)).toBe(0.5);
  });
});
