import { describe, expect, it } from "vitest";
import type { Document } from "../text/document.ts";
import { surface } from "../text/document.ts";
import { isComplete, stateOf } from "../text/states.ts";
import { doccano } from "./doccano.ts";
import { readContent, written } from "./documents.suite.ts";
import type { FileFormat, ReadOptions } from "./format.ts";
import { labelStudio } from "./label-studio.ts";
import { prodigy } from "./prodigy.ts";
import { spacy } from "./spacy.ts";

/** What a reader found, with the text each span covers. */
async function found(format: FileFormat, content: string, options: ReadOptions = {}) {
  const documents = await readContent(format, content, options);
  const list = <S extends { start: number; end: number; type?: string }>(
    document: Document,
    key: "entities" | "rejected" | "unsure",
  ) =>
    document.sentences.flatMap((sentence) =>
      (sentence[key] as readonly S[]).map((span) => `${span.type ?? "any"}:${surface(sentence, span)}`),
    );
  return documents.map((document) => ({
    entities: list(document, "entities"),
    rejected: list(document, "rejected"),
    unsure: list(document, "unsure"),
    complete: document.sentences.every(isComplete),
  }));
}

const nothing = { entities: [], rejected: [], unsure: [], complete: false };
const line = (...rows: unknown[]) => rows.map((row) => JSON.stringify(row)).join("\n");

describe("spaCy lines", () => {
  it("count code points", async () => {
    const content = line({ text: "👍👍 Japan", entities: [[3, 8, "LOC"]] });
    expect(await found(spacy, content)).toEqual([{ ...nothing, entities: ["LOC:Japan"] }]);
    const [document] = await readContent(spacy, content);
    expect((await written(spacy, [document!])).content).toBe(`${content}\n`);
  });

  it("come as pairs too, one a line or all in a list", async () => {
    const pairs = [
      ["Anna left", { entities: [[0, 4, "PER"]] }],
      ["Bye", { entities: [] }],
    ];
    const expected = [{ ...nothing, entities: ["PER:Anna"] }, nothing];
    expect(await found(spacy, line(...pairs))).toEqual(expected);
    expect(await found(spacy, JSON.stringify(pairs, null, 1))).toEqual(expected);
  });

  it("come with named entities too, and without any", async () => {
    const content = line({ text: "Anna", entities: [{ start: 0, end: 4, label: "PER" }] }, { text: "Anna" });
    expect(await found(spacy, content)).toEqual([{ ...nothing, entities: ["PER:Anna"] }, nothing]);
  });

  it("mean unknown by silence unless declared negative", async () => {
    const content = line({ text: "Anna left. Bye.", entities: [[0, 4, "PER"]] });
    expect((await found(spacy, content, { silence: "negative" }))[0]!.complete).toBe(true);
    expect((await found(spacy, content))[0]!.complete).toBe(false);
  });

  it("keep the id in meta", async () => {
    const [document] = await readContent(spacy, line({ text: "a", meta: { id: 12 } }));
    expect(document!.id).toBe("12");
  });

  it("may be declared to count otherwise", async () => {
    const content = line({ text: "é👍 Japan", entities: [[7, 12, "LOC"]] });
    expect(await found(spacy, content, { offsets: "byte" })).toEqual([{ ...nothing, entities: ["LOC:Japan"] }]);
  });
});

describe("doccano lines", () => {
  it.each(["label", "labels"])("count as JavaScript does, under %s", async (key) => {
    const content = line({ id: 7, text: "👍 Japan", [key]: [[3, 8, "LOC"]] });
    expect(await found(doccano, content)).toEqual([{ ...nothing, entities: ["LOC:Japan"] }]);
  });

  it("have entities with start_offset and end_offset too", async () => {
    const content = line({
      text: "Japan",
      entities: [{ id: 1, label: "LOC", start_offset: 0, end_offset: 5 }],
      relations: [],
    });
    expect(await found(doccano, content)).toEqual([{ ...nothing, entities: ["LOC:Japan"] }]);
  });

  it("may nest", async () => {
    const content = line({
      text: "Bank of Japan",
      label: [
        [0, 13, "ORG"],
        [8, 13, "LOC"],
      ],
    });
    expect((await found(doccano, content))[0]!.entities).toEqual(["ORG:Bank of Japan", "LOC:Japan"]);
  });
});

