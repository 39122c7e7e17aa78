import { describe, expect, it } from "vitest";
import { constant, input, Program, runReference, scalar } from "../tensor/index.ts";
import { type Random, random } from "../util/random.ts";
import { drawCount } from "../util/span-counts.ts";
import { fraction, makeSampler, samplerSettings, samplers, uniform, weighted } from "./index.ts";
import { negativeness } from "./weighted.ts";

const made = Object.keys(samplers).map((name) => makeSampler(samplerSettings.parse({ name })));
const blind = made.filter((sampler) => sampler.kind === "blind");
const scored = made.filter((sampler) => sampler.kind === "scored");
const overBatches = made.filter((sampler) => sampler.kind === "batch");

/** As a batch keys them: by epoch and sentence, and by sentence alone. */
function generators(epoch: number, sentence: number): { rng: Random; fixedRng: Random } {
  return { rng: random(1, "sample", epoch, sentence), fixedRng: random(1, "once", sentence) };
}

describe("every blind sampler", () => {
  it.each(blind)(
    "$name picks distinct candidates, as many in number as it can, the same for the same key",
    (sampler) => {
      for (const [length, candidates] of [
        [1, 0],
        [1, 1],
        [3, 6],
        [20, 155],
        [40, 3],
      ] as const) {
        const pick = (epoch: number) => [
          ...Array.from(sampler.choose({ length, candidates, epoch, ...generators(epoch, 5) })),
        ];
        const picks = pick(0);
        expect(new Set(picks).size).toBe(picks.length);
        expect(picks.every((each) => Number.isInteger(each) && each >= 0 && each < candidates)).toBe(true);
        expect(pick(0)).toEqual(picks);
      }
    },
  );
});

describe("every scored sampler", () => {
  it.each(scored)("$name never wants more than there are", (sampler) => {
    expect(sampler.count({ length: 40, candidates: 3, epoch: 0 })).toBe(3);
    expect(sampler.count({ length: 1, candidates: 0, epoch: 0 })).toBe(0);
  });
});

describe("every sampler over batches", () => {
  it.each(overBatches)("$name never wants more than there are, and one at least where there is one", (sampler) => {
    expect(sampler.count({ candidates: 0, positives: 3 })).toBe(0);
    expect(sampler.count({ candidates: 1, positives: 3 })).toBe(1);
    for (const candidates of [2, 19, 20, 21, 400]) {
      expect(sampler.count({ candidates, positives: 3 })).toBeLessThanOrEqual(candidates);
      expect(sampler.count({ candidates, positives: 3 })).toBeGreaterThan(0);
    }
  });
});

describe("a share of the unknown spans", () => {
  const take = (settings: Parameters<typeof fraction>[0], candidates: number, epoch: number): number[] =>
    Array.from(fraction(settings).choose({ length: 9, candidates, epoch, ...generators(epoch, 4) }));

  it("is rounded half up: of one candidate, a half is that one", () => {
    const half = (candidates: number) => take({ share: 0.5, draw: "static" }, candidates, 0).length;
    expect([0, 1, 2, 3, 4, 5].map(half)).toEqual([0, 1, 1, 2, 2, 3]);
    expect(take({ share: 0.35, draw: "static" }, 10, 0).length).toBe(4);
    expect(take({ share: 1, draw: "static" }, 7, 0).length).toBe(7);
  });

  it("stays the same in all epochs when it is drawn before training, and changes otherwise", () => {
    expect(take({ share: 0.5, draw: "static" }, 40, 3)).toEqual(take({ share: 0.5, draw: "static" }, 40, 0));
    expect(take({ share: 0.5, draw: "perEpoch" }, 40, 3)).not.toEqual(take({ share: 0.5, draw: "perEpoch" }, 40, 0));
  });
});

describe("the number of negatives", () => {
  it("is ⌈λn⌉, also where floating point overshoots", () => {
    expect([1, 10, 20, 21].map((n) => drawCount(0.35, n))).toEqual([1, 4, 7, 8]);
    expect(drawCount(0, 30)).toBe(0);
    expect(drawCount(1, 30)).toBe(30);
  });

  it("is ⌊λn⌋ + 1 in the other reading", () => {
    expect([10, 20].map((n) => drawCount(0.35, n, "floor+1"))).toEqual([4, 8]);
  });
});

