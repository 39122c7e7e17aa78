import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exportModel } from "../src/export/index.ts";
import { Recogniser } from "../src/inference/index.ts";
import { train } from "../src/methods/index.ts";
import { trainInto } from "./support/runs.ts";
import { sentenceOf } from "./support/words.ts";

const dev = [
  sentenceOf("Ana Lopes left New York for York", {
    entities: [
      { start: 0, end: 2, type: "PER" },
      { start: 3, end: 5, type: "LOC" },
      { start: 6, end: 7, type: "LOC" },
    ],
  }),
  sentenceOf("May came", { entities: [{ start: 0, end: 1, type: "PER" }] }),
];

let folder: string;
let files: string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lacuna-dictionary-"));
  await writeFile(join(folder, "people.txt"), "Ana Lopes\nMay\nLopes\n");
  await writeFile(join(folder, "rest.tsv"), "New York\tLOC\nYork\tLOC\nMay\tDATE\n");
  files = [`${join(folder, "people.txt")}=PER`, join(folder, "rest.tsv")];
});
afterAll(() => rm(folder, { recursive: true }));

const settings = (more: object = {}) => ({ method: "dictionary", dictionary: { files, ...more } });

/** The entities that a model finds in a text. */
async function found(name: string, text: string): Promise<string[]> {
  const recogniser = await Recogniser.load(join(folder, name));
  const tagged = await recogniser.tag(text);
  await recogniser.dispose();
  return tagged.map(({ text: surface, type, score }) => `${surface}/${type} ${score}`);
}

describe("a dictionary as a model", () => {
  it("is made without training data, measured on dev, and finds its longest entries", async () => {
    const records = await trainInto(join(folder, "plain"), { train: [], dev }, settings());
    // "May" has two types and is left out: 3 of 4 entities are found, and nothing else.
    expect(records).toMatchObject([{ kind: "evaluation", improved: true, dev: { precision: 1, recall: 0.75 } }]);
    expect(await found("plain", "Ana Lopes saw New York. May too, and ana lopes.")).toEqual([
      "Ana Lopes/PER 1",
      "New York/LOC 1",
    ]);
    const { types, head, encoder, provenance } = JSON.parse(
      await readFile(join(folder, "plain", "config.json"), "utf8"),
    );
    expect([types, head, encoder.files]).toEqual([["DATE", "LOC", "PER"], { name: "dictionary" }, ["dictionary.json"]]);
    expect(provenance.dev.recall).toBe(0.75);
  });

  it("folds case and resolves conflicts as its settings say", async () => {
    await trainInto(join(folder, "folded"), { train: [], dev: [] }, settings({ anyCase: true, conflicts: "priority" }));
    expect(await found("folded", "May saw ana lopes")).toEqual(["May/PER 1", "ana lopes/PER 1"]);
  });

  it("finds entries in sentences longer than a window", async () => {
    const words = Array.from({ length: 700 }, (_, i) => (i % 50 === 49 ? "York" : "and"));
    const recogniser = await Recogniser.load(join(folder, "plain"));
    const [tagged] = await recogniser.sentences([sentenceOf(words.join(" "))]);
    await recogniser.dispose();
    expect(tagged!.entities.map(({ start }) => start)).toEqual(Array.from({ length: 14 }, (_, i) => 50 * i + 49));
  });

  it("looks up a part at a time what its scores say", async () => {
    const long = Array.from(
      { length: 700 },
      (_, i) => ["New", "York", "York", "Lopes", "Ana", "Lopes", "May", "x"][i % 8],
    );
    const sentences = [...dev, sentenceOf(""), sentenceOf(long.join(" "))];
    const recogniser = await Recogniser.load(join(folder, "plain"));
    const tagging = recogniser.begin(sentences);
    while (!tagging.isFinished) await recogniser.advance([tagging], { tokens: 100 });
    const scored = await recogniser.sentences(sentences);
    await recogniser.dispose();
    expect(scored[3]!.entities.length).toBeGreaterThan(300);
    expect(tagging.result()).toEqual(scored);
  });

  it("has no score to shift and cannot be exported, and says so", async () => {
    await expect(Recogniser.load(join(folder, "plain"), { decode: { shift: -2 } })).rejects.toThrow(
      "decode.shift: a dictionary says yes or no",
    );
    await expect(exportModel(join(folder, "plain"), join(folder, "out"))).rejects.toThrow(
      "export: a dictionary is looked up, not computed",
    );
  });

  it("needs a dictionary, and a folder of its own", async () => {
    const made = (given: Readonly<Record<string, unknown>>, name: string) =>
      trainInto(join(folder, name), { train: [], dev: [] }, given);
    await expect(made({ method: "dictionary" }, "none")).rejects.toThrow("no dictionary was given (--dict FILE[=TYPE]");
    await expect(made(settings(), "plain")).rejects.toThrow("the folder holds a model");
    await expect(made({ ...settings(), decode: { shift: "auto" } }, "none")).rejects.toThrow("decode.shift must be 0");
    expect(() => train({ train: [], dev: [] }, { head: "dictionary" as never }, { directory: folder })).toThrow("head");
  });
});
