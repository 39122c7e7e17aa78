import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { characters, tokenise } from "../text/index.ts";
import { passageOf } from "./passage.ts";
import { placesOf } from "./places.ts";
import { auditOf, documentOf, suspicion } from "./review.suite.ts";
import { openReview } from "./review.ts";

describe("the passage of a suspicion", () => {
  it("is the sentence with the text around it, and what is labelled there", () => {
    const document = documentOf("It rained. Ana met Bo in Porto. They left.", [["Porto", "LOC"]]);
    const place = { document: 0, sentence: 1 };
    const passage = passageOf(document, place, { start: 11, end: 14 });
    expect(passage).toMatchObject({ offset: 0, text: document.text, cutBefore: false, cutAfter: false });
    const starts = passage.tokens.filter((_, i) => i % 2 === 0);
    const words = starts.map((at, i) => document.text.slice(at, passage.tokens[2 * i + 1]));
    expect(words).toEqual(["Ana", "met", "Bo", "in", "Porto", "."]);
    expect(passage.entities).toEqual([{ start: 25, end: 30, type: "LOC" }]);
  });

  it("is a window of a text of a megabyte, whatever its sentences are", () => {
    for (const word of ["word ", "字", "😀", "a. B "]) {
      const text = `${word.repeat(200_000)}Ana${` ${word}`.repeat(100_000)}`;
      const document = tokenise(text);
      const start = text.indexOf("Ana");
      const sentence = document.sentences.findIndex(({ offsets }) => offsets[0]! <= start && offsets.at(-1)! > start);
      const passage = passageOf(document, { document: 0, sentence }, { start, end: start + 3 });
      expect(passage.text.length).toBeLessThan(4000);
      expect(passage.text).toBe(text.slice(passage.offset, passage.offset + passage.text.length));
      expect(passage.text).toContain("Ana");
      // No half of a character at either end.
      expect(Buffer.from(passage.text).toString()).toBe(passage.text);
      expect([passage.cutBefore, passage.cutAfter]).toEqual([true, true]);
    }
  });

  it("keeps offsets in any text: emoji, right to left, lone surrogates", () => {
    const words = fc.array(fc.constantFrom("Ana", "北京", "👩‍👩‍👧", "שלום", "\ud800", "\r\n", "naïve", "a.", " "), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(words, fc.nat(), (list, pick) => {
        const document = tokenise(list.join(" "));
        const places = document.sentences.flatMap((sentence, i) =>
          Array.from({ length: sentence.offsets.length >> 1 }, (_, token) => ({
            sentence: i,
            span: characters(sentence, { start: token, end: token + 1 }),
          })),
        );
        if (places.length === 0) return;
        const { sentence, span } = places[pick % places.length]!;
        const passage = passageOf(document, { document: 0, sentence }, span);
        const inPassage = passage.text.slice(span.start - passage.offset, span.end - passage.offset);
        expect(inPassage).toBe(document.text.slice(span.start, span.end));
        expect(passage.tokens).toContain(span.start);
        expect(passage.tokens).toContain(span.end);
      }),
    );
  });
});

describe("an audit of other data is refused with its line", () => {
  const documents = [documentOf("Ana met Bo .", [["Bo", "PER"]])];
  const good = suspicion("missing", documents, 1, "Ana", "PER");
  const bad = {
    "another text": { ...good, text: "Eva" },
    "no such document": { ...good, document: 2 },
    "half a token": { ...good, end: 2, text: "An" },
    "an annotation that is not there": { ...good, kind: "wrong", given: { start: 0, end: 3, type: "PER" } },
    "a wrong one without what is given": { ...good, kind: "wrong" },
  } as const;

  it.each([
    ["another text", 'expected "Eva" at [0, 3), got "Ana"'],
    ["no such document", "the data have no document 2"],
    ["half a token", "[0, 2) are not whole tokens of one sentence"],
    ["an annotation that is not there", 'the data have no "PER" at [0, 3)'],
    ["a wrong one without what is given", 'a suspicion of kind "wrong" must have "given"'],
  ] as const)("%s", async (name, message) => {
    const audit = auditOf([good, bad[name]]);
    await expect(openReview(documents, audit)).rejects.toThrow(
      `audit.jsonl:2: ${message}; is this the audit of --data?`,
    );
  });

  it("finds documents by id, and by number where ids are shared", () => {
    const [document] = documents as [(typeof documents)[number]];
    const named = ["a", "b", "b"].map((id) => ({ ...document, id }));
    const at = (name: string | number) => placesOf(named, auditOf([{ ...good, document: name }]));
    expect(at("a")).toEqual([{ document: 0, sentence: 0 }]);
    expect(at(3)).toEqual([{ document: 2, sentence: 0 }]);
    expect(() => at("b")).toThrow('the data have no document "b"');
  });
});
