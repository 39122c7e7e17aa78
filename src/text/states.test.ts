import { describe, expect, it } from "vitest";
import { type Annotation, makeSentence } from "./document.ts";
import { isComplete, type State, stateOf, wholly } from "./states.ts";

/** Five tokens of one letter. */
function sentence(annotation: Annotation) {
  return makeSentence("a b c d e", Int32Array.from([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]), annotation);
}

describe("the state of a span", () => {
  const annotated = sentence({
    entities: [{ start: 0, end: 2, type: "PER" }],
    rejected: [
      { start: 2, end: 3 },
      { start: 3, end: 4, type: "ORG" },
    ],
    unsure: [{ start: 4, end: 5 }],
  });

  it.each<[string, [number, number], string | undefined, State]>([
    ["a labelled span is an entity", [0, 2], undefined, "entity"],
    ["of its type", [0, 2], "PER", "entity"],
    ["and not of another", [0, 2], "ORG", "negative"],
    ["part of an entity is unknown where nothing is declared complete", [0, 1], undefined, "unknown"],
    ["a rejected span is negative", [2, 3], undefined, "negative"],
    ["for every type", [2, 3], "LOC", "negative"],
    ["a span rejected for a type is negative for it", [3, 4], "ORG", "negative"],
    ["and unknown for others", [3, 4], "PER", "unknown"],
    ["and unknown as a whole", [3, 4], undefined, "unknown"],
    ["an undecided span is unsure", [4, 5], undefined, "unsure"],
    ["for every type too", [4, 5], "PER", "unsure"],
    ["silence is unknown", [1, 3], undefined, "unknown"],
  ])("%s", (_, [start, end], type, state) => {
    expect(stateOf(annotated, { start, end }, type)).toBe(state);
  });

  it("is negative where it touches a part declared complete, and unknown beyond", () => {
    const part = sentence({ complete: [{ start: 1, end: 3 }] });
    expect(stateOf(part, { start: 0, end: 2 })).toBe("negative");
    expect(stateOf(part, { start: 2, end: 5 })).toBe("negative");
    expect(stateOf(part, { start: 3, end: 5 })).toBe("unknown");
  });

  it("is negative for the types that a part is declared complete for, and unknown for others", () => {
    const part = sentence({ complete: wholly(5, ["PER"]) });
    expect(stateOf(part, { start: 0, end: 1 }, "PER")).toBe("negative");
    expect(stateOf(part, { start: 0, end: 1 }, "ORG")).toBe("unknown");
    expect(stateOf(part, { start: 0, end: 1 })).toBe("unknown");
  });

  it("stays unsure inside a part declared complete", () => {
    const part = sentence({ complete: wholly(5), unsure: [{ start: 0, end: 1 }] });
    expect(stateOf(part, { start: 0, end: 1 })).toBe("unsure");
  });
});

describe("a complete sentence", () => {
  it("has every token in a region for all types, in any order and overlapping or not", () => {
    expect(isComplete(sentence({ complete: wholly(5) }))).toBe(true);
    expect(
      isComplete(
        sentence({
          complete: [
            { start: 2, end: 5 },
            { start: 0, end: 3 },
          ],
        }),
      ),
    ).toBe(true);
    expect(
      isComplete(
        sentence({
          complete: [
            { start: 0, end: 5 },
            { start: 1, end: 2 },
          ],
        }),
      ),
    ).toBe(true);
  });

  it("is not one with a gap, a missing end, or regions for some types only", () => {
    expect(
      isComplete(
        sentence({
          complete: [
            { start: 0, end: 2 },
            { start: 3, end: 5 },
          ],
        }),
      ),
    ).toBe(false);
    expect(isComplete(sentence({ complete: [{ start: 0, end: 4 }] }))).toBe(false);
    expect(isComplete(sentence({ complete: wholly(5, ["PER"]) }))).toBe(false);
    expect(isComplete(sentence({}))).toBe(false);
  });

  it("is also one without tokens, of which there is nothing to declare", () => {
    expect(wholly(0)).toEqual([]);
    expect(isComplete(makeSentence("", new Int32Array(0)))).toBe(true);
  });
});
