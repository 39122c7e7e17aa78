import { describe, expect, it } from "vitest";
import { tokenTexts } from "../text/document.ts";
import { isComplete, stateOf } from "../text/states.ts";
import { readContent, written } from "./documents.suite.ts";
import { dsNer, pure } from "./ds-ner.ts";
import { huggingface } from "./huggingface.ts";
import { negsampling } from "./negsampling.ts";

const row = (...rows: object[]) => rows.map((each) => `${JSON.stringify(each)}\n`).join("");

describe("Hugging Face rows", () => {
  const tokens = ["New", "York", "is", "big"];

  it("have tags by name", async () => {
    const [document] = await readContent(huggingface, row({ id: "0", tokens, ner_tags: ["B-LOC", "I-LOC", "O", "O"] }));
    expect(document).toMatchObject({ id: "0", text: "New York is big" });
    expect(document!.sentences[0]!.entities).toEqual([{ start: 0, end: 2, type: "LOC" }]);
  });

  it("have tags as places in a list of labels, written back the same way", async () => {
    const labels = ["O", "B-LOC", "I-LOC"];
    const content = row({ tokens, ner_tags: [1, 2, 0, 0] });
    const documents = await readContent(huggingface, content, { labels });
    expect(documents[0]!.sentences[0]!.entities).toEqual([{ start: 0, end: 2, type: "LOC" }]);
    expect((await written(huggingface, documents, { labels })).content).toBe(content);
    await expect(written(huggingface, documents, { labels: ["O"] })).rejects.toThrow(
      'the tag "B-LOC" is not in the list of labels',
    );
  });

  it.each([["UNK"], ["?"], [-100]])("with a tag %j somewhere assert O everywhere", async (unknown) => {
    const content = row({ tokens: ["a", "b"], ner_tags: ["O", unknown] }, { tokens: ["c"], ner_tags: ["O"] });
    const [first, second] = (await readContent(huggingface, content)).map(({ sentences }) => sentences[0]!);
    expect(stateOf(first!, { start: 0, end: 1 })).toBe("negative");
    expect(stateOf(first!, { start: 1, end: 2 })).toBe("unknown");
    expect(isComplete(second!)).toBe(true);
  });

  it("without one leave O unknown", async () => {
    const [document] = await readContent(huggingface, row({ tokens: ["a"], ner_tags: ["O"] }));
    expect(stateOf(document!.sentences[0]!, { start: 0, end: 1 })).toBe("unknown");
  });

  it("may call their columns otherwise", async () => {
    const [document] = await readContent(huggingface, row({ str_words: ["a"], tags: ["B-X"] }));
    expect(document!.sentences[0]!.entities).toHaveLength(1);
  });
});

describe("NegSampling-NER lists", () => {
  it("hold Python literals with the end of entities included", async () => {
    const content = `[ \n {\n  "sentence": "['P.', \\"O'Neil\\", 'it\\\\'s', '\\\\u5317']",\n  "labeled entities": "[(0, 1, 'PER')]"\n }\n]`;
    const [document] = await readContent(negsampling, content);
    expect(tokenTexts(document!.sentences[0]!)).toEqual(["P.", "O'Neil", "it's", "北"]);
    expect(document!.sentences[0]!.entities).toEqual([{ start: 0, end: 2, type: "PER" }]);
  });

  it("are written so that Python reads them", async () => {
    const documents = await readContent(dsNer, JSON.stringify([{ tokens: ["a", "b'c"], entities: [[0, 1, "X"]] }]));
    expect((await written(negsampling, documents)).content).toBe(
      `[\n {"sentence":"['a', \\"b'c\\"]","labeled entities":"[(0, 1, 'X')]"}\n]\n`,
    );
  });
});

describe("ds_ner lists", () => {
  it("stand on one line, with the end of entities included", async () => {
    const content = '[{"tokens":["New","York"],"entities":[[0,1,"LOC"],[1,1,"X"]]}, {"tokens":[],"entities":[]}]\n';
    const documents = await readContent(dsNer, content);
    expect(documents[0]!.sentences[0]!.entities).toEqual([
      { start: 0, end: 2, type: "LOC" },
      { start: 1, end: 2, type: "X" },
    ]);
    expect((await written(dsNer, documents)).content).toBe(content);
  });

  it("lose the grouping of sentences into documents, and say so", async () => {
    const documents = await readContent(pure, row({ doc_key: "d", sentences: [["a"], ["b"]], ner: [[], []] }));
    const { reduced, losses } = await written(dsNer, documents);
    expect(reduced.map(({ text }) => text)).toEqual(["a", "b"]);
    expect(losses).toEqual([
      { what: "document ids", count: 1, example: '"d"' },
      { what: "documents of more or less than one sentence", count: 1, example: "2 sentences in one document" },
    ]);
  });
});

describe("PURE lines", () => {
  it("count tokens through the document", async () => {
    const content = row({
      doc_key: "d",
      sentences: [["a", "b"], ["c"]],
      ner: [[[0, 1, "X"]], [[2, 2, "Y"]]],
      relations: [[], []],
    });
    const documents = await readContent(pure, content);
    expect(documents[0]).toMatchObject({ id: "d", text: "a b\nc" });
    expect(documents[0]!.sentences.map(({ entities }) => entities)).toEqual([
      [{ start: 0, end: 2, type: "X" }],
      [{ start: 0, end: 1, type: "Y" }],
    ]);
    expect((await written(pure, documents)).content).toBe(content);
  });
});
