import { describe, expect, it } from "vitest";
import { checkFunction, operand } from "../../test/support/gradients.ts";
import { constant, input, runReference, scalar, type Tensor, value } from "../tensor/index.ts";
import { makeObjective, objectiveSettings, type Scored } from "./index.ts";

const types = ["A", "B"];
const priors = { A: 0.2, B: 0.1 };

/** An item: its label, the labels that the annotation leaves, its weight, and the confidence that it is an entity. */
interface Item {
  readonly logits: readonly [number, number, number];
  readonly label?: number;
  readonly open?: readonly [number, number, number];
  readonly weight?: number;
  readonly confidence?: number;
}

const all = [1, 1, 1] as const;
const own = (label: number): readonly number[] => [0, 1, 2].map((each) => (each === label ? 1 : 0));
const openOf = ({ label = 0, open }: Item): readonly number[] => open ?? (label > 0 ? own(label) : all);

function scoredOf(items: readonly Item[], logits: Tensor): Scored {
  const size = items.length;
  const flat = (values: readonly number[]): Tensor => constant(values, [1, size]);
  return {
    logits,
    hidden: logits,
    labels: constant(
      items.map(({ label = 0 }) => label),
      [1, size],
      "int32",
    ),
    open: constant(items.flatMap(openOf), [1, size, 3]),
    targets: constant(
      items.flatMap(({ confidence = 0.5 }) => [1 - confidence, confidence / 2, confidence / 2]),
      [1, size, 3],
    ),
    types,
    weights: flat(items.map(({ weight = 1 }) => weight)),
    epoch: scalar(0),
    noise: flat(items.map(() => 0.5)),
  };
}

function lossOf(items: readonly Item[], given: object): number {
  const logits = input("logits", "float32", [1, items.length, 3]);
  const objective = makeObjective(objectiveSettings.parse({ priors, q: 1, ...given }));
  const feeds = { logits: value([1, items.length, 3], (i) => items[Math.floor(i / 3)]!.logits[i % 3]!) };
  return runReference([objective.loss(scoredOf(items, logits))], feeds)[0]!.data[0]!;
}

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((a, b) => a + b, 0) / values.length;
const training = (items: readonly Item[]): Item[] => items.filter(({ weight = 1 }) => weight > 0);

/** The risk of one yes-or-no question in plain numbers. */
function plainRisk(
  sets: { readonly p: readonly number[]; readonly u: readonly number[]; readonly n: readonly number[] },
  prior: number,
  { m = 1, gamma = 1, q = 1 }: RiskOptions = {},
): number {
  const { p, u, n } = sets;
  const asNo = (yes: readonly number[]): number => mean(yes.map((each) => (1 - (1 - each) ** q) / q));
  const others = u.length + n.length;
  const known = others === 0 ? 0 : (n.length / others) * asNo(n);
  const negative = u.length === 0 ? 0 : (u.length / others) * (asNo(u) - (p.length === 0 ? 0 : prior * asNo(p)));
  if (negative < 0) return -gamma * negative + known;
  return (p.length === 0 ? 0 : m * mean(p.map((each) => (1 - each ** q) / q))) + negative + known;
}

interface RiskOptions {
  readonly m?: number;
  readonly gamma?: number;
  readonly q?: number;
}

/** The risk of all types in plain numbers. */
function plainBnpu(items: readonly Item[], options: RiskOptions = {}): number {
  return types.reduce((total, type, k) => {
    const sets: { p: number[]; u: number[]; n: number[] } = { p: [], u: [], n: [] };
    for (const item of training(items)) {
      const yes = sigmoid(item.logits[k + 1]! - item.logits[0]);
      const { label = 0 } = item;
      if (label === k + 1) sets.p.push(yes);
      else if (label > 0 || openOf(item)[k + 1]) sets.u.push(yes);
      else sets.n.push(yes);
    }
    return total + plainRisk(sets, priors[type as "A"], options);
  }, 0);
}

const mixed: Item[] = [
  { logits: [0.5, 1.2, -0.3], label: 1 },
  { logits: [0.1, 0.4, 0.9], label: 2 },
  { logits: [1.5, 0.2, -1] },
  { logits: [0.3, 0.8, 0.1] },
  { logits: [0.2, -0.7, 0.6], open: [1, 0, 0] },
  { logits: [0.9, -0.2, 0.4], open: [1, 0, 1] },
  { logits: [3, 2, 1], weight: 0 },
];
/** Unlabelled items that look far less like A than the positives do: R⁻ of A is below 0. */
const belowZero: Item[] = [{ logits: [-3, 3, -8], label: 1 }, { logits: [6, -6, -2] }, { logits: [5, -7, -1] }];

