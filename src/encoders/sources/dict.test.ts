import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sentenceOf, temporaryFolder } from "../transformer/tiny-models.suite.ts";
import { dict } from "./dict.ts";

it("marks where the matches of each type begin, go on and end, overlapping ones too", async () => {
  const file = join(await temporaryFolder(), "names.tsv");
  await writeFile(file, "New York\tLOC\nNew York Times Company\tORG\nYork\tPER\nYork\tLOC\n");
  const settings = dict.settings.parse({ name: "dict", from: file });
  const source = await dict.open(settings, [], { id: "dict", ends: false, seed: 1 });
  const { data, shape } = source.batch([sentenceOf("the New York Times Company"), sentenceOf("york")], 5).feeds[
    "source.dict.matches"
  ]!;
  expect(shape).toEqual([2, 5, 12]);
  const marks = (sentence: number, token: number): string[] => {
    const names = ["LOC", "ORG", "PER"].flatMap((type) => ["B", "I", "E", "S"].map((role) => `${role}-${type}`));
    return names.filter((_, k) => data[(sentence * 5 + token) * 12 + k] === 1);
  };
  expect([0, 1, 2, 3, 4].map((token) => marks(0, token))).toEqual([
    [],
    ["B-LOC", "B-ORG"],
    ["E-LOC", "S-LOC", "I-ORG", "S-PER"],
    ["I-ORG"],
    ["E-ORG"],
  ]);
  expect(marks(1, 0)).toEqual([]);
  const folded = await dict.open({ ...settings, anyCase: true }, [], { id: "dict", ends: false, seed: 1 });
  expect(folded.batch([sentenceOf("york")], 1).feeds["source.dict.matches"]!.data[3]).toBe(1);
});
