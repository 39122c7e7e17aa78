import { describe, expect, it } from "vitest";
import { constant, logSoftmax, runReference, type Tensor, value } from "../../tensor/index.ts";
import type { Mix } from "../head.ts";
import { mixed, retrieved } from "./retrieval.ts";

function numbers(tensor: Tensor, feeds: Parameters<typeof runReference>[1] = {}): number[] {
  return [...runReference([tensor], feeds)[0]!.data];
}

const close = (values: readonly number[], digits = 6): number[] => values.map((each) => expect.closeTo(each, digits));

describe("what the centroids say", () => {
  it("is the softmax of the cosines, with no share for O", () => {
    const shares = numbers(retrieved(constant([3, 0, 0, 2], [1, 2, 2]), constant([0, 1, 1, 0, 1, 1], [3, 2])));
    const e = Math.exp(1);
    const half = Math.exp(Math.SQRT1_2);
    const expected = [0, e / (1 + e + half), half / (1 + e + half), 0, 1 / (1 + e + half), half / (1 + e + half)];
    expect(shares).toEqual(close(expected));
  });

  it("lies between 0.12 and 0.88 for one type", () => {
    const shares = (x: number) => numbers(retrieved(constant([x, 0], [1, 1, 2]), constant([-1, 0, 1, 0], [2, 2])))[1]!;
    expect(shares(1)).toBeCloseTo(1 / (1 + Math.exp(-2)), 6);
    expect(shares(-1)).toBeCloseTo(1 / (1 + Math.exp(2)), 6);
  });

  it("gives labels without a centroid no share, and nothing at all where there is none", () => {
    const one = numbers(retrieved(constant([1, 0], [1, 1, 2]), constant([0, 1, 1, 0, 0, 0], [3, 2])));
    expect(one).toEqual(close([0, Math.exp(1) / (1 + Math.exp(1)), 0]));
    expect(numbers(retrieved(constant([1, 0], [1, 1, 2]), constant(new Array<number>(6).fill(0), [3, 2])))).toEqual([
      0, 0, 0,
    ]);
  });

  it("is finite for a hidden state of zeros", () => {
    expect(numbers(retrieved(constant([0, 0], [1, 1, 2]), constant([0, 1, 1, 0], [2, 2])))).toEqual(close([0, 0.5]));
  });
});

describe("mixed scores", () => {
  const logits = constant([2, 1, -1], [1, 1, 3]);
  const hidden = constant([1, 0], [1, 1, 2]);
  const centroids = value([3, 2], [0, 1, 1, 0, -1, 0]);
  const scores = (mix: Mix, alpha: number): number[] =>
    numbers(mixed(logits, hidden, mix), { "retrieval.centroids": centroids, "retrieval.alpha": value([], [alpha]) });
  const logProbs = numbers(logSoftmax(logits));
  const shares = numbers(retrieved(hidden, constant([0, 1, 1, 0, -1, 0], [3, 2])));

  it.each(["prob", "log"] as const)("are the model's own at α = 0 (%s)", (mix) => {
    expect(scores(mix, 0)).toEqual(close(logProbs, 9));
  });

  it("mix probabilities", () => {
    expect(scores("prob", 0.3)).toEqual(
      close(logProbs.map((each, i) => Math.log(0.7 * Math.exp(each) + 0.3 * shares[i]!))),
    );
  });

  it("mix log-probabilities with shares, all lowered alike so that none is above 0", () => {
    expect(scores("log", 0.3)).toEqual(close(logProbs.map((each, i) => 0.7 * each + 0.3 * (shares[i]! - 1))));
    expect(scores("log", 1).every((each) => each <= 0)).toBe(true);
  });

  it("let an entity win when p(O) is below 0.75, or 0.62 with logarithms, at α = 0.5 and an undecided centroid", () => {
    const wins = (mix: Mix, outside: number): boolean => {
      const both = constant([Math.log(outside), Math.log(1 - outside)], [1, 1, 2]);
      const feeds = { "retrieval.centroids": value([2, 2], [1, 0, 1, 0]), "retrieval.alpha": value([], [0.5]) };
      const [o, entity] = numbers(mixed(both, constant([0, 1], [1, 1, 2]), mix), feeds);
      return entity! > o!;
    };
    expect([0.74, 0.76].map((p) => wins("prob", p))).toEqual([true, false]);
    expect([0.61, 0.63].map((p) => wins("log", p))).toEqual([true, false]);
  });
});