const cases: [string, Item[]][] = [
  ["labelled, unlabelled, ruled out and left out", mixed],
  ["no positive", mixed.filter(({ label }) => label === undefined)],
  ["nothing unlabelled", mixed.filter(({ label, open }) => label !== undefined || open?.[2] === 0)],
  ["positives alone", mixed.slice(0, 1)],
  ["a risk of the negatives below 0", belowZero],
];

describe("bnpu", () => {
  it.each(cases)("is the plain sum with %s", (_, items) => {
    expect(lossOf(items, { name: "bnpu" })).toBeCloseTo(plainBnpu(items), 6);
    const other = { m: 0.3, gamma: 0.5, q: 0.4 };
    expect(lossOf(items, { name: "bnpu", ...other })).toBeCloseTo(plainBnpu(items, other), 6);
  });

  it("by hand: R⁻ = mean of U − π · mean of P, and the step back where it is negative", () => {
    const [p, u] = [sigmoid(6), (sigmoid(-12) + sigmoid(-12)) / 2];
    const ofA = -(u - 0.2 * p);
    // Nobody labelled B: its positives are missing, and all three items are unlabelled.
    const ofB = (sigmoid(-5) + sigmoid(-8) + sigmoid(-6)) / 3;
    expect(ofA).toBeGreaterThan(0);
    expect(lossOf(belowZero, { name: "bnpu" })).toBeCloseTo(ofA + ofB, 6);
  });

  it("with all types as one asks whether an item is an entity", () => {
    const yes = ({ logits: [o, a, b] }: Item): number => sigmoid(Math.log(Math.exp(a) + Math.exp(b)) - o);
    const of = (numbers: readonly number[]): number[] => numbers.map((i) => yes(mixed[i]!));
    const expected = plainRisk({ p: of([0, 1]), u: of([2, 3, 5]), n: of([4]) }, 0.3);
    expect(lossOf(mixed, { name: "bnpu", merged: true })).toBeCloseTo(expected, 6);
  });

  it("weighs positives with the prior where that is asked for", () => {
    const plain = types.map((type, k) => {
      const p = [sigmoid(mixed[k]!.logits[k + 1]! - mixed[k]!.logits[0])];
      return (28 * priors[type as "A"] - 1) * (1 - mean(p));
    });
    const scaled = lossOf(mixed, { name: "bnpu", m: 28, scaled: true });
    expect(scaled - lossOf(mixed, { name: "bnpu" })).toBeCloseTo(plain[0]! + plain[1]!, 5);
  });
});

/** Conf-MPU in plain numbers, means over whole sets or over those that pass the threshold. */
function plainConfMpu(items: readonly Item[], over: "set" | "chosen", q = 1, m = 15, threshold = 0.5): number {
  const softmax = (logits: readonly number[]): number[] => {
    const total = logits.reduce((sum, each) => sum + Math.exp(each), 0);
    return logits.map((each) => Math.exp(each) / total);
  };
  const error = ({ logits }: Item, labels: readonly number[]): number =>
    (2 / 3) * ((1 - softmax(logits).reduce((sum, p, label) => sum + p * labels[label]!, 0) ** q) / q);
  const trained = training(items);
  const confidence = ({ confidence: given = 0.5 }: Item): number => given;
  const isSure = (item: Item): boolean => confidence(item) > threshold;
  const bracket = types.reduce((sum, type, k) => {
    const of = trained.filter(({ label }) => label === k + 1);
    const sure = of.filter(isSure).map((item) => error(item, own(0)) / confidence(item));
    const back = over === "chosen" ? mean(sure) : sure.reduce((a, b) => a + b, 0) / Math.max(1, of.length);
    const gain = mean(of.map((item) => error(item, own(k + 1)))) + back - mean(of.map((item) => error(item, own(0))));
    return sum + priors[type as "A"] * gain;
  }, 0);
  const silent = trained.filter(({ label = 0 }) => label === 0);
  const left = (item: Item): number => openOf(item).reduce((a, b) => a + b, 0);
  const [u, known] = [silent.filter((item) => left(item) > 1), silent.filter((item) => left(item) < 3)];
  const doubtless = u.filter((item) => !isSure(item)).map((item) => error(item, own(0)));
  const negatives = over === "chosen" ? mean(doubtless) : doubtless.reduce((a, b) => a + b, 0) / Math.max(1, u.length);
  const others = u.length + known.length;
  const ruledOut = mean(known.map((item) => error(item, openOf(item))));
  const rest = others === 0 ? 0 : (u.length * negatives + known.length * ruledOut) / others;
  return m * Math.max(0, bracket) + rest;
}

