import { describe, expect, it } from "vitest";
import { sentenceOf } from "../../test/support/words.ts";
import { surfaceEvidence } from "./surface-evidence.ts";

const place = (start: number, end: number, type: string) => ({ entities: [{ start, end, type }] });

describe("what the rest of a corpus says of a text", () => {
  const sentences = [
    sentenceOf("to Faro now", place(1, 2, "LOC")),
    sentenceOf("from Faro then"),
    sentenceOf("FARO is Faro", place(2, 3, "PER")),
    sentenceOf("faro IS faro"),
    sentenceOf("in Faro Airport", place(1, 3, "LOC")),
  ];
  const evidence = surfaceEvidence(sentences, ["LOC", "PER"]);

  it("leaves out the own sentence, those equal to it up to case, and places within something labelled", () => {
    // Faro stands in sentences 0 to 2; in the last it is part of a longer name.
    expect(evidence.elsewhere(0, { start: 1, end: 2 })).toEqual({ labelled: [0, 1], places: 2 });
    expect(evidence.elsewhere(1, { start: 1, end: 2 })).toEqual({ labelled: [1, 1], places: 2 });
    expect(evidence.elsewhere(2, { start: 2, end: 3 })).toEqual({ labelled: [1, 0], places: 2 });
    expect(evidence.places(4)).toEqual([expect.objectContaining({ start: 1, end: 3 })]);
  });

  it("says nothing of texts that are labelled nowhere", () => {
    expect(evidence.elsewhere(1, { start: 0, end: 1 })).toEqual({ labelled: [0, 0], places: 0 });
  });

  it("looks up other sentences, which say nothing themselves", () => {
    const others = [sentenceOf("at Faro again", place(1, 2, "LOC")), sentenceOf("TO Faro NOW")];
    const both = surfaceEvidence(sentences, ["LOC", "PER"], others);
    expect(both.elsewhere(5, { start: 1, end: 2 })).toEqual({ labelled: [1, 1], places: 3 });
    expect(both.elsewhere(6, { start: 1, end: 2 })).toEqual({ labelled: [0, 1], places: 2 });
    expect(both.elsewhere(1, { start: 1, end: 2 })).toEqual(evidence.elsewhere(1, { start: 1, end: 2 }));
  });
});
