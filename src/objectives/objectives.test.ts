import { describe, expect, it } from "vitest";
import { checkFunction, operand } from "../../test/support/gradients.ts";
import { constant, gradients, input, runReference, scalar, type Tensor, value } from "../tensor/index.ts";
import {
  makeObjective,
  type NrcesSettings,
  nrces,
  type Objective,
  objectiveSettings,
  objectives,
  type Scored,
} from "./index.ts";

const labels = constant([0, 2, 0, 1, 0, 0], [2, 3], "int32");
const weights = constant([1, 1, 1, 1, 1, 0], [2, 3]);
const noise = constant(new Array<number>(6).fill(0.5), [2, 3]);

const types = ["A", "B", "C"];
const priors = { A: 0.1, B: 0.2, C: 0.1 };
const open = constant(
  [0, 2, 0, 1, 0, 0].flatMap((label) => [0, 1, 2, 3].map((each) => (label === 0 || label === each ? 1 : 0))),
  [2, 3, 4],
);

function scoredOf(logits: Tensor, epoch: Tensor): Scored {
  return { logits, hidden: logits, labels, weights, epoch, noise };
}

/** What only objectives for positive and unlabelled items ask for. */
function knowing(scored: Scored, { wantsOpen }: Objective): Scored {
  const shares = constant(
    new Array<number>(6).fill(0).flatMap((_, i) => [0.87 - i / 10, 0.13 + i / 10, 0, 0]),
    [2, 3, 4],
  );
  return wantsOpen ? { ...scored, types, open, targets: shares } : scored;
}

/** Each objective with each of its options. */
const variants = [
  { name: "cross-entropy" },
  { name: "cross-entropy", reduction: "sum" },
  ...["minus", "plus", "none"].flatMap((sign) =>
    ["nothing", "separation", "negative-indicator", "positive-indicator"].map((without) => ({
      name: "nrces",
      sign,
      without,
      reduction: sign === "plus" ? "sum" : "mean",
    })),
  ),
  { name: "gce" },
  { name: "gce", q: 1, reduction: "sum" },
  { name: "bnpu", priors },
  { name: "bnpu", priors, merged: true, scaled: true, m: 20, gamma: 0.5 },
  { name: "conf-mpu", priors },
  { name: "conf-mpu", priors, over: "chosen", threshold: 0.3 },
];

describe("every objective", () => {
  it("is among the variants", () => {
    expect([...new Set(variants.map(({ name }) => name))]).toEqual(Object.keys(objectives));
  });

  it("matches finite differences with every option", async () => {
    const made = variants.map((given) => makeObjective(objectiveSettings.parse(given)));
    await checkFunction(
      (logits) => made.map((objective) => objective.loss(knowing(scoredOf(logits!, scalar(3)), objective))),
      [operand([2, 3, 4])],
    );
  });

  it.each(Object.keys(objectives))("%s is 0 without a gradient where nothing has weight", (name) => {
    const objective = makeObjective(objectiveSettings.parse(variants.find((each) => each.name === name)));
    const logits = input("logits", "float32", [2, 3, 4]);
    const loss = objective.loss({
      ...knowing(scoredOf(logits, scalar(2)), objective),
      weights: constant(new Array<number>(6).fill(0), [2, 3]),
    });
    const feeds = { logits: value([2, 3, 4], (i) => i - 7) };
    const [total, gradient] = runReference([loss, ...gradients(loss, [logits])], feeds);
    expect(total!.data[0]).toBe(0);
    expect(gradient!.data.every((each) => each === 0)).toBe(true);
  });
});

describe("generalised cross-entropy", () => {
  const logits = [2, 1, -1];
  const total = logits.reduce((sum, each) => sum + Math.exp(each), 0);
  const p = logits.map((each) => Math.exp(each) / total);
  const lossOf = (q: number, given: Partial<Scored>): number => {
    const objective = makeObjective(objectiveSettings.parse({ name: "gce", q }));
    const scored = { ...scoredOf(constant(logits, [1, 1, 3]), scalar(0)), weights: constant([1], [1, 1]), ...given };
    return runReference([objective.loss(scored)], {})[0]!.data[0]!;
  };
  const label = (number: number): Partial<Scored> => ({ labels: constant([number], [1, 1], "int32") });

  it("is (1 − p^q) / q, 1 − p at q = 1, and nears −log p as q falls", () => {
    expect(lossOf(0.7, label(2))).toBeCloseTo((1 - p[2]! ** 0.7) / 0.7, 5);
    expect(lossOf(1, label(1))).toBeCloseTo(1 - p[1]!, 6);
    expect(lossOf(0.001, label(2))).toBeCloseTo(-Math.log(p[2]!), 1);
  });

  it("takes the sum of what is allowed, or the mean over a teacher's shares", () => {
    const allowed = constant([1, 0, 1], [1, 1, 3]);
    expect(lossOf(0.7, { ...label(0), allowed })).toBeCloseTo((1 - (p[0]! + p[2]!) ** 0.7) / 0.7, 5);
    const targets = constant([0.25, 0.75, 0], [1, 1, 3]);
    const expected = 0.25 * ((1 - p[0]! ** 0.7) / 0.7) + 0.75 * ((1 - p[1]! ** 0.7) / 0.7);
    expect(lossOf(0.7, { ...label(0), targets })).toBeCloseTo(expected, 5);
  });
});

