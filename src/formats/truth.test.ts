import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Document, makeSentence } from "../text/document.ts";
import { readAll, writeDocuments } from "./index.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "lacuna-test-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

async function read(name: string, content: string, format: string, options = {}) {
  const path = join(folder(), name);
  writeFileSync(path, content);
  return readAll([path], { format, ...options });
}

describe("annotations that differ in white space alone", () => {
  const text = "  Ada  met Bob";
  const spans = [
    [0, 5, "PER"],
    [2, 5, "PER"],
    [1, 6, "PER"],
  ] as const;
  const named = spans.map(([start, end, label]) => ({ start, end, label }));

  it.each<[string, object]>([
    ["doccano", { text, label: spans }],
    ["prodigy", { text, spans: named, answer: "accept" }],
    [
      "label-studio",
      {
        data: { text },
        predictions: [
          { result: named.map(({ label, ...span }) => ({ type: "labels", value: { ...span, labels: [label] } })) },
        ],
      },
    ],
  ])("are one entity in %s, and refused where everything must be exact", async (format, row) => {
    const [document] = await read("a.json", `${JSON.stringify(row)}\n`, format);
    expect(document!.sentences.flatMap(({ entities }) => entities)).toEqual([{ start: 0, end: 1, type: "PER" }]);
    await expect(read("a.json", `${JSON.stringify(row)}\n`, format, { strict: true })).rejects.toThrow("white space");
  });

  it("are refused when they have two types", async () => {
    const row = { text, label: [spans[0], [2, 5, "ORG"]] };
    await expect(read("a.jsonl", JSON.stringify(row), "doccano")).rejects.toThrow("one span has two types");
  });
});

describe("entities with a score in Label Studio", () => {
  const text = "Ada met Bob";
  const offsets = Int32Array.from([0, 3, 4, 7, 8, 11]);
  const document = (scored: boolean): Document => ({
    text,
    sentences: [
      makeSentence(text, offsets, {
        entities: [
          { start: 0, end: 1, type: "PER", ...(scored && { score: 0.5 }) },
          { start: 2, end: 3, type: "PER", score: 0.75 },
        ],
      }),
    ],
  });

  it("are a loss beside labels, because who reads the file again does not get them unasked", async () => {
    const path = join(folder(), "tasks.json");
    const losses = await writeDocuments(path, [document(false)], { format: "label-studio", onLoss: "list" });
    expect(losses).toEqual([
      {
        what: "entities with a score beside annotations (read them with --candidates)",
        count: 1,
        example: 'PER "Bob"',
      },
    ]);
    const entities = async (options = {}) =>
      (await readAll([path], { format: "label-studio", ...options })).flatMap(({ sentences }) =>
        sentences.flatMap((sentence) => sentence.entities.map(({ start }) => start)),
      );
    expect(await entities()).toEqual([0]);
    expect(await entities({ candidates: true })).toEqual([0, 2]);
    // They are in the file, so nothing is refused.
    expect(await writeDocuments(path, [document(false)], { format: "label-studio" })).toEqual(losses);
  });

  it("are none where all have one", async () => {
    const path = join(folder(), "tasks.json");
    expect(await writeDocuments(path, [document(true)], { format: "label-studio" })).toEqual([]);
  });
});
