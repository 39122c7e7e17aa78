import { describe, expect, it } from "vitest";
import { sentenceOf } from "../../test/support/words.ts";
import { InputError } from "../util/errors.ts";
import { auditLines, newSince, parseAudit } from "./audit-file.ts";
import { decisionsOf, reviewCurve } from "./review-curve.ts";
import type { Suspicion } from "./suspicion.ts";
import { taskDocuments } from "./tasks.ts";

const missing: Suspicion = {
  ...{ kind: "missing", score: 0.75, document: 1, start: 3, end: 6, text: "Ana", type: "PER", given: null },
  ...{ reasons: ["Because."], group: "g" },
};
const wrong: Suspicion = {
  ...{ kind: "wrong", score: 0.5, document: 1, start: 7, end: 11, text: "left", type: "LOC", group: "h" },
  ...{ given: { start: 7, end: 11, type: "LOC" }, reasons: ["Hardly."] },
};
const mistyped: Suspicion = { ...wrong, kind: "type", type: "PER", score: 0.25, group: "i" };

describe("an audit as lines", () => {
  it("is read as it was written, with empty lines passed over", () => {
    const text = [...auditLines([missing, wrong])].join("");
    expect(parseAudit(`${text}\n`, "a.jsonl")).toEqual([missing, wrong]);
  });

  it.each([
    ["{", "a.jsonl:2: not a line of an audit: "],
    ['{"kind":"lost"}', 'a.jsonl:2: not a line of an audit: "kind" '],
    [JSON.stringify({ ...missing, score: 2 }), 'a.jsonl:2: not a line of an audit: "score" '],
    [JSON.stringify({ ...missing, more: 1 }), "a.jsonl:2: not a line of an audit: "],
  ])("refuses %s with file and line", (line, message) => {
    const text = `${JSON.stringify(missing)}\n${line}\n`;
    expect(() => parseAudit(text, "a.jsonl")).toThrow(InputError);
    expect(() => parseAudit(text, "a.jsonl")).toThrow(message);
  });

  it("is new where place, kind or types differ, and not where the score does", () => {
    const moved = { ...missing, start: 0 };
    expect(newSince([missing, moved, mistyped], [{ ...missing, score: 0.1, reasons: [] }, wrong])).toEqual([
      moved,
      mistyped,
    ]);
  });
});

describe("what a review may expect", () => {
  it("adds up places and scores by decision, by hand", () => {
    const list = [missing, { ...missing, document: 2, score: 0.25 }, wrong];
    expect(decisionsOf(list).map((group) => group.length)).toEqual([2, 1]);
    expect(reviewCurve(list)).toEqual([
      { decisions: 1, places: 2, errors: 1 },
      { decisions: 2, places: 3, errors: 1.5 },
    ]);
    expect(reviewCurve([])).toEqual([]);
  });
});

describe("tasks for annotation tools", () => {
  const sentence = sentenceOf("😀 Ana left", { entities: [{ start: 2, end: 3, type: "LOC" }] });
  const documents = [
    { text: sentence.text, sentences: [sentence] },
    { text: "other", sentences: [sentenceOf("other")] },
  ];

  it("hold the documents with suspicions, suggestions with a score and reasons, and doubts beside the label", () => {
    const [task, ...others] = taskDocuments(documents, [missing, wrong], { keepGiven: true });
    expect(others).toEqual([]);
    expect(task!.sentences[0]!.entities).toEqual([
      {
        start: 1,
        end: 2,
        type: "PER",
        score: 0.75,
        provenance: { source: "lacuna audit: missing 0.75", entry: "Because." },
      },
      { start: 2, end: 3, type: "LOC", provenance: { source: "lacuna audit: wrong 0.5", entry: "Hardly." } },
    ]);
  });

  it("put a suggestion beside the label that it doubts, or in its place", () => {
    const types = (keepGiven: boolean): string[] =>
      taskDocuments(documents, [mistyped], { keepGiven })[0]!.sentences[0]!.entities.map(({ type }) => type);
    expect(types(true)).toEqual(["LOC", "PER"]);
    expect(types(false)).toEqual(["PER"]);
  });
});
