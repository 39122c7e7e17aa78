import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sentenceOf } from "../../../test/support/words.ts";
import { markPhrases } from "./phrases.ts";

const sentence = sentenceOf("the new york times square garden of Ana Lopes", {
  entities: [{ start: 7, end: 9, type: "PER" }],
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lacuna-phrases-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function marked(lines: readonly string[], ignoreCase = false) {
  const full = join(folder, "full.txt");
  await writeFile(full, lines.join("\n"));
  const { train, facts, summary } = await markPhrases([sentence], { full, ignoreCase });
  return { unsure: train!.sentences[0]!.unsure, entities: train!.sentences[0]!.entities, facts, summary };
}

describe("the phrases of a full dictionary", () => {
  it("become unsure, those with the largest sum of squared lengths, and labels stay", async () => {
    const { unsure, entities, facts } = await marked(["new york", "york times square", "garden", "Ana", "Lopes of"]);
    expect(unsure).toEqual([
      { start: 2, end: 5 },
      { start: 5, end: 6 },
    ]);
    expect(entities).toEqual(sentence.entities);
    expect(facts).toEqual({ phrases: 2 });
  });

  it("are found in any case when that is asked for", async () => {
    expect((await marked(["New York"])).unsure).toEqual([]);
    expect((await marked(["New York"], true)).unsure).toEqual([{ start: 1, end: 3 }]);
  });

  it("of several files stand together, and a file without phrases is refused", async () => {
    const files = [join(folder, "a.txt"), join(folder, "b.txt")];
    await writeFile(files[0]!, "the new\n");
    await writeFile(files[1]!, "garden\n");
    const { facts } = await markPhrases([sentence], { full: files, ignoreCase: false });
    expect(facts).toEqual({ phrases: 2 });
    await writeFile(files[1]!, "\n");
    await expect(markPhrases([sentence], { full: files, ignoreCase: false })).rejects.toThrow(
      "dictionary: expected at least one entry",
    );
  });
});
