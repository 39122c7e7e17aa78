import { describe, expect, it } from "vitest";
import type { Annotation, Document } from "../../text/document.ts";
import { makeSentence } from "../../text/document.ts";
import { stateOf, wholly } from "../../text/states.ts";
import { tokenise } from "../../text/tokenise.ts";
import type { Limit, WriteOptions } from "../format.ts";
import * as limits from "./index.ts";

/** Six tokens of one letter. */
function letters(annotation: Annotation): Document {
  const text = "a b c d e f";
  return { text, sentences: [makeSentence(text, Int32Array.from([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]), annotation)] };
}

function reduced(limit: Limit, document: Document, options: WriteOptions = {}) {
  const lost: string[] = [];
  const remaining = [limit.reduce(document, (example) => lost.push(example()), options)].flat();
  return { lost, sentence: remaining[0]?.sentences[0], remaining };
}

describe("what a format cannot express", () => {
  it("of overlapping entities is all but the longest, then the first", () => {
    const entities = [
      { start: 0, end: 2, type: "A" },
      { start: 1, end: 4, type: "B" },
      { start: 4, end: 5, type: "C" },
      { start: 4, end: 6, type: "D" },
    ];
    const { sentence, lost } = reduced(limits.overlaps, letters({ entities }));
    expect(sentence!.entities.map(({ type }) => type)).toEqual(["B", "D"]);
    expect(lost).toEqual(['A "a b"', 'C "e"']);
  });

  it("of the undecided becomes unknown, and never a negative in a part declared complete", () => {
    const document = letters({ complete: wholly(6), unsure: [{ start: 2, end: 4 }] });
    const { sentence } = reduced(limits.unsure, document);
    expect(sentence!.complete).toEqual([
      { start: 0, end: 2 },
      { start: 4, end: 6 },
    ]);
    expect(stateOf(sentence!, { start: 2, end: 4 })).toBe("unknown");
    expect(stateOf(sentence!, { start: 4, end: 5 })).toBe("negative");
  });

  it("of completeness is what a format of whole documents cannot say, whichever way silence is read", () => {
    const half = letters({ complete: [{ start: 0, end: 3 }] });
    expect(reduced(limits.silentCompleteness, half)).toMatchObject({
      sentence: { complete: [] },
      lost: ["[0, 3) complete of 6 tokens"],
    });
    const declared = reduced(limits.silentCompleteness, half, { silence: "negative" });
    expect(declared).toMatchObject({
      sentence: { complete: [{ start: 0, end: 6 }] },
      lost: ["[0, 3) complete of 6 tokens"],
    });
    const finished = reduced(limits.finishedCompleteness, half, { silence: "negative" });
    expect(finished).toMatchObject({ sentence: { complete: [] }, lost: ["[0, 3) complete of 6 tokens"] });
  });

  it("of completeness is nothing when regions only add up to the same", () => {
    const whole = letters({
      complete: [
        { start: 3, end: 6 },
        { start: 0, end: 3 },
      ],
    });
    expect(reduced(limits.silentCompleteness, whole, { silence: "negative" })).toMatchObject({
      sentence: { complete: [{ start: 0, end: 6 }] },
      lost: [],
    });
  });

  it("of completeness for some types is lost by tags", () => {
    const typed = letters({ complete: wholly(6, ["PER"]) });
    expect(reduced(limits.taggedCompleteness, typed, { silence: "negative" }).lost).toEqual([
      "[0, 6) for PER complete of 6 tokens",
    ]);
  });

  it("of tokens is found by cutting anew", () => {
    const odd = { text: "don't go", sentences: [makeSentence("don't go", Int32Array.from([0, 2, 2, 5, 6, 8]))] };
    expect(reduced(limits.tokens, odd).lost).toEqual(['"don\'t go"']);
    expect(reduced(limits.tokens, tokenise("don't go")).lost).toEqual([]);
  });

  it("of text is what lies between tokens", () => {
    expect(reduced(limits.spacing, tokenise("Anna left.")).remaining[0]!.text).toBe("Anna left .");
    expect(reduced(limits.spacing, tokenise("Anna left")).lost).toEqual([]);
  });

  it("of tokens that break a line is marked with an open box", () => {
    const text = "a\tb -DOCSTART-";
    const document = { text, sentences: [makeSentence(text, Int32Array.from([0, 3, 4, 14]))] };
    const { remaining, lost } = reduced(limits.unwritableTokens, document);
    expect(remaining[0]!.text).toBe("a␣b ␣");
    expect(lost).toEqual(['"a\\tb"', '"-DOCSTART-"']);
  });

  it("of lone surrogates is everything but that something stood there", () => {
    const { remaining, lost } = reduced(limits.loneSurrogates, tokenise("a \ud83d 👍"));
    expect(remaining[0]!.text).toBe("a \ufffd 👍");
    expect(lost).toHaveLength(1);
  });

  it("of labels with white space is the white space", () => {
    const { sentence } = reduced(
      limits.spacedLabels,
      letters({ entities: [{ start: 0, end: 1, type: "given name" }] }),
    );
    expect(sentence!.entities[0]!.type).toBe("given_name");
  });
});
