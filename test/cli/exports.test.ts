import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder, run } from "./lacuna.ts";

/**
 * What annotation tools export, walked as a newcomer does: every export becomes Lacuna's own lines and columns, without
 * naming its format, and the entities are those that were annotated.
 */
const text = "Ana Lopes 👍🏽 moved to Lisbon.";
const inCodePoints = [
  { start: 0, end: 9, label: "PER" },
  { start: 21, end: 27, label: "LOC" },
];
const inUtf16 = [
  [0, 9, "PER"],
  [23, 29, "LOC"],
];
const tokens = ["Ana", "Lopes", "👍🏽", "moved", "to", "Lisbon", "."];
const tags = ["B-PER", "I-PER", "O", "O", "O", "B-LOC", "O"];
const results = inCodePoints.map(({ start, end, label }, i) => ({
  id: `r${i}`,
  type: "labels",
  from_name: "label",
  to_name: "text",
  value: { start, end, text: [...text].slice(start, end).join(""), labels: [label] },
}));

const lines = (...rows: unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const utf16 = (content: string): Buffer => Buffer.from(`\ufeff${content}`, "utf16le");

/** Exports by the name of the file; flags are those that nobody can do without. */
const exports: readonly { name: string; content: string | Buffer; flags?: string[]; says?: RegExp }[] = [
  { name: "prodigy.jsonl", content: lines({ text, spans: inCodePoints, answer: "accept", _input_hash: 1 }) },
  { name: "doccano.jsonl", content: lines({ id: 1, text, label: inUtf16 }) },
  {
    name: "doccano-relations.jsonl",
    content: lines({
      id: 1,
      text,
      entities: inUtf16.map(([start, end, label], id) => ({ id, start_offset: start, end_offset: end, label })),
      relations: [{ id: 3, from_id: 0, to_id: 1, type: "to" }],
    }),
    says: /relations passed over \(1\), such as /,
  },
  {
    name: "label-studio.json",
    content: JSON.stringify([
      {
        id: 1,
        data: { text },
        annotations: [{ result: [...results, { type: "relation", from_id: "r0", to_id: "r1" }] }],
      },
    ]),
    says: /relations passed over \(1\), such as "r0" → "r1"/,
  },
  {
    name: "label-studio-key.json",
    content: JSON.stringify([{ id: 1, data: { body: text, url: "x" }, annotations: [{ result: results }] }]),
    flags: ["--text-key", "body"],
  },
  {
    name: "label-studio-min.json",
    content: JSON.stringify([
      { id: 1, text, label: results.map(({ value }) => value), annotator: 1, annotation_id: 1, lead_time: 2 },
    ]),
  },
  {
    name: "spacy.jsonl",
    content: lines({ text, entities: inCodePoints.map(({ start, end, label }) => [start, end, label]) }),
  },
  {
    name: "spacy-pairs.json",
    content: JSON.stringify([[text, { entities: inCodePoints.map(({ start, end, label }) => [start, end, label]) }]]),
  },
  { name: "spacy-doc.json", content: JSON.stringify({ text, ents: inCodePoints, tokens: [], spans: {} }) },
  { name: "utf16.jsonl", content: utf16(lines({ text, label: inUtf16 })) },
  { name: "huggingface.jsonl", content: lines({ id: "0", tokens, ner_tags: tags }) },
  {
    name: "huggingface-numbers.json",
    content: JSON.stringify([{ tokens, ner_tags: [1, 2, 0, 0, 0, 3, 0] }]),
    flags: ["--labels", "O,B-PER,I-PER,B-LOC"],
  },
  { name: "columns.txt", content: `${tokens.map((token, i) => `${token} NN ${tags[i]}`).join("\n")}\n` },
  {
    name: "latin1.conll",
    content: Buffer.from("Ana\tB-PER\nLopes\tI-PER\nà\tO\nLisbon\tB-LOC\n", "latin1"),
    flags: ["--encoding", "latin1"],
  },
];

describe.each(exports)("$name", ({ name, content, flags = [], says = /^$/ }) => {
  it.each([
    ["Lacuna's own lines", "out.jsonl", []],
    ["columns", "out.conll", ["--list-losses"]],
  ])("becomes %s", async (_, out, more) => {
    const folder = makeFolder({ [name]: content });
    const args = ["convert", "--in", name, "--out", out, ...flags, ...more, "--json"];
    const { code, stdout, stderr } = await run(folder, args);
    expect({ code, stderr: stderr.replaceAll(/^out\.\w+: .*\n/gm, "") }).toEqual({
      code: 0,
      stderr: expect.stringMatching(says),
    });
    expect(JSON.parse(stdout)).toMatchObject({ documents: 1, entities: 2 });
    expect(await entitiesIn(folder, out)).toEqual({ PER: 1, LOC: 1 });
  });
});

async function entitiesIn(folder: Folder, file: string): Promise<Record<string, number>> {
  const { stdout } = await run(folder, ["check", file, "--json", "--quiet"]);
  const byType = JSON.parse(stdout).counts.byType as Record<string, { entities: number }>;
  return Object.fromEntries(Object.entries(byType).map(([type, { entities }]) => [type, entities]));
}

describe("files of other programs", () => {
  it.each(["sample.spacy", "classes.parquet", "sample-doc.json"])("%s is converted as it is", async (name) => {
    const bytes = readFileSync(fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url)));
    const folder = makeFolder({ [name]: bytes });
    const { code, stderr } = await run(folder, ["convert", "--in", name, "--out", "out.jsonl"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^out\.jsonl: [23] documents, \d+ sentences, \d+ tokens, 3 entities\n$/);
    const piped = await run(folder, ["convert", "--in", "-", "--out", "-", "--quiet"], bytes);
    expect(piped.stdout).toBe(folder.read("out.jsonl"));
  });
});