describe("uniform sampling", () => {
  it("takes every candidate equally often (chi-square over 20,000 draws)", () => {
    const sampler = uniform({ rate: 0.35, count: "ceil" });
    const [length, candidates, draws] = [9, 40, 20_000];
    const counts = new Array<number>(candidates).fill(0);
    for (let i = 0; i < draws; i++) {
      for (const pick of Array.from(sampler.choose({ length, candidates, epoch: 0, ...generators(0, i) })))
        counts[pick]!++;
    }
    const share = drawCount(0.35, length) / candidates;
    // Inclusions of one candidate are binomial; 0.999 quantile of chi-square with 40 degrees of freedom is 73.4.
    const statistic = counts.reduce(
      (sum, count) => sum + (count - draws * share) ** 2 / (draws * share * (1 - share)),
      0,
    );
    expect(statistic).toBeLessThan(73.4);
  });
});

describe("weighted sampling", () => {
  const strength = (probs: readonly number[], maxOver: "entities" | "all" = "entities"): number => {
    const logProbs = constant(probs.map(Math.log), [1, probs.length]);
    return runReference([negativeness(logProbs, { mu: 8, maxOver })], {})[0]!.data[0]!;
  };

  it("has the worked strengths", () => {
    expect(strength([0.98, 0.01, 0.01])).toBeCloseTo(25.384457, 5);
    expect(strength([0.7, 0.2, 0.1])).toBeCloseTo(20.549733, 5);
    expect(strength([0.5, 0.4, 0.1])).toBeCloseTo(2.022151, 6);
    expect(strength([0.1, 0.85, 0.05])).toBeCloseTo(8e-6, 6);
  });

  it("has v = 0 and the bare entropy for an easy negative when the printed maximum is taken", () => {
    expect(strength([0.98, 0.01, 0.01], "all")).toBeCloseTo(0.111902, 6);
  });

  it("is finite for certain predictions", () => {
    const logProbs = constant([0, -200, -200, -200, 0, -200], [2, 3]);
    const [result] = runReference([negativeness(logProbs, { mu: 8, maxOver: "entities" })], {});
    expect([...result!.data]).toEqual([expect.closeTo(0, 12), expect.closeTo(0, 12)]);
  });

  it("draws as sequential draws with weights exp(r / T) do (Plackett and Luce), through the runtime", async () => {
    const probs = [
      [0.7, 0.2, 0.1],
      [0.5, 0.4, 0.1],
      [0.98, 0.01, 0.01],
      [0.9, 0.05, 0.05],
    ];
    const logProbs = constant(probs.flat().map(Math.log), [1, 4, 3]);
    const noise = input("noise", "float32", [1, 4]);
    const sampler = weighted({ rate: 1, count: "ceil", mu: 8, maxOver: "entities" });
    const [epochs, epoch] = [40, 4];
    const priority = sampler.priority({ logProbs, hidden: logProbs, noise, epoch: scalar(epoch), epochs });
    const program = await Program.compile({ priority });

    const weights = probs.map((each) => Math.exp(strength(each) / Math.sqrt(epochs - epoch)));
    const expected = pairProbabilities(weights);
    const counts = new Map<string, number>();
    const draws = 8000;
    for (let i = 0; i < draws; i++) {
      const rng = random(11, "gumbel", i);
      const { priority: result } = await program.run({
        noise: { data: Float32Array.from({ length: 4 }, () => rng.next()), shape: [1, 4] },
      });
      const order = [...result!.data.keys()].sort((a, b) => result!.data[b]! - result!.data[a]!);
      const key = `${order[0]} ${order[1]}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    await program.dispose();
    let statistic = 0;
    for (const [key, share] of expected) statistic += ((counts.get(key) ?? 0) - draws * share) ** 2 / (draws * share);
    // 12 ordered pairs, 11 degrees of freedom: 0.999 quantile 31.3.
    expect(statistic).toBeLessThan(31.3);
  });

  it("cools from √C to 1: the same scores weigh more towards the end", () => {
    const logProbs = constant([0.7, 0.2, 0.1].map(Math.log), [1, 1, 3]);
    const sampler = weighted({ rate: 1, count: "ceil", mu: 8, maxOver: "entities" });
    const at = (epoch: number): number => {
      const noise = constant([Math.exp(-1)], [1, 1]); // Gumbel noise 0
      return runReference(
        [sampler.priority({ logProbs, hidden: logProbs, noise, epoch: scalar(epoch), epochs: 16 })],
        {},
      )[0]!.data[0]!;
    };
    expect(at(0)).toBeCloseTo(20.549733 / 4, 4);
    expect(at(15)).toBeCloseTo(20.549733, 4);
  });
});

/** Probabilities of the first two of sequential draws without replacement. */
function pairProbabilities(weights: readonly number[]): Map<string, number> {
  const total = weights.reduce((a, b) => a + b, 0);
  const result = new Map<string, number>();
  weights.forEach((first, i) => {
    weights.forEach((second, j) => {
      if (i !== j) result.set(`${i} ${j}`, (first / total) * (second / (total - first)));
    });
  });
  return result;
}
