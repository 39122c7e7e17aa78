import { describe, expect, it } from "vitest";
import { surface, tokenTexts } from "../text/document.ts";
import { isComplete, stateOf } from "../text/states.ts";
import { conll } from "./conll.ts";
import { readContent, written } from "./documents.suite.ts";

const entities = async (content: string | Buffer, options = {}) =>
  (await readContent(conll, content, options)).map(({ sentences }) =>
    sentences.map((sentence) => sentence.entities.map((entity) => `${entity.type}:${surface(sentence, entity)}`)),
  );

describe("CoNLL columns", () => {
  it.each([
    ["two columns and tabs", "New\tB-LOC\nYork\tI-LOC\n\nBob\tB-PER\n"],
    ["two columns and spaces", "New B-LOC\nYork   I-LOC\n\n\n\nBob \t B-PER"],
    ["four columns", "New NNP I-NP B-LOC\nYork NNP I-NP I-LOC\n\nBob NNP I-NP B-PER\n"],
    ["Windows line ends and trailing blanks", "New\tB-LOC \r\nYork\tI-LOC\t\r\n\r\nBob\tB-PER\r\n"],
    ["a byte-order mark", "\ufeffNew\tB-LOC\nYork\tI-LOC\n \t \nBob\tB-PER\n"],
    ["BIOES", "New\tB-LOC\nYork\tE-LOC\n\nBob\tS-PER\n"],
    ["BILOU", "New\tB-LOC\nYork\tL-LOC\n\nBob\tU-PER\n"],
    ["IOB1", "New\tI-LOC\nYork\tI-LOC\n\nBob\tI-PER\n"],
  ])("are read with %s, in chunks of any size", async (_, content) => {
    for (const size of [1, 3, 1000]) {
      const documents = await readContent(conll, content, { strict: true }, size);
      expect(documents.map(({ text }) => text)).toEqual(["New York", "Bob"]);
      expect(documents.map(({ sentences }) => sentences[0]!.entities)).toEqual([
        [{ start: 0, end: 2, type: "LOC" }],
        [{ start: 0, end: 1, type: "PER" }],
      ]);
    }
  });

  it("keep spaces inside tokens and labels where tabs separate", async () => {
    const [document] = await readContent(conll, "New York\tB-big city\n \tO\n");
    expect(document!.sentences.map(tokenTexts)).toEqual([["New York", " "]]);
    expect(document!.sentences[0]!.entities).toEqual([{ start: 0, end: 1, type: "big city" }]);
  });

  it("join Chinese without spaces", async () => {
    const [document] = await readContent(conll, "北\tB-LOC\n京\tI-LOC\nOK\tO\n。\tO\n");
    expect(document).toMatchObject({
      text: "北京 OK 。",
      sentences: [{ offsets: Int32Array.from([0, 1, 1, 2, 3, 5, 6, 7]) }],
    });
  });

  it("make a document of each sentence before the first -DOCSTART-, and of what follows each such line", async () => {
    const content = "a O\n\nb O\n-DOCSTART- -X- O O\n\nc O\n\nd O\n\n-DOCSTART-\n-DOCSTART- O\ne O\n";
    const documents = await readContent(conll, content);
    expect(documents.map(({ text }) => text)).toEqual(["a", "b", "c\nd", "", "e"]);
  });

  it("make nothing of blank lines", async () => {
    expect(await readContent(conll, "\n\n  \r\n")).toEqual([]);
  });

  it("hold a sentence longer than any buffer", async () => {
    const content = "word\tO\n".repeat(30_000);
    const [document] = await readContent(conll, content, {}, 1000);
    expect(document!.sentences[0]!.offsets.length).toBe(60_000);
    expect(document!.text.length).toBe(30_000 * 5 - 1);
  });
});

describe("silence in CoNLL columns", () => {
  const plain = "Bob\tB-PER\nleft\tO\n";
  const partial = "Bob\tB-PER\nleft\tUNK\nhere\tO\n\nnow\tO\n";

  it("is unknown by default", async () => {
    const [document] = await readContent(conll, plain);
    expect(stateOf(document!.sentences[0]!, { start: 1, end: 2 })).toBe("unknown");
  });

  it("is negative when declared so", async () => {
    const [document] = await readContent(conll, plain, { silence: "negative" });
    expect(isComplete(document!.sentences[0]!)).toBe(true);
    expect(stateOf(document!.sentences[0]!, { start: 1, end: 2 })).toBe("negative");
  });

  it.each(["UNK", "-", "?"])(
    "is asserted in a whole file that says %s somewhere, and those tokens are unknown",
    async (tag) => {
      const documents = await readContent(conll, partial.replace("UNK", tag));
      const [first, second] = documents.map(({ sentences }) => sentences[0]!);
      expect(stateOf(first!, { start: 2, end: 3 })).toBe("negative");
      expect(stateOf(first!, { start: 1, end: 2 })).toBe("unknown");
      expect(stateOf(first!, { start: 0, end: 2 })).toBe("unknown"); // the name may go on
      expect(isComplete(second!)).toBe(true);
    },
  );

  it("is not asserted because a token or a document line ends like an unknown tag", async () => {
    const documents = await readContent(conll, "-DOCSTART- -X- -\nUNK\tO\n-\tO\n?\tO\nx-\tO\n");
    expect(documents[0]!.sentences[0]!.complete).toEqual([]);
  });

  it("comes back as it was written: unknown tokens as UNK when silence is negative", async () => {
    const documents = await readContent(conll, partial);
    const { content, losses } = await written(conll, documents, { silence: "negative" });
    expect(content).toBe("Bob\tB-PER\nleft\tUNK\nhere\tO\n\nnow\tO\n\n");
    expect(losses).toEqual([]);
    expect(await readContent(conll, content)).toEqual(documents);
  });

  it("is a loss to write where completeness is known but silence means unknown", async () => {
    const documents = await readContent(conll, plain, { silence: "negative" });
    const { content, losses } = await written(conll, documents);
    expect(content).toBe("Bob\tB-PER\nleft\tO\n\n");
    expect(losses).toEqual([
      { what: "completeness beyond what tags can say", count: 1, example: "[0, 2) complete of 2 tokens" },
    ]);
  });
});

describe("the tags of CoNLL columns", () => {
  it("are read leniently as conlleval reads them", async () => {
    expect(await entities("a I-X\nb B-X\nc I-Y\n")).toEqual([[["X:a", "X:b", "Y:c"]]]);
  });

  it("are checked in strict mode against the scheme that the file shows", async () => {
    await expect(entities("a B-X\nb M-X\nc E-X\n\nd S-X\n", { strict: true })).resolves.toHaveLength(2);
    await expect(entities("a B-X\nb M-X\nc O\n", { strict: true })).rejects.toThrow(
      "memory:3: conll: M-X must be followed",
    );
    await expect(entities("a B-X\n\n-DOCSTART- O\n\nb S-X\n\nc B-X\n", { strict: true })).rejects.toThrow(
      "memory:1: conll: B-X must be followed",
    );
  });

  it("are written in the scheme asked for", async () => {
    const documents = await readContent(conll, "a B-X\nb I-X\nc B-X\n");
    expect((await written(conll, documents, { scheme: "BILOU" })).content).toBe("a\tB-X\nb\tL-X\nc\tU-X\n\n");
    expect((await written(conll, documents, { scheme: "IOB1" })).content).toBe("a\tI-X\nb\tI-X\nc\tB-X\n\n");
  });
});