describe("what cannot be kept", () => {
  const scored = lines({ text, spans: [{ start: 0, end: 9, label: "PER", score: 0.5 }], meta: { id: "d7" } });

  it("is named with the flag that lets it go", async () => {
    const folder = makeFolder({ "a.jsonl": scored });
    const { code, stderr } = await run(folder, ["convert", "--in", "a.jsonl", "--out", "b.jsonl", "--to", "spacy"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^lacuna: b\.jsonl: spacy cannot express scores: .* \(--list-losses leaves out .*\)\n$/);
    expect(folder.names()).toEqual(["a.jsonl"]);
  });

  it("is no reason to stop where it is an id, which is listed", async () => {
    const folder = makeFolder({ "a.jsonl": lines({ id: "d7", text: "Ana", label: [[0, 3, "PER"]] }) });
    const { code, stderr } = await run(folder, ["convert", "--in", "a.jsonl", "--out", "b.conll"]);
    expect(code).toBe(0);
    expect(stderr).toBe(
      'b.conll: left out document ids (1), such as "d7"\nb.conll: 1 document, 1 sentence, 1 token, 1 entity\n',
    );
  });

  it("counts what was written, not what was read", async () => {
    const nested = lines({
      text: "Bank of Japan",
      label: [
        [0, 13, "ORG"],
        [8, 13, "LOC"],
      ],
    });
    const folder = makeFolder({ "a.jsonl": nested });
    const args = ["convert", "--in", "a.jsonl", "--out", "b.conll", "--list-losses", "--json"];
    const { stdout, stderr } = await run(folder, args);
    expect(JSON.parse(stdout)).toMatchObject({ entities: 1, read: { entities: 2 } });
    expect(stderr).toContain("b.conll: 1 document, 1 sentence, 3 tokens, 1 entity\n");
  });
});

describe("a format for each file", () => {
  const prodigy = lines({ text: "Ana left", spans: [{ start: 0, end: 3, label: "PER" }], answer: "accept" });
  const columns = "Bob\tB-PER\nleft\tO\n";

  it("is named with =, and a file with that sign in its name is taken for itself", async () => {
    const folder = makeFolder({ "a.data": prodigy, "b.data": columns, "c=conll": columns, "d=x.conll": columns });
    const files = ["a.data=prodigy", "b.data=conll", "c=conll", "d=x.conll"];
    const { code, stdout, stderr } = await run(folder, ["check", ...files, "--json", "--quiet"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout).counts.entities).toBe(4);
  });

  it("holds for the inputs of train, evaluate and label too", async () => {
    const folder = makeFolder({ "a.data": prodigy, "b.data": columns, "names.txt": "Ana\n" });
    const evaluated = await run(folder, ["evaluate", "--gold", "b.data=conll", "--pred", "b.data=conll", "--json"]);
    expect(JSON.parse(evaluated.stdout).f1).toBe(1);
    const labelled = await run(folder, ["label", "--dict", "names.txt=PER", "--in", "a.data=prodigy", "--out", "-"]);
    expect(labelled.code).toBe(0);
    const settings = ["--method", "uniform", "--encoder", "bilstm", "--epochs", "1", "--out", "model", "--quiet"];
    const small = ["--set", "bilstm.units=4", "--set", "bilstm.wordWidth=4"];
    const trained = await run(folder, [
      "train",
      "--train",
      "a.data=prodigy",
      "--dev",
      "b.data=conll",
      ...settings,
      ...small,
    ]);
    expect(trained).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("that does not exist is a part of the name", async () => {
    const { code, stderr } = await run(makeFolder(), ["check", "a.data=xml"]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: "lacuna: a.data=xml: no such file\n" });
  });
});
