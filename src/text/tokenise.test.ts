import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Document, surface, tokenTexts } from "./document.ts";
import { stateOf } from "./states.ts";
import { tokenise } from "./tokenise.ts";

const cut = (document: Document): string[] => document.sentences.map((sentence) => tokenTexts(sentence).join(" "));

describe("sentences", () => {
  it.each([
    [
      "end at full stops",
      "Anna left. Bob came! Why? No…  Yes.",
      ["Anna left .", "Bob came !", "Why ?", "No …", "Yes ."],
    ],
    [
      "not after titles and initials",
      "Dr. Lee met J. Smith of Acme Inc. in May. OK.",
      ["Dr . Lee met J . Smith of Acme Inc . in May .", "OK ."],
    ],
    ["not before a small letter", "He asked why? and left.", ["He asked why ? and left ."]],
    ["not inside numbers and names", "It cost 3.5 at example.com today.", ["It cost 3.5 at example . com today ."]],
    ["after closing quotes", '"Go!" She went. (Really.) Then', ['" Go ! "', "She went .", "( Really . )", "Then"]],
    [
      "at Chinese full stops without a space",
      "他来了。她走了！“好。”他说",
      ["他 来 了 。", "她 走 了 ！", "“ 好 。 ”", "他 说"],
    ],
    ["at blank lines, of any system", "Title\n\nText\r\n\r\nMore\r\rEnd", ["Title", "Text", "More", "End"]],
    ["not at single line breaks", "one\ntwo\r\nthree", ["one two three"]],
  ])("%s", (_, text, expected) => {
    expect(cut(tokenise(text))).toEqual(expected);
  });

  it("are none in an empty or blank text", () => {
    expect(tokenise("").sentences).toEqual([]);
    expect(tokenise(" \r\n\t").sentences).toEqual([]);
  });
});

describe("annotations of characters", () => {
  it("cut tokens where they begin and end", () => {
    const document = tokenise("unNewYorkish", {
      entities: [{ start: 2, end: 9, type: "LOC" }],
      unsure: [{ start: 2, end: 5 }],
    });
    expect(cut(document)).toEqual(["un New York ish"]);
    expect(document.sentences[0]).toMatchObject({
      entities: [{ start: 1, end: 3, type: "LOC" }],
      unsure: [{ start: 1, end: 2 }],
    });
  });

  it("keep a sentence from ending inside them", () => {
    const text = "See Yahoo! Japan. Bye. Now.";
    expect(cut(tokenise(text))).toHaveLength(4);
    const document = tokenise(text, { rejected: [{ start: 4, end: 16, type: "ORG" }] });
    expect(cut(document)).toEqual(["See Yahoo ! Japan .", "Bye .", "Now ."]);
    expect(surface(document.sentences[0]!, document.sentences[0]!.rejected[0]!)).toBe("Yahoo! Japan");
  });

  it("lose white space at their ends, and vanish when they are nothing else", () => {
    const document = tokenise("a  b ", {
      entities: [
        { start: 1, end: 5, type: "X" },
        { start: 1, end: 3, type: "Y" },
      ],
    });
    expect(document.sentences[0]!.entities).toEqual([{ start: 1, end: 2, type: "X" }]);
  });

  it("declare parts complete in each sentence they reach over", () => {
    const document = tokenise("a b. C d.", { complete: [{ start: 2, end: 6 }] });
    expect(document.sentences.map(({ complete }) => complete)).toEqual([
      [{ start: 1, end: 3 }],
      [{ start: 0, end: 1 }],
    ]);
    expect(stateOf(document.sentences[1]!, { start: 1, end: 2 })).toBe("unknown");
  });

  const texts = fc.string({
    unit: fc.constantFrom("a", "b.", " ", ". ", "中", "。", "👩‍🚀", "e\u0301", "\n\n", "'s", "\r\n"),
    minLength: 1,
    maxLength: 16,
  });
  const annotated = texts.chain((text) =>
    fc.tuple(
      fc.constant(text),
      fc.array(fc.tuple(fc.nat(text.length - 1), fc.integer({ min: 1, max: 9 })), { maxLength: 5 }),
    ),
  );

  it("are whole tokens of one sentence and cover the same text but for white space", () => {
    fc.assert(
      fc.property(annotated, ([text, places]) => {
        const entities = places.map(([start, width], i) => ({
          start,
          end: Math.min(text.length, start + width),
          type: `T${i}`,
        }));
        const document = tokenise(text, { entities });
        const found = document.sentences.flatMap((sentence) =>
          sentence.entities.map((entity) => [entity.type, surface(sentence, entity)]),
        );
        const expected = entities
          .map(({ start, end, type }) => [type, text.slice(start, end).trim()])
          .filter(([, covered]) => covered !== "");
        expect(found.sort()).toEqual(expected.sort());
      }),
    );
  });
});

describe("tokens that come with the text", () => {
  it("are kept, without blank ones, and what they leave out is tokenised", () => {
    const document = tokenise("New York's  end.", {}, { tokens: Int32Array.from([0, 10, 10, 12]) });
    expect(document.sentences.map(tokenTexts)).toEqual([["New York's", "end", "."]]);
  });
});

it("keeps the id and never changes the text", () => {
  expect(tokenise("a\r\nb\u00a0", {}, { id: "7" })).toMatchObject({ id: "7", text: "a\r\nb\u00a0" });
  expect("id" in tokenise("a")).toBe(false);
});

it("makes one entity of two that differ by white space only", () => {
  const { sentences } = tokenise("Ada  Bo", {
    entities: [
      { start: 3, end: 7, type: "PER" },
      { start: 5, end: 7, type: "PER" },
      { start: 5, end: 7, type: "LOC" },
    ],
  });
  expect(sentences[0]!.entities).toEqual([
    { start: 1, end: 2, type: "LOC" },
    { start: 1, end: 2, type: "PER" },
  ]);
});

it("takes sentences that come with the text, but never cuts an entity", () => {
  const text = "one two three four";
  const starts = { sentences: [0, 4, 8, 14] };
  const plain = tokenise(text, {}, starts);
  expect(plain.sentences.map(({ offsets }) => offsets.length / 2)).toEqual([1, 1, 1, 1]);
  const held = tokenise(text, { entities: [{ start: 4, end: 13, type: "X" }] }, starts);
  expect(held.sentences.map(({ offsets }) => offsets.length / 2)).toEqual([1, 2, 1]);
  expect(tokenise("", {}, { sentences: [0] }).sentences).toEqual([]);
});
