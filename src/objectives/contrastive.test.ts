import { describe, expect, it } from "vitest";
import { checkFunction, operand } from "../../test/support/gradients.ts";
import { constant, gradients, input, Program, runReference, scalar, type Tensor } from "../tensor/index.ts";
import { gaussian, random } from "../util/random.ts";
import { type ContrastiveSettings, contrastive, contrastiveSettings, crossEntropy, withContrastive } from "./index.ts";

const settings = (given: Partial<ContrastiveSettings> = {}): ContrastiveSettings =>
  contrastiveSettings.parse({ weight: 0.1, maxAnchors: 16, ...given });

interface Spans {
  readonly vectors: readonly (readonly number[])[];
  readonly labels: readonly number[];
  readonly weights?: readonly number[];
}

function lossOf({ vectors, labels, weights }: Spans, given: Partial<ContrastiveSettings>, hidden?: Tensor): Tensor {
  const size = labels.length;
  const shape = [1, size];
  return contrastive(
    {
      hidden: hidden ?? constant(vectors.flat(), [1, size, vectors[0]!.length]),
      labels: constant(labels, shape, "int32"),
      weights: constant(weights ?? labels.map(() => 1), shape),
      noise: constant(
        labels.map((_, i) => (i + 0.5) / size),
        shape,
      ),
    },
    settings(given),
  );
}

function numberOf(loss: Tensor): number {
  return runReference([loss], {})[0]!.data[0]!;
}

const worked: Spans = {
  vectors: [
    [1, 0],
    [1, 1],
    [0, 1],
    [-1, 0],
  ],
  labels: [1, 1, 0, 0],
};

/** The definition, pair by pair. */
function byLoops({ vectors, labels }: Spans, { temperature, denominator, includeO }: ContrastiveSettings): number[] {
  const cosine = (a: readonly number[], b: readonly number[]): number => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
  const near = (s: number, t: number): number => cosine(vectors[s]!, vectors[t]!) / temperature;
  const others = (s: number): number[] => labels.flatMap((_, t) => (t === s ? [] : [t]));
  return labels.flatMap((label, s) => {
    const same = others(s).filter((t) => labels[t] === label);
    const different = others(s).filter((t) => labels[t] !== label);
    if (same.length === 0 || different.length === 0 || (label === 0 && !includeO)) return [];
    const rivals = denominator === "all" ? others(s) : different;
    const competition = Math.log(rivals.reduce((total, t) => total + Math.exp(near(s, t)), 0));
    return [competition - same.reduce((total, t) => total + near(s, t), 0) / same.length];
  });
}

function randomSpans(count: number, labels: number): Spans {
  const rng = random(5, "spans");
  return {
    vectors: Array.from({ length: count }, () => Array.from({ length: 4 }, () => gaussian(rng))),
    labels: Array.from({ length: count }, (_, i) => (i * 7) % labels),
  };
}

