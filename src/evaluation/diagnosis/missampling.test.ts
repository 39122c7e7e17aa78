import { describe, expect, it } from "vitest";
import type { Sentence } from "../../text/document.ts";
import { random, sampleIndices } from "../../util/random.ts";
import { drawCount, spanCount } from "../../util/span-counts.ts";
import { labelled } from "./corpus.suite.ts";
import { groupSentences, hiddenByMask, missingAlready, type SentenceGroup } from "./hidden-counts.ts";
import { expectedMissampling, largestRate } from "./missampling.ts";

const corpus = [
  labelled("Ada/PER met Bob/PER in Rome/LOC"),
  labelled("Ada/PER slept"),
  labelled("Rome/LOC"),
  labelled("it rained all day in the old town of Rome/LOC and in New_York/LOC"),
];

/** One epoch of masking and drawing, with real spans. */
function simulate(sentences: readonly Sentence[], share: number, rate: number, seed: number) {
  const rng = random(seed, "simulation");
  let [drawn, missampled, tainted, hiddenTotal] = [0, 0, 0, 0];
  for (const { offsets, entities } of sentences) {
    const length = offsets.length / 2;
    const hidden = entities.filter(() => rng.next() < share);
    const candidates: string[] = [];
    for (let start = 0; start < length; start++) {
      for (let end = start + 1; end <= length; end++) {
        if (!entities.some((each) => !hidden.includes(each) && each.start === start && each.end === end)) {
          candidates.push(`${start} ${end}`);
        }
      }
    }
    const picks = sampleIndices(candidates.length, drawCount(rate, length), rng).map((pick) => candidates[pick]);
    const wrong = hidden.filter(({ start, end }) => picks.includes(`${start} ${end}`)).length;
    drawn += picks.length;
    missampled += wrong;
    tainted += Number(wrong > 0);
    hiddenTotal += hidden.length;
  }
  return { drawn, missampled, tainted, hiddenTotal };
}

describe("expected missampling", () => {
  it.each([
    [0.2, 0.35],
    [0.5, 1],
    [0.9, 0.1],
  ])("is what masking %d and drawing at rate %d does on average", (share, rate) => {
    const expected = expectedMissampling(groupSentences(corpus), hiddenByMask(share), rate);
    const runs = 6000;
    let [drawn, missampled, tainted, hidden] = [0, 0, 0, 0];
    for (let seed = 0; seed < runs; seed++) {
      const epoch = simulate(corpus, share, rate, seed);
      drawn += epoch.drawn;
      missampled += epoch.missampled;
      tainted += epoch.tainted;
      hidden += epoch.hiddenTotal;
    }
    // About four standard errors of the counts.
    const tolerance = 4 / Math.sqrt(missampled);
    expect(Math.abs(missampled / drawn / expected.negatives - 1)).toBeLessThan(tolerance);
    expect(Math.abs(tainted / (runs * corpus.length) / expected.sentences - 1)).toBeLessThan(tolerance);
    expect(Math.abs(missampled / hidden / expected.hidden - 1)).toBeLessThan(tolerance);
  });

  it("supposes as many missing entities as the share says", () => {
    const groups = groupSentences(corpus);
    const missing = missingAlready(0.75, groups);
    let total = 0;
    for (const group of groups) {
      for (const { hidden, probability, candidates } of missing(group)) {
        total += group.sentences * probability * hidden;
        expect(candidates).toBe(spanCount(group.length) - group.labelled);
      }
    }
    // Seven labels are a quarter of all. "Rome" alone has no span left for the three it would have.
    expect(groups.find(({ length }) => length === 1)).toEqual({ length: 1, labelled: 1, sentences: 1 });
    expect(total).toBeGreaterThan(3 * 6 - 2);
    expect(total).toBeLessThan(3 * 6);
  });

  it("agrees for gaps that are there and gaps that are made, when the labels left are those of a masked corpus", () => {
    // A long run of equal sentences: after masking half, the counts of labels are binomial.
    const complete: SentenceGroup[] = [{ length: 30, labelled: 2, sentences: 4000 }];
    const masked: SentenceGroup[] = [
      { length: 30, labelled: 0, sentences: 1000 },
      { length: 30, labelled: 1, sentences: 2000 },
      { length: 30, labelled: 2, sentences: 1000 },
    ];
    const made = expectedMissampling(complete, hiddenByMask(0.5), 0.35).negatives;
    const there = expectedMissampling(masked, missingAlready(0.5, masked), 0.35).negatives;
    expect(there / made).toBeCloseTo(1, 2);
  });

  it("is 0 where nothing is hidden or nothing is drawn", () => {
    const groups = groupSentences(corpus);
    const nothing = { negatives: 0, sentences: 0, hidden: 0 };
    expect(expectedMissampling(groups, hiddenByMask(0), 0.35)).toEqual(nothing);
    expect(expectedMissampling(groups, hiddenByMask(0.5), 0)).toEqual(nothing);
    expect(expectedMissampling([], hiddenByMask(0.5), 0.35)).toEqual(nothing);
  });

  it("leaves out entities wider than the limit, and spans that are", () => {
    const groups = groupSentences(corpus, 1);
    expect(groups.find(({ length }) => length === 14)).toMatchObject({ labelled: 1 });
    const { negatives } = expectedMissampling([{ length: 4, labelled: 1, sentences: 1 }], hiddenByMask(1, 1), 0.25);
    // One of the four words is drawn, and one of them is hidden.
    expect(negatives).toBeCloseTo(1 / 4, 12);
  });
});

describe("the largest rate within a limit", () => {
  const groups = [{ length: 20, labelled: 2, sentences: 10 }];

  it("is found for the share of sentences, which grows with the rate", () => {
    const supposition = hiddenByMask(1);
    const rate = largestRate(groups, supposition, "sentences", 0.05)!;
    // 1 − q for k draws among 210 candidates, two of them hidden: about k/105.
    expect(rate).toBe(0.25);
    expect(expectedMissampling(groups, supposition, 0.25).sentences).toBeLessThan(0.05);
    expect(expectedMissampling(groups, supposition, 0.26).sentences).toBeGreaterThan(0.05);
  });

  it("is all or nothing for the share of negatives when all sentences are alike, because the rate does not matter then", () => {
    const share = 2 / 210;
    expect(largestRate(groups, hiddenByMask(1), "negatives", share + 1e-9)).toBe(1);
    expect(largestRate(groups, hiddenByMask(1), "negatives", share - 1e-9)).toBeUndefined();
  });
});
