import { describe, expect, it } from "vitest";
import {
  annotate,
  characters,
  compareEntities,
  compareSpans,
  makeSentence,
  overlaps,
  sameSpan,
  surface,
  tokenCount,
  tokenText,
  tokenTexts,
} from "./document.ts";

const text = "Hi 👩‍🚀 Anna!";
const sentence = makeSentence(text, Int32Array.from([0, 2, 3, 8, 9, 13, 13, 14]));

describe("a sentence", () => {
  it("gives its tokens as they stand in the text", () => {
    expect(tokenCount(sentence)).toBe(4);
    expect(tokenTexts(sentence)).toEqual(["Hi", "👩‍🚀", "Anna", "!"]);
    expect(tokenText(sentence, 1)).toBe("👩‍🚀");
  });

  it("gives the characters and the text of a span", () => {
    expect(characters(sentence, { start: 1, end: 3 })).toEqual({ start: 3, end: 13 });
    expect(surface(sentence, { start: 1, end: 3 })).toBe("👩‍🚀 Anna");
  });

  it("knows nothing unless told", () => {
    expect(sentence).toMatchObject({ entities: [], rejected: [], unsure: [], complete: [] });
  });

  it("sorts entities by start, end and type, whatever their order was", () => {
    const entities = [
      { start: 2, end: 3, type: "PER" },
      { start: 0, end: 3, type: "ORG" },
      { start: 0, end: 1, type: "b" },
      { start: 0, end: 1, type: "a" },
    ];
    const sorted = makeSentence(text, sentence.offsets, { entities }).entities;
    expect(sorted).toEqual([entities[3], entities[2], entities[1], entities[0]]);
    expect(entities[0]).toEqual({ start: 2, end: 3, type: "PER" });
  });

  it("keeps what is not annotated anew", () => {
    const first = annotate(sentence, { unsure: [{ start: 0, end: 1 }] });
    const second = annotate(first, { entities: [{ start: 2, end: 3, type: "PER" }] });
    expect(second.unsure).toEqual([{ start: 0, end: 1 }]);
    expect(second.entities).toEqual([{ start: 2, end: 3, type: "PER" }]);
    expect(sentence.unsure).toEqual([]);
  });
});

describe("spans", () => {
  it("overlap when they share a token, not when they touch", () => {
    expect(overlaps({ start: 0, end: 2 }, { start: 1, end: 3 })).toBe(true);
    expect(overlaps({ start: 0, end: 2 }, { start: 2, end: 3 })).toBe(false);
    expect(overlaps({ start: 0, end: 5 }, { start: 2, end: 3 })).toBe(true);
  });

  it("are the same when start and end are, and are ordered by them", () => {
    expect(sameSpan({ start: 1, end: 2 }, { start: 1, end: 2 })).toBe(true);
    expect(sameSpan({ start: 1, end: 2 }, { start: 1, end: 3 })).toBe(false);
    expect(compareSpans({ start: 1, end: 3 }, { start: 1, end: 2 })).toBeGreaterThan(0);
    expect(compareEntities({ start: 1, end: 3, type: "a" }, { start: 1, end: 3, type: "b" })).toBeLessThan(0);
    expect(compareEntities({ start: 1, end: 3, type: "a" }, { start: 1, end: 3, type: "a" })).toBe(0);
  });
});
