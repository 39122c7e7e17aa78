import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Document, surface, tokenTexts } from "../text/document.ts";
import { brat } from "./brat.ts";
import { formatToRead } from "./detect.ts";
import { doccano } from "./doccano.ts";
import { collect, memorySource, readContent } from "./documents.suite.ts";
import type { ReadOptions } from "./format.ts";
import { formats } from "./index.ts";
import { labelStudio } from "./label-studio.ts";
import { fileSource } from "./source.ts";
import { spacyDoc } from "./spacy-doc.ts";

function entitiesOf({ sentences }: Document): string[] {
  return sentences.flatMap((sentence) => sentence.entities.map((each) => `${each.type} ${surface(sentence, each)}`));
}

function listener(): { notices: string[]; options: ReadOptions } {
  const notices: string[] = [];
  return { notices, options: { onNotice: (what, example) => notices.push(`${what}: ${example}`) } };
}

const region = (start: number, end: number, ...labels: string[]) => ({ type: "labels", value: { start, end, labels } });

describe("Label Studio", () => {
  const task = (data: object, ...result: object[]) => JSON.stringify([{ id: 7, data, annotations: [{ result }] }]);

  it("finds the text under the key of the project", async () => {
    const content = task({ article: "Anna left.", title: "News" }, region(0, 4, "PER"));
    const [document] = await readContent(labelStudio, content, { textKey: "article" });
    expect(entitiesOf(document!)).toEqual(["PER Anna"]);
    await expect(readContent(labelStudio, content)).rejects.toThrow(
      'data has no "text"; name the key that holds the text with --text-key (strings: "article", "title")',
    );
    await expect(readContent(labelStudio, content, { textKey: "body" })).rejects.toThrow('data has no "body"; ');
  });

  it("reads a region with several labels as an entity for each, and says so", async () => {
    const { notices, options } = listener();
    const content = task({ text: "Anna left." }, region(0, 4, "PER", "NAME", "PER"));
    const [document] = await readContent(labelStudio, content, options);
    expect(entitiesOf(document!)).toEqual(["NAME Anna", "PER Anna"]);
    expect(notices).toEqual(['regions with several labels read as an entity for each: ["PER","NAME","PER"]']);
  });

  it("names relations and results of other kinds, which it passes over", async () => {
    const { notices, options } = listener();
    const content = task(
      { text: "Anna left." },
      region(0, 4, "PER"),
      { type: "relation", from_id: "a", to_id: "b" },
      { type: "choices", value: { choices: ["good"] } },
    );
    const [document] = await readContent(labelStudio, content, options);
    expect(entitiesOf(document!)).toEqual(["PER Anna"]);
    expect(notices).toEqual([
      'relations passed over: "a" → "b"',
      'results "choices" passed over: {"choices":["good"]}',
    ]);
  });
});

describe("JSON-MIN of Label Studio", () => {
  const row = (id: number, annotator: number, labels: object[], more: object = {}) => ({
    id,
    text: "Anna met Bob.",
    ner: labels,
    annotator,
    annotation_id: 10 * id + annotator,
    created_at: "2024-01-01T00:00:00Z",
    lead_time: 3.5,
    ...more,
  });
  const anna = { start: 0, end: 4, text: "Anna", labels: ["PER"] };
  const bob = { start: 9, end: 12, text: "Bob", labels: ["PER"] };

  it("is told from doccano, whatever the labels are called", async () => {
    const found = async (value: object) =>
      (await formatToRead(memorySource(JSON.stringify([value])), formats, {})).name;
    expect(await found(row(1, 1, [anna]))).toBe("label-studio");
    expect(await found({ text: "Anna met Bob.", label: [anna] })).toBe("label-studio");
    expect(await found({ text: "Anna met Bob.", label: [[0, 4, "PER"]] })).toBe("doccano");
    expect(await found({ text: "Anna met Bob.", labels: [[0, 4, "PER"]] })).toBe("doccano");
  });

  it("reads rows, and takes those of one task for opinions of several people", async () => {
    const { notices, options } = listener();
    const rows = [row(1, 1, [anna, bob]), row(1, 2, [anna]), row(2, 1, [bob], { extra: { choices: ["x"] } })];
    const documents = await readContent(labelStudio, JSON.stringify(rows), options);
    expect(documents.map(entitiesOf)).toEqual([["PER Anna"], ["PER Bob"]]);
    expect(documents.map(({ id }) => id)).toEqual(["1", "2"]);
    const [first] = documents[0]!.sentences;
    expect(first!.unsure.map((span) => surface(first!, span))).toEqual(["Bob"]);
    expect(notices).toEqual(['results "extra" passed over: {"choices":["x"]}']);
  });

  it("takes the text from the key that is named", async () => {
    const { text, ...rest } = row(1, 1, [anna]);
    const [document] = await readContent(labelStudio, JSON.stringify([{ ...rest, body: text }]), { textKey: "body" });
    expect(entitiesOf(document!)).toEqual(["PER Anna"]);
  });
});