describe("conf-mpu", () => {
  const confidences = [0.9, 0.4, 0.2, 0.8, 0.3, 0.1, 0.7];
  const sure = (items: readonly Item[]): Item[] =>
    items.map((item, i) => ({ ...item, confidence: confidences[i % confidences.length]! }));

  it.each(cases)("is the plain sum with %s", (_, items) => {
    for (const over of ["set", "chosen"] as const) {
      for (const q of [1, 0.4])
        expect(lossOf(sure(items), { name: "conf-mpu", over, q })).toBeCloseTo(plainConfMpu(sure(items), over, q), 5);
    }
  });

  it("drops what labelled items say where that is below 0", () => {
    // Sure to be O by mistake: the error as its type is small, that as O large, and no confidence gives it back.
    const items: Item[] = [
      { logits: [-6, 6, -6], label: 1, confidence: 0.1 },
      { logits: [1, 0, 0], confidence: 0.1 },
    ];
    const p = Math.E / (Math.E + 2);
    expect(lossOf(items, { name: "conf-mpu" })).toBeCloseTo((2 / 3) * (1 - p), 6);
  });

  it("learns a type of which nothing is missing, as if its prior were 0.01", () => {
    const items: Item[] = [{ logits: [0, 1, 0], label: 1, confidence: 0.9 }];
    const p = Math.E / (Math.E + 2);
    const given = { name: "conf-mpu", priors: { A: 0, B: 0 }, m: 10 };
    expect(lossOf(items, given)).toBeCloseTo(10 * 0.01 * (2 / 3) * (1 - p), 6);
    const plain = lossOf(items, { name: "bnpu", priors: { A: 0, B: 0 }, scaled: true, m: 10 });
    // Of A its own loss; B has no label, and the item is unlabelled for it.
    expect(plain).toBeCloseTo(10 * 0.01 * (1 - sigmoid(1)) + sigmoid(0), 6);
    // As published it is not learned.
    expect(lossOf(items, { ...given, leastPrior: 0 })).toBe(0);
    const published = { name: "bnpu", priors: { A: 0, B: 0 }, scaled: true, m: 10, leastPrior: 0 };
    expect(lossOf(items, published)).toBeCloseTo(sigmoid(0), 6);
  });

  it("stays finite without that floor, whatever the confidences", () => {
    const items = sure(mixed).map((item) => ({ ...item, confidence: item.label ? 0 : 1 }));
    for (const threshold of [1e-9, 0.5]) {
      const given = { name: "conf-mpu", priors: { A: 0, B: 0 }, leastPrior: 0, threshold };
      expect(Number.isFinite(lossOf(items, given))).toBe(true);
    }
  });

  it("needs confidences, and a head that tells what the annotation leaves open", () => {
    const objective = makeObjective(objectiveSettings.parse({ name: "conf-mpu", priors }));
    const scored = scoredOf(mixed, input("logits", "float32", [1, mixed.length, 3]));
    expect(() => objective.loss({ ...scored, targets: undefined })).toThrow("use the method conf-mpu");
    expect(() => objective.loss({ ...scored, open: undefined })).toThrow("head.scheme=io");
    const without = makeObjective(objectiveSettings.parse({ name: "bnpu", priors: { A: 0.1 } }));
    expect(() => without.loss(scored)).toThrow("objective bnpu: no prior of B");
  });
});

it("the gradients of both are those of differences, on either side of the branch", async () => {
  const made = [{ name: "bnpu" }, { name: "bnpu", merged: true }, { name: "bnpu", scaled: true, m: 28 }]
    .concat([{ name: "conf-mpu" }, { name: "conf-mpu", over: "chosen", leastPrior: 0 }] as never)
    .flatMap((given) => [1, 0.7].map((q) => makeObjective(objectiveSettings.parse({ priors, q, ...given }))));
  const check = (items: readonly Item[]) =>
    checkFunction(
      (logits) => made.map((objective) => objective.loss(scoredOf(items, logits!))),
      [operand([1, items.length, 3], { fill: (_, i) => items[Math.floor(i / 3)]!.logits[i % 3]! / 2 })],
    );
  await check(mixed);
  await check(belowZero);
});