describe("nrces", () => {
  const defaults: Omit<NrcesSettings, "name"> = { w: 5, sign: "minus", without: "nothing", reduction: "sum" };

  /** Loss of one span and its gradient with respect to the logits. */
  function one(settings: Partial<NrcesSettings>, label: number, epoch: number): { loss: number; gradient: number[] } {
    const logits = input("logits", "float32", [1, 1, 3]);
    const loss = nrces({ ...defaults, ...settings }).loss({
      logits,
      hidden: logits,
      labels: constant([label], [1, 1], "int32"),
      weights: constant([1], [1, 1]),
      epoch: scalar(epoch),
      noise: constant([0.5], [1, 1]),
    });
    const [total, gradient] = runReference([loss, ...gradients(loss, [logits])], {
      logits: value([1, 1, 3], [2, 1, -1]),
    });
    return { loss: total!.data[0]!, gradient: [...gradient!.data] };
  }

  it("has the worked values of a negative with logits (2, 1, −1)", () => {
    expect(one({}, 0, 0).loss).toBeCloseTo(0.349012, 6);
    expect(one({ sign: "plus" }, 0, 5).loss).toBeCloseTo(0.685164, 6);
    expect(one({ sign: "minus" }, 0, 5).loss).toBeCloseTo(0.203745, 6);
    expect(one({ sign: "none" }, 0, 5).loss).toBeCloseTo(0.367879 * 0.349012, 6);
  });

  it("has the worked gradients of O: plus pushes it down once β is small, minus never does", () => {
    expect(one({ sign: "plus" }, 0, 5).gradient[0]).toBeCloseTo(-0.042014, 6);
    expect(one({ sign: "minus" }, 0, 5).gradient[0]).toBeCloseTo(-0.174752, 6);
    expect(one({ sign: "plus" }, 0, 10).gradient[0]).toBeCloseTo(0.050912, 6);
    expect(one({ sign: "minus" }, 0, 10).gradient[0]).toBeCloseTo(-0.130656, 6);
  });

  it("has cross-entropy for positives at any epoch", () => {
    const expected = Math.log(Math.exp(2) + Math.exp(1) + Math.exp(-1)) - 1;
    for (const epoch of [0, 3, 40]) expect(one({}, 1, epoch).loss).toBeCloseTo(expected, 6);
  });

  it.each(["minus", "plus", "none"] as const)("is cross-entropy in the first epoch (%s)", (sign) => {
    const logits = constant(
      Array.from({ length: 24 }, (_, i) => Math.sin(i) * 3),
      [2, 3, 4],
    );
    const loss = (name: "nrces" | "cross-entropy"): number => {
      const objective = makeObjective(objectiveSettings.parse({ name, ...(name === "nrces" && { sign }) }));
      return runReference([objective.loss(scoredOf(logits, scalar(0)))], {})[0]!.data[0]!;
    };
    expect(loss("nrces")).toBe(loss("cross-entropy"));
  });

  it("has the ablations of the paper's Table 5", () => {
    const beta = Math.exp(-1);
    const sigma = (x: number): number => 1 / (1 + Math.exp(-x));
    const top = Math.log(Math.exp(2) + Math.exp(1) + Math.exp(-1));
    const mixture = (logit: number): number => beta * (top - logit) + (1 - beta) * (1 - sigma(logit));
    const both = (without: NrcesSettings["without"]): number[] =>
      [0, 1].map((label) => one({ without }, label, 5).loss);
    const close = (values: number[]): number[] => values.map((each) => expect.closeTo(each, 6));
    expect(both("separation")).toEqual(close([mixture(2), mixture(1)]));
    expect(both("negative-indicator")).toEqual(close([mixture(2), top - 1 + mixture(1)]));
    expect(both("positive-indicator")).toEqual(close([top - 2 + mixture(2), top - 1]));
  });

  it("stays finite for extreme logits", () => {
    const logits = input("logits", "float32", [1, 1, 3]);
    const loss = nrces(defaults).loss({
      logits,
      hidden: logits,
      labels: constant([0], [1, 1], "int32"),
      weights: constant([1], [1, 1]),
      epoch: scalar(2),
      noise: constant([0.5], [1, 1]),
    });
    const feeds = { logits: value([1, 1, 3], [-800, 800, 0]) };
    const results = runReference([loss, ...gradients(loss, [logits])], feeds);
    expect(results.every(({ data }) => data.every(Number.isFinite))).toBe(true);
  });

  it("refuses w ≤ 0", () => {
    for (const w of [0, -1]) expect(() => objectiveSettings.parse({ name: "nrces", w })).toThrow(/w/);
  });
});
