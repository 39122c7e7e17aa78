import { describe, expect, it } from "vitest";
import { InputError } from "../../util/errors.ts";
import { documentOf, labelled, makeCorpus } from "./corpus.suite.ts";
import { type DiagnoseOptions, diagnose } from "./diagnose.ts";

const documents = [
  { ...documentOf(labelled("Ada/PER met Bob/PER in New_York/LOC"), labelled("Ada slept")), id: "a1" },
  documentOf(labelled("nobody saw Ada", { complete: true })),
];

describe("a diagnosis", () => {
  it("holds every part, with positions that name the document", () => {
    const diagnosis = diagnose(documents, { rate: 0.5, shares: [0.25], limit: 0.1, maxWidth: 1 });
    expect(diagnosis.counts).toMatchObject({ documents: 2, sentences: 3, tokens: 11, entities: 3 });
    expect(diagnosis.widths.losses).toEqual([{ limit: 1, lost: 1, share: 1 / 3, byType: { LOC: 1, PER: 0 } }]);
    expect(diagnosis.sparsity.violations).toBe(1);
    expect(diagnosis.conflicts.examples).toEqual([
      {
        surface: "Ada",
        labelled: { PER: 1 },
        unlabelled: 1,
        labelledAt: [{ document: 0, sentence: 0, start: 0, end: 1, id: "a1" }],
        unlabelledAt: [{ document: 0, sentence: 1, start: 0, end: 1, id: "a1" }],
      },
    ]);
    expect(diagnosis.sampling).toMatchObject({ rate: 0.5, limit: 0.1, maxWidth: 1, scenarios: [{ share: 0.25 }] });
    expect(diagnosis.missing).not.toHaveProperty("sample");
  });

  it("names the labels of words that stand in lower case elsewhere without one", () => {
    const rest = Array.from({ length: 9 }, (_, i) => labelled(`then he and she slept ${i}`));
    const text = documentOf(labelled("He/ORG met Ada/PER"), labelled("He/ORG left"), labelled("She/ORG left"), ...rest);
    expect(diagnose([text]).ordinary).toEqual({
      count: 3,
      texts: [
        ["He", 2],
        ["She", 1],
      ],
    });
    expect(diagnose([text], { examples: 1 }).ordinary).toEqual({ count: 3, texts: [["He", 2]] });
  });

  it("supposes nothing hidden in sentences that are declared complete", () => {
    const complete = [documentOf(labelled("Ada/PER slept", { complete: true }))];
    const { sampling, missing } = diagnose(complete);
    for (const { missing: expected } of sampling.scenarios) expect(expected.negatives).toBe(0);
    expect(missing.surfaces.byType).toEqual({});
  });

  it("estimates what is missing outside of them only", () => {
    const gappy = makeCorpus([{ names: 60, uses: 6, type: "PER" }], 1).map((each, i) =>
      i % 2 === 0 ? { ...each, entities: [] } : each,
    );
    const complete = makeCorpus([{ names: 60, uses: 6, type: "PER" }], 2).map((each) => ({
      ...each,
      complete: [{ start: 0, end: 4 }],
    }));
    const alone = diagnose([documentOf(...gappy)]).missing.surfaces;
    const together = diagnose([documentOf(...gappy, ...complete)]).missing.surfaces;
    expect(together).toEqual(alone);
    expect(alone.overall.missing).toBeGreaterThan(0.4);
  });

  it("takes a sample", () => {
    const corpus = makeCorpus([{ names: 30, uses: 4, type: "PER" }], 1);
    const { missing } = diagnose([documentOf(...corpus)], { sample: [documentOf(...corpus.slice(0, 60))] });
    expect(missing.sample).toMatchObject({ sentences: 60, shared: 60, density: { overall: { missing: 0 } } });
    expect(missing.sample!.recall!.overall).toMatchObject({ missing: 0, low: 0 });
  });

  it.each([
    [{ rate: 1.5 }, "check: the rate must be a number from 0 to 1, got 1.5"],
    [{ limit: -1 }, "check: the limit must be a number from 0 to 1, got -1"],
    [{ shares: [0.5, 1] }, "check: a missing share must be a number from 0 to below 1, got 1"],
    [{ maxWidth: 0 }, "check: the width limit must be a whole number from 1, got 0"],
    [{ rate: Number.NaN }, "check: the rate must be a number from 0 to 1, got NaN"],
  ] as [DiagnoseOptions, string][])("refuses %j", (options, message) => {
    expect(() => diagnose(documents, options)).toThrow(new InputError(message));
  });

  it("refuses a corpus without a token", () => {
    expect(() => diagnose([documentOf()])).toThrow("check: the corpus has no sentence with a token");
  });
});