describe("Prodigy tasks", () => {
  const span = (start: number, end: number, label?: string) => ({ start, end, label });
  const text = "Anna met Bob";

  it("label their spans when accepted, and when nobody answered", async () => {
    const spans = [span(0, 4, "PER")];
    const content = line({ text, spans, answer: "accept" }, { text, spans });
    const entities = ["PER:Anna"];
    expect(await found(prodigy, content)).toEqual([
      { ...nothing, entities },
      { ...nothing, entities },
    ]);
    expect(await found(prodigy, content, { silence: "negative" })).toEqual([
      { ...nothing, entities, complete: true },
      { ...nothing, entities },
    ]);
  });

  it("reject one span, and are undecided about several", async () => {
    const content = line(
      { text, spans: [span(0, 4, "ORG")], answer: "reject" },
      { text, spans: [span(0, 4)], answer: "reject" },
      { text, spans: [span(0, 4, "ORG"), span(9, 12, "ORG")], answer: "reject" },
      { text, spans: [], answer: "reject" },
    );
    expect(await found(prodigy, content, { silence: "negative" })).toEqual([
      { ...nothing, rejected: ["ORG:Anna"] },
      { ...nothing, rejected: ["any:Anna"] },
      { ...nothing, unsure: ["any:Anna", "any:Bob"] },
      nothing,
    ]);
  });

  it("leave the spans of an ignored task undecided, and the rest unknown", async () => {
    const content = line({ text, spans: [span(9, 12, "PER")], answer: "ignore" });
    expect(await found(prodigy, content, { silence: "negative" })).toEqual([{ ...nothing, unsure: ["any:Bob"] }]);
  });

  it("are one document when they stand together with one input hash and session", async () => {
    const accept = { text, _input_hash: 5, spans: [span(0, 4, "PER")], answer: "accept" };
    const reject = { text, _input_hash: 5, spans: [span(9, 12, "ORG")], answer: "reject" };
    expect(await found(prodigy, line(accept, reject))).toEqual([
      { ...nothing, entities: ["PER:Anna"], rejected: ["ORG:Bob"] },
    ]);
    expect(await found(prodigy, line(accept, { ...reject, _session_id: "eve" }))).toHaveLength(2);
    expect(await found(prodigy, line({ text, spans: [] }, { text, spans: [] }))).toHaveLength(2);
  });

  it("bring their tokens", async () => {
    const tokens = [
      { text: "Anna met", start: 0, end: 8, id: 0 },
      { text: "Bob", start: 9, end: 12, id: 1 },
    ];
    const [document] = await readContent(prodigy, line({ text, tokens, spans: [span(9, 12, "PER")] }));
    expect([...document!.sentences[0]!.offsets]).toEqual([0, 8, 9, 12]);
  });

  it("keep scores and sources", async () => {
    const content = line({ text, spans: [{ ...span(0, 4, "PER"), score: 0.5, source: "model" }] });
    const [document] = await readContent(prodigy, content);
    expect(document!.sentences[0]!.entities).toEqual([
      { start: 0, end: 1, type: "PER", score: 0.5, provenance: { source: "model" } },
    ]);
  });
});