describe("contrastive loss", () => {
  it("has the worked sums over anchors", () => {
    const given = { temperature: 0.5, scale: 1 };
    expect(numberOf(lossOf(worked, { ...given, denominator: "all" }))).toBeCloseTo(3.097437, 6);
    expect(numberOf(lossOf(worked, { ...given, denominator: "negatives" }))).toBeCloseTo(-0.569691, 6);
  });

  it.each([
    ["all", true],
    ["all", false],
    ["negatives", true],
    ["negatives", false],
  ] as const)(
    "is the mean over anchors that a loop over pairs gives (%s, O an anchor: %s)",
    (denominator, includeO) => {
      const spans = randomSpans(13, 4);
      const given = { denominator, includeO, temperature: 0.3 };
      const losses = byLoops(spans, settings(given));
      const mean = losses.reduce((a, b) => a + b, 0) / losses.length;
      expect(numberOf(lossOf(spans, given))).toBeCloseTo(mean, 6);
      expect(numberOf(lossOf(spans, { ...given, scale: 100 }))).toBeCloseTo((mean * losses.length) / 100, 6);
    },
  );

  it("does not see padding, whatever vectors and labels stand there", () => {
    const padded: Spans = {
      vectors: [...worked.vectors, [5, -3], [0.1, 9]],
      labels: [...worked.labels, 0, 1],
      weights: [1, 1, 1, 1, 0, 0],
    };
    expect(numberOf(lossOf(padded, {}))).toBeCloseTo(numberOf(lossOf(worked, {})), 10);
  });

  it.each([
    ["a label with one span is no anchor, but competes", { vectors: worked.vectors, labels: [1, 1, 0, 2] }],
    ["the same with two spans in all", { vectors: worked.vectors.slice(0, 2), labels: [1, 0] }],
  ] as const)("%s", (_, spans) => {
    const losses = byLoops(spans, settings({ temperature: 0.5 }));
    const mean = losses.reduce((a, b) => a + b, 0) / Math.max(1, losses.length);
    expect(numberOf(lossOf(spans, { temperature: 0.5 }))).toBeCloseTo(mean, 6);
  });

  it.each(["all", "negatives"] as const)("is left out where a batch has one label only (%s)", (denominator) => {
    for (const label of [0, 1])
      expect(numberOf(lossOf({ vectors: worked.vectors, labels: [label, label, label, label] }, { denominator }))).toBe(
        0,
      );
  });

  it("takes entities before other spans when there are too many", () => {
    const spans = randomSpans(30, 5); // 6 of each label
    const entities = spans.labels.flatMap((label, i) => (label > 0 ? [i] : []));
    const rest = { vectors: entities.map((i) => spans.vectors[i]!), labels: entities.map((i) => spans.labels[i]!) };
    expect(numberOf(lossOf(spans, { maxAnchors: 24 }))).toBeCloseTo(numberOf(lossOf(rest, { maxAnchors: 24 })), 10);
  });

  it("matches finite differences with every option", async () => {
    const spans = { vectors: [], labels: [0, 1, 1, 2, 0, 2, 1], weights: [1, 1, 1, 1, 1, 1, 0] };
    const options = [
      { denominator: "all" },
      { denominator: "negatives" },
      { denominator: "all", includeO: false },
      { denominator: "negatives", includeO: false, scale: 100 },
    ] as const;
    await checkFunction(
      (hidden) => options.map((given) => lossOf(spans, { temperature: 0.5, maxAnchors: 8, ...given }, hidden)),
      [operand([1, 7, 3])],
    );
  });

  it.each(["all", "negatives"] as const)(
    "has a finite gradient for zero vectors and sharp temperatures (%s)",
    async (denominator) => {
      const hidden = input("hidden", "float32", [1, 4, 2]);
      const given = { denominator, temperature: 0.005 };
      for (const labels of [
        [1, 1, 0, 0],
        [1, 1, 1, 1],
        [0, 1, 2, 3],
      ]) {
        const loss = lossOf({ vectors: [], labels }, given, hidden);
        const program = await Program.compile({ loss, gradient: gradients(loss, [hidden])[0]! });
        const result = await program.run({
          hidden: { data: Float32Array.of(0, 0, 0, 0, 1, 0, -1, 0), shape: [1, 4, 2] },
        });
        await program.dispose();
        expect([...result.loss!.data, ...result.gradient!.data].every(Number.isFinite)).toBe(true);
      }
    },
  );
});

describe("an objective with a contrastive part", () => {
  const plain = crossEntropy({ reduction: "mean" });
  const logits = constant([2, 1, -1, 0, 1, 0, 0, 0, 3, 1, 1, 1], [1, 4, 3]);
  const scored = {
    logits,
    hidden: constant(worked.vectors.flat(), [1, 4, 2]),
    labels: constant([1, 1, 0, 0], [1, 4], "int32"),
    weights: constant([1, 1, 1, 1], [1, 4]),
    epoch: scalar(0),
    noise: constant([0.1, 0.2, 0.3, 0.4], [1, 4]),
  };

  it("is (1 − λ) times the one plus λ times the other", () => {
    const loss = numberOf(withContrastive(plain, settings({ weight: 0.3 })).loss(scored));
    const parts = [numberOf(plain.loss(scored)), numberOf(contrastive(scored, settings()))] as const;
    expect(loss).toBeCloseTo(0.7 * parts[0] + 0.3 * parts[1], 10);
  });

  it("is the objective itself at λ = 0", () => {
    expect(withContrastive(plain, settings({ weight: 0 }))).toBe(plain);
  });

  it("refuses λ = 1, which would leave the labels untrained, and a temperature of 0", () => {
    expect(() => contrastiveSettings.parse({ weight: 1 })).toThrow(/weight/);
    expect(() => contrastiveSettings.parse({ temperature: 0 })).toThrow(/temperature/);
  });
});

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((total, each, i) => total + each * b[i]!, 0);
}
