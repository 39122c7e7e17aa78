import { describe, expect, it } from "vitest";
import { sentenceOf } from "../../../test/support/words.ts";
import { annotate, type Sentence, wholly } from "../../text/index.ts";
import { describePriors, priorsAfter, priorsOf } from "./priors.ts";

/** Ana is labelled in two of three sentences, each of four tokens. */
const train: Sentence[] = Array.from({ length: 60 }, (_, i) =>
  sentenceOf(`Ana${i % 16} went to town`, {
    entities: i % 3 === 0 ? [] : [{ start: 0, end: 1, type: "PER" }],
  }),
);
const dev = [sentenceOf("Rui saw Eva here now", { entities: [{ start: 0, end: 1, type: "PER" }] })];

describe("class priors", () => {
  it("are the tokens that are missing by their density in dev, among those without a label", () => {
    // One of five tokens: 48 of 240, of which 40 are labelled; 200 have no label.
    expect(priorsOf({ train, dev }, "dev", {})).toEqual({ PER: 8 / 200 });
  });

  it("from a sample count the training text that is complete alone", () => {
    const sample = sentenceOf("Rui Eva", { entities: [{ start: 0, end: 1, type: "PER" }], complete: wholly(2) });
    // Half of the tokens of the sample: 120 of 240, less 40, among 200.
    expect(priorsOf({ train: [...train, sample], dev: [] }, "sample", {}).PER).toBeCloseTo(80 / 200, 12);
    expect(() => priorsOf({ train, dev }, "sample", {})).toThrow("needs training text that is complete");
  });

  it("by the estimate follow the share that is missing", () => {
    const { PER } = priorsOf({ train, dev: [] }, "estimate", {});
    // A third is missing: 20 of 200; every name is labelled here and not there.
    expect(PER).toBeGreaterThan(0.05);
    expect(PER).toBeLessThan(0.2);
  });

  it("that are given stay, and nothing is estimated then", () => {
    expect(priorsOf({ train: train.slice(0, 3), dev: [] }, "estimate", { PER: 0.3 })).toEqual({ PER: 0.3 });
  });

  it("are refused where they name no type of the data", () => {
    expect(() => priorsOf({ train, dev }, "dev", { PRE: 0.03 })).toThrow(
      'objective.priors: unknown type "PRE" (known: PER)',
    );
    expect(priorsOf({ train, dev, types: ["ORG"] }, "dev", { ORG: 0.03 })).toEqual({ PER: 8 / 200, ORG: 0.03 });
  });

  it("fall when labels are added, by the tokens that are labelled now", () => {
    const added = train.map((sentence, i) =>
      i % 12 === 0 ? annotate(sentence, { entities: [{ start: 0, end: 1, type: "PER" }] }) : sentence,
    );
    // 8 of 200 silent tokens were people; 5 of them have a label now, and 195 tokens none.
    expect(priorsAfter({ PER: 8 / 200 }, {}, train, added).PER).toBeCloseTo(3 / 195, 12);
    expect(priorsAfter({ PER: 8 / 200 }, { PER: 8 / 200 }, train, added)).toEqual({ PER: 8 / 200 });
    expect(priorsAfter({ PER: 2 / 200 }, {}, train, added)).toEqual({ PER: 0 });
  });

  it("that cannot be estimated are asked for", () => {
    expect(() => priorsOf({ train: train.slice(0, 3), dev: [] }, "estimate", {})).toThrow(
      /priors: how much of PER is missing cannot be estimated: .*objective\.priors\.PER=0\.03/,
    );
    expect(() => priorsOf({ train, dev: [] }, "dev", {})).toThrow("pu.from=dev needs --dev FILE");
  });

  it("of a type that is more frequent among the labels than in the sample are 0", () => {
    const rare = [sentenceOf("no name at all")];
    expect(priorsOf({ train, dev: rare }, "dev", {})).toEqual({ PER: 0 });
  });

  it("say where they come from", () => {
    expect(describePriors({ PER: 0.0312345 }, "dev")).toBe(
      "share of each type among the tokens without a label: PER 0.0312 (from the labels of the dev set, where not given)",
    );
  });
});