describe("Label Studio tasks", () => {
  const text = "👍 Anna met Bob";
  const region = (start: number, end: number, covered: string, label: string, more = {}) => ({
    type: "labels",
    value: { start, end, text: covered, labels: [label] },
    ...more,
  });
  const anna = region(2, 6, "Anna", "PER");
  const bob = region(11, 14, "Bob", "PER");
  const task = (annotations: object[], predictions: object[] = []) => ({
    id: 3,
    data: { text },
    annotations,
    predictions,
  });
  const tasks = (...list: object[]) => JSON.stringify(list);

  it("count code points, or what the text of their results tells", async () => {
    const old = region(3, 7, "Anna", "PER"); // UTF-16
    const content = tasks(task([{ result: [anna, bob] }]), task([{ result: [old] }]));
    expect((await found(labelStudio, content)).map(({ entities }) => entities)).toEqual([
      ["PER:Anna", "PER:Bob"],
      ["PER:Anna"],
    ]);
  });

  it("are undecided where annotators differ", async () => {
    const content = tasks(
      task([{ result: [anna, bob] }, { result: [anna, region(11, 14, "Bob", "ORG")] }, { result: [anna] }]),
    );
    expect(await found(labelStudio, content)).toEqual([{ ...nothing, entities: ["PER:Anna"], unsure: ["any:Bob"] }]);
  });

  it("follow the annotation marked as ground truth", async () => {
    const content = tasks(task([{ result: [anna, bob] }, { result: [bob], ground_truth: true }]));
    expect(await found(labelStudio, content)).toEqual([{ ...nothing, entities: ["PER:Bob"] }]);
  });

  it("leave the spans of a cancelled annotation undecided", async () => {
    const content = tasks(task([{ result: [anna], was_cancelled: true }]));
    expect(await found(labelStudio, content, { silence: "negative" })).toEqual([{ ...nothing, unsure: ["any:Anna"] }]);
  });

  it("give predictions where nobody annotated, or when asked for them", async () => {
    const predictions = [{ model_version: "m", result: [{ ...bob, score: 0.75 }] }];
    const bare = tasks(task([], predictions));
    const annotated = tasks(task([{ result: [anna] }], predictions));
    expect((await found(labelStudio, bare))[0]!.entities).toEqual(["PER:Bob"]);
    expect((await found(labelStudio, annotated))[0]!.entities).toEqual(["PER:Anna"]);
    expect((await found(labelStudio, annotated, { candidates: true }))[0]!.entities).toEqual(["PER:Anna", "PER:Bob"]);
  });

  it("are complete only where somebody annotated, and silence is negative", async () => {
    const content = tasks(task([{ result: [] }]), task([]));
    expect((await found(labelStudio, content, { silence: "negative" })).map(({ complete }) => complete)).toEqual([
      true,
      false,
    ]);
  });

  it("get candidates with a score as predictions, and labels as an annotation", async () => {
    const [document] = await readContent(
      labelStudio,
      tasks(task([{ result: [anna] }], [{ result: [{ ...bob, score: 0.75 }] }])),
      { candidates: true },
    );
    const [back] = JSON.parse((await written(labelStudio, [document!])).content);
    expect(back.annotations).toMatchObject([{ result: [{ from_name: "label", to_name: "text", value: anna.value }] }]);
    expect(back.predictions).toMatchObject([{ model_version: "lacuna", result: [{ value: bob.value, score: 0.75 }] }]);
  });

  it("pass over results that are no labels of text", async () => {
    const choice = { type: "choices", value: { choices: ["good"] } };
    expect((await found(labelStudio, tasks(task([{ result: [choice, anna] }]))))[0]!.entities).toEqual(["PER:Anna"]);
  });
});

it("says the state of a span from what a file said", async () => {
  const rejected = line({ text: "Anna met Bob", spans: [{ start: 0, end: 4, label: "ORG" }], answer: "reject" });
  const [document] = await readContent(prodigy, rejected);
  const sentence = document!.sentences[0]!;
  expect(stateOf(sentence, { start: 0, end: 1 }, "ORG")).toBe("negative");
  expect(stateOf(sentence, { start: 0, end: 1 }, "PER")).toBe("unknown");
  expect(stateOf(sentence, { start: 2, end: 3 })).toBe("unknown");
});
