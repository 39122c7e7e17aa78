import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Annotation, annotate } from "../text/document.ts";
import { wholly } from "../text/states.ts";
import { anyPair, entities, pair, sentence } from "./examples.suite.ts";
import { judge } from "./incomplete.ts";
import { evaluate } from "./report.ts";

const words = ["a", "b", "c", "d", "e", "f", "g", "h"];

function verdict(gold: Annotation, prediction: string, nested = false): string {
  return judge(sentence(words, gold), entities(prediction)[0]!, { nested });
}

describe("what incomplete gold says of a prediction", () => {
  const gold = { entities: entities("PER 2 4") };

  it("correct: annotated so", () => {
    expect(verdict(gold, "PER 2 4")).toBe("correct");
  });

  it("conflicting: another type on an annotated span, or another span across an annotated entity", () => {
    expect(verdict(gold, "LOC 2 4")).toBe("conflicting");
    expect(verdict(gold, "PER 3 5")).toBe("conflicting");
    expect(verdict(gold, "PER 3 4")).toBe("conflicting");
  });

  it("unknown: inside an annotated entity where entities may nest", () => {
    expect(verdict(gold, "PER 3 4", true)).toBe("unknown");
    expect(verdict(gold, "LOC 2 4", true)).toBe("conflicting");
  });

  it("negative: rejected, or in a part declared complete; for that type only, where only that type was meant", () => {
    expect(verdict({ rejected: [{ start: 5, end: 6 }] }, "PER 5 6")).toBe("negative");
    expect(verdict({ rejected: [{ start: 5, end: 6, type: "PER" }] }, "PER 5 6")).toBe("negative");
    expect(verdict({ rejected: [{ start: 5, end: 6, type: "PER" }] }, "LOC 5 6")).toBe("unknown");
    expect(verdict({ complete: [{ start: 0, end: 2 }] }, "PER 1 3")).toBe("negative");
    expect(verdict({ complete: [{ start: 0, end: 2, types: ["PER"] }] }, "LOC 1 3")).toBe("unknown");
  });

  it("unsure: an annotator left it undecided", () => {
    expect(verdict({ unsure: [{ start: 5, end: 6 }] }, "PER 5 6")).toBe("unsure");
  });

  it("unknown: all the rest", () => {
    expect(verdict(gold, "PER 5 6")).toBe("unknown");
  });
});

describe("the report", () => {
  it("splits the predictions and bounds the precision when the gold is incomplete", async () => {
    const gold = sentence(words, {
      entities: entities("PER 0 1, LOC 2 3, ORG 4 5"),
      rejected: [{ start: 6, end: 7 }],
      unsure: [{ start: 7, end: 8 }],
    });
    const predicted = sentence(words, { entities: entities("PER 0 1, PER 1 2, ORG 2 3, ORG 6 7, LOC 7 8") });
    const report = await evaluate([{ gold, predicted }]);
    expect(report.gold).toEqual({
      complete: false,
      sentences: 1,
      completeSentences: 0,
      recall: 1 / 3,
      unknownPredictions: 1,
      predictions: { correct: 1, negative: 1, conflicting: 1, unsure: 1, unknown: 1 },
      precision: { lowest: 1 / 5, decided: 1 / 3, highest: 3 / 5 },
    });
    expect(report).toMatchObject({ precision: 1 / 5, recall: 1 / 3, support: 3 });
  });

  it("calls the gold complete only when every sentence is", async () => {
    const open = sentence(words, { entities: [] });
    const whole = sentence(words, { complete: wholly(words.length) });
    const halves = sentence(words, {
      complete: [
        { start: 4, end: 8 },
        { start: 0, end: 4 },
      ],
    });
    const ofTypes = sentence(words, { complete: wholly(words.length, ["PER"]) });
    const isComplete = async (...gold: (typeof open)[]): Promise<boolean> =>
      (await evaluate(gold.map((each) => ({ gold: each, predicted: open })))).gold.complete;
    expect(await isComplete(whole, halves)).toBe(true);
    expect(await isComplete(whole, open)).toBe(false);
    expect(await isComplete(ofTypes)).toBe(false);
  });

  it("leaves nothing undecided on complete gold, and its judgements add up to the scores", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyPair, { maxLength: 5 }), async (pairs) => {
        const { gold, precision, recall } = await evaluate(pairs);
        expect(gold.complete).toBe(true);
        expect(gold.predictions).toMatchObject({ unsure: 0, unknown: 0 });
        expect(gold.precision).toEqual({ lowest: precision, decided: precision, highest: precision });
        expect(gold.recall).toBe(recall);
      }),
    );
  });

  it("never lowers the highest possible precision by forgetting a part of the gold's completeness", async () => {
    await fc.assert(
      fc.asyncProperty(anyPair, async ({ gold, predicted }) => {
        const told = await evaluate([{ gold, predicted }]);
        const silent = await evaluate([{ gold: annotate(gold, { complete: [] }), predicted }]);
        expect(silent.gold.precision.highest).toBeGreaterThanOrEqual(told.gold.precision.highest);
        expect(silent.gold.precision.lowest).toBe(told.gold.precision.lowest);
        const { correct, negative, conflicting, unsure, unknown } = silent.gold.predictions;
        expect(correct + negative + conflicting + unsure + unknown).toBe(predicted.entities.length);
      }),
    );
  });

  it("prints the keys that scripts rely on, as fractions of 1", async () => {
    const printed = JSON.parse(JSON.stringify(await evaluate([pair("PER 0 1, LOC 2 3", "PER 0 1")])));
    expect(printed).toMatchObject({ precision: 1, recall: 0.5, f1: 2 / 3, support: 2 });
    expect(printed.byType).toEqual({
      LOC: { precision: 0, recall: 0, f1: 0, support: 1 },
      PER: { precision: 1, recall: 1, f1: 1, support: 1 },
    });
    expect(printed.gold).toMatchObject({ complete: true, unknownPredictions: 0 });
  });
});
