import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { annotate } from "../../text/document.ts";
import { wholly } from "../../text/states.ts";
import { conflictsOf, duplicatesOf } from "./conflicts.ts";
import { labelled, placedAlone } from "./corpus.suite.ts";
import { type SurfaceUse, surfaceUses } from "./surface-uses.ts";
import { surfaceIndex } from "./surfaces.ts";

describe("the index of surface forms", () => {
  it("finds what a search at every place finds, in order", () => {
    const word = fc.constantFrom("a", "b", "c");
    const forms = fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { maxLength: 8 });
    fc.assert(
      fc.property(forms, fc.array(word, { maxLength: 12 }), (list, tokens) => {
        const index = surfaceIndex();
        const numbers = list.map((form) => index.add(form));
        const expected = [];
        for (let start = 0; start < tokens.length; start++) {
          for (let end = start + 1; end <= tokens.length; end++) {
            const at = list.findIndex((form) => form.join(" ") === tokens.slice(start, end).join(" "));
            if (at >= 0) expected.push({ surface: numbers[at], start, end });
          }
        }
        expect(index.find(tokens)).toEqual(expected);
        expect(index.size).toBe(new Set(list.map((form) => form.join(" "))).size);
      }),
    );
  });
});

function usesOf(...texts: readonly string[]): Record<string, [labelled: Record<string, number>, unlabelled: number]> {
  return summaries(surfaceUses(placedAlone(texts.map((text) => labelled(text)))));
}

function summaries(uses: readonly SurfaceUse[]): ReturnType<typeof usesOf> {
  return Object.fromEntries(uses.map((use) => [use.surface, [Object.fromEntries(use.labelled), use.unlabelled]]));
}

describe("the uses of a surface form", () => {
  it("are labelled, by type, or free", () => {
    expect(usesOf("Ada/PER met Ada", "Ada/LOC slept", "nobody saw Ada or Bob")).toEqual({
      Ada: [{ PER: 1, LOC: 1 }, 2],
    });
  });

  it("do not count inside a longer form that is labelled somewhere", () => {
    const uses = usesOf("China/LOC and the Bank_of_China/ORG", "the Bank of China in China");
    expect(uses).toEqual({ China: [{ LOC: 1 }, 1], "Bank of China": [{ ORG: 1 }, 1] });
  });

  it("do not count where they overlap a labelled entity", () => {
    // "York City" stands in "York City Hall", which is labelled whole with what precedes it.
    expect(usesOf("York_City/ORG won", "New_York_City_Hall/LOC", "in York City")["York City"]).toEqual([{ ORG: 1 }, 1]);
  });

  it("do not count where they are known to be no entity, or undecided", () => {
    const free = labelled("we met Ada");
    const span = { start: 2, end: 3 };
    const uses = surfaceUses(
      placedAlone([
        labelled("Ada/PER slept"),
        free,
        annotate(free, { rejected: [span] }),
        annotate(free, { unsure: [span] }),
        annotate(free, { complete: wholly(3) }),
      ]),
    );
    expect(summaries(uses)).toEqual({ Ada: [{ PER: 1 }, 1] });
  });

  it("depend on letter case", () => {
    expect(usesOf("May/PER slept", "we may go in may")).toEqual({ May: [{ PER: 1 }, 0] });
  });

  it("keep the first places of either kind", () => {
    const [use] = surfaceUses(
      placedAlone(["Ada/PER and Ada", "so Ada", "but Ada", "yet Ada"].map((text) => labelled(text))),
    );
    expect(use!.labelledAt).toEqual([{ document: 0, sentence: 0, start: 0, end: 1 }]);
    expect(use!.unlabelledAt).toEqual([
      { document: 0, sentence: 0, start: 2, end: 3 },
      { document: 1, sentence: 0, start: 1, end: 2 },
      { document: 2, sentence: 0, start: 1, end: 2 },
    ]);
  });
});

describe("conflicts", () => {
  const texts = ["Ada/PER Ada/PER Ada Ada", "The/ORG The The The The", "Bob/PER", "Rome/LOC Rome/ORG Rome"];

  it("are forms labelled in one place and not in another; those with much of both come first", () => {
    const conflicts = conflictsOf(surfaceUses(placedAlone(texts.map((text) => labelled(text)))), 10);
    expect(conflicts).toMatchObject({ surfaces: 4, halfLabelled: 3, unlabelled: 7, severalTypes: 1 });
    expect(conflicts.examples.map(({ surface, labelled: types, unlabelled }) => [surface, types, unlabelled])).toEqual([
      ["Ada", { PER: 2 }, 2],
      ["Rome", { LOC: 1, ORG: 1 }, 1],
      ["The", { ORG: 1 }, 4],
    ]);
  });

  it("are listed as far as asked for", () => {
    const uses = surfaceUses(placedAlone(texts.map((text) => labelled(text))));
    expect(conflictsOf(uses, 1).examples.map(({ surface }) => surface)).toEqual(["Ada"]);
    expect(conflictsOf(uses, 0).halfLabelled).toBe(3);
  });
});

describe("duplicates", () => {
  it("are sentences with the same tokens, and disagree when their entities differ", () => {
    const texts = [
      "Ada/PER slept",
      "Ada/PER slept",
      "Ada slept",
      "Ada/LOC slept",
      "in Rome/LOC she slept",
      "in Rome she slept",
    ];
    const duplicates = duplicatesOf(placedAlone(texts.map((text) => labelled(text))), 10);
    expect(duplicates).toMatchObject({ sentences: 4, disagreeing: 3 });
    expect(duplicates.examples).toEqual([
      {
        text: "in Rome she slept",
        first: { document: 4, sentence: 0, start: 0, end: 4 },
        other: { document: 5, sentence: 0, start: 0, end: 4 },
      },
      {
        text: "Ada slept",
        first: { document: 0, sentence: 0, start: 0, end: 2 },
        other: { document: 2, sentence: 0, start: 0, end: 2 },
      },
    ]);
  });
});
