import { describe, expect, it } from "vitest";
import { completeSettings } from "../methods/index.ts";
import { makeSentence, type Sentence } from "../text/index.ts";
import { detection, outsideStudy } from "./outside-study.ts";

describe("detection", () => {
  const values = {
    sentences: Int32Array.of(0, 0, 0, 1, 1, 1, 1, 2, 2, 2),
    tokens: Int32Array.of(0, 1, 2, 0, 1, 2, 3, 0, 1, 2),
    values: Float32Array.of(5, -3, 4, -2, 6, 7, -1, 8, 9, 3),
  };

  it("counts hidden tokens among the smallest values", () => {
    // Ascending: −3 (hidden), −2, −1 (hidden), 3, 4 (hidden), 5 …
    const isHidden = [false, true, true, false, false, false, true, false, false, false];
    expect(detection(values, isHidden, [0, 0.05, 0.1, 0.2, 0.3, 0.5, 1])).toEqual([
      { share: 0, precision: 0, recall: 0 },
      { share: 0.05, precision: 1, recall: 1 / 3 },
      { share: 0.1, precision: 1, recall: 1 / 3 },
      { share: 0.2, precision: 1 / 2, recall: 1 / 3 },
      { share: 0.3, precision: 2 / 3, recall: 2 / 3 },
      { share: 0.5, precision: 3 / 5, recall: 1 },
      { share: 1, precision: 3 / 10, recall: 1 },
    ]);
  });

  it("is 0 where nothing is hidden", () => {
    const isHidden = new Array<boolean>(10).fill(false);
    expect(detection(values, isHidden, [0.5])).toEqual([{ share: 0.5, precision: 0, recall: 0 }]);
  });
});

const names = ["Ana", "Rui", "Eva", "Leo", "Mia", "Tom"];
const person = { start: 0, end: 1, type: "PER" };
const sentences: Sentence[] = names.flatMap((name) =>
  ["sings", "sleeps", "walks", "reads"].map((verb, i) => {
    const text = `${name} ${verb} here`;
    const offsets = [0, 3, 4, 4 + verb.length, 5 + verb.length, 9 + verb.length];
    return makeSentence(text, Int32Array.from(offsets), { entities: i === 0 ? [] : [person] });
  }),
);
const hidden = sentences.map(({ entities }) => (entities.length === 0 ? [person] : []));
const small = {
  encoder: { wordWidth: 8, minimumCount: 1, units: 8, dropout: 0 },
  rate: 0.02,
  batchTokens: 24,
  threads: 1,
};

it.each(["linear", "angle"])("hidden tokens look less like O than the others, with %s scores", async (scores) => {
  const settings = completeSettings({
    ...small,
    method: "ce",
    head: { name: "token", scores, dropout: 0 },
    epochs: 3,
  });
  const records = [];
  const data = { train: sentences, dev: [], hidden };
  for await (const record of outsideStudy(data, settings, { value: "centered" })) records.push(record);
  expect(records.map(({ epoch }) => epoch)).toEqual([1, 2, 3]);
  const last = records.at(-1)!;
  expect(last.hidden).toBeLessThan(last.outside);
  // 6 of 54 unlabelled tokens are hidden: the ninth part taken finds them all.
  expect(last.detection.find(({ share }) => share === 0.2)!.recall).toBe(1);
});

it("the study refuses data whose hidden entities are not known, and models without tokens", async () => {
  const tagger = completeSettings({ ...small, method: "ce", head: "token", epochs: 1 });
  await expect(outsideStudy({ train: sentences, dev: [] }, tagger, { value: "raw" }).next()).rejects.toThrow(
    "outside study: the hidden entities must be known",
  );
  const spans = completeSettings({ ...small, epochs: 1 });
  await expect(outsideStudy({ train: sentences, dev: [], hidden }, spans, { value: "raw" }).next()).rejects.toThrow(
    "outside study: a span head has no tokens (known: head=token)",
  );
});