describe("spaCy's Doc.to_json", () => {
  const doc = {
    text: "Dr. Kim 👍🏽 left Oslo",
    ents: [
      { start: 4, end: 7, label: "PER" },
      { start: 16, end: 20, label: "LOC" },
    ],
    sents: [
      { start: 0, end: 10 },
      { start: 11, end: 20 },
    ],
    tokens: [
      [0, 3],
      [4, 7],
      [8, 9],
      [9, 10],
      [11, 15],
      [16, 20],
    ].map(([start, end], id) => ({ id, start, end })),
  };

  it("has tokens, sentences and offsets in code points", async () => {
    const [document] = await readContent(spacyDoc, JSON.stringify(doc));
    expect(entitiesOf(document!)).toEqual(["PER Kim", "LOC Oslo"]);
    expect(document!.sentences.map(tokenTexts)).toEqual([
      ["Dr.", "Kim", "👍", "🏽"],
      ["left", "Oslo"],
    ]);
  });

  it("keeps an entity whole that a sentence of the file would cut", async () => {
    const cut = {
      ...doc,
      sents: [
        { start: 0, end: 6 },
        { start: 6, end: 20 },
      ],
      tokens: undefined,
    };
    const [document] = await readContent(spacyDoc, JSON.stringify(cut));
    expect(entitiesOf(document!)).toEqual(["PER Kim", "LOC Oslo"]);
  });

  it("names span groups, which it passes over", async () => {
    const { notices, options } = listener();
    const spans = { sc: [{ start: 0, end: 3, label: "X" }], empty: [] };
    await readContent(spacyDoc, JSON.stringify({ ...doc, spans }), options);
    expect(notices).toEqual(["span groups passed over: sc"]);
  });
});

it("doccano names relations, which it passes over", async () => {
  const { notices, options } = listener();
  const row = { text: "Anna", entities: [], relations: [{ id: 1, from_id: 1, to_id: 2, type: "knows" }] };
  await readContent(doccano, JSON.stringify(row), options);
  expect(notices).toEqual(['relations passed over: {"id":1,"from_id":1,"to_id":2,"type":"knows"}']);
});

it("brat names relations, events, attributes and notes, which it passes over", async () => {
  const folder = await mkdtemp(join(tmpdir(), "lacuna-test-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "a.txt"), "Anna left.");
  const lines = ["T1\tPER 0 4\tAnna", "R1\tKnows Arg1:T1 Arg2:T1", "A1\tSure T1", "#1\tAnnotatorNotes T1\tyes"];
  await writeFile(join(folder, "a.ann"), `${lines.join("\n")}\n`);
  const { notices, options } = listener();
  const [document] = await collect(brat.read(fileSource(folder), options));
  expect(entitiesOf(document!)).toEqual(["PER Anna"]);
  expect(notices.map((notice) => notice.split(":")[0])).toEqual([
    "relations passed over",
    "attributes passed over",
    "notes passed over",
  ]);
});

describe("JSON of a shape that no format has", () => {
  it.each([
    ["rows of something", '{"sentence":"Anna","tags":"B-PER"}'],
    ["a text with annotations under a key of its own", '{"text":"Anna","ner":[[0,4,"PER"]]}'],
    ["a list", '[{"words_and_labels":[]}]'],
  ])("is refused and not read as text: %s", async (_, content) => {
    const reading = formatToRead(memorySource(content), formats, {}, "text");
    await expect(reading).rejects.toThrow(
      /^memory: unknown JSON with the keys .*; name its format with --from, .*spacy: "text" and "entities"/,
    );
  });

  it("but a text with nothing else is plain", async () => {
    expect((await formatToRead(memorySource('{"text":"Anna","meta":{"id":1}}'), formats, {})).name).toBe("spacy");
  });
});
