import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readAll } from "../src/formats/index.ts";
import { tokenCount } from "../src/text/index.ts";

/** Evaluation data that is not part of the project; where it is present, reading must lose nothing of it. */
const folder = fileURLToPath(new URL("../../shared/data", import.meta.url));
const present = existsSync(folder);

interface Counts {
  readonly sentences: number;
  readonly tokens: number;
  readonly entities: number;
  readonly longestSentence: number;
  readonly longestEntity: number;
  readonly types: Readonly<Record<string, number>>;
}

/** The table in a NOTES file: a line of column names, then one line for each file. */
function countsInNotes(notes: string): [file: string, counts: Counts][] {
  const lines = notes.split("\n").map((line) => line.split("\t"));
  const header = lines.findIndex(([first]) => first === "split");
  const columns = lines[header]!;
  return lines
    .slice(header + 1)
    .filter((cells) => cells.length === columns.length)
    .map((cells) => {
      const cell = (name: string): string => cells[columns.indexOf(name)]!;
      return [
        cell("split"),
        {
          sentences: Number(cell("sentences")),
          tokens: Number(cell("tokens")),
          entities: Number(cell("entities")),
          longestSentence: Number(cell("longest sentence")),
          longestEntity: Number(cell("longest entity")),
          types: JSON.parse(cell("types")),
        },
      ];
    });
}

async function countsInFile(path: string): Promise<Counts> {
  const sentences = (await readAll([path])).flatMap((document) => document.sentences);
  const entities = sentences.flatMap((sentence) => sentence.entities);
  const types: Record<string, number> = {};
  for (const { type } of entities) types[type] = (types[type] ?? 0) + 1;
  return {
    sentences: sentences.length,
    tokens: sentences.reduce((sum, sentence) => sum + tokenCount(sentence), 0),
    entities: entities.length,
    longestSentence: Math.max(...sentences.map(tokenCount)),
    longestEntity: Math.max(...entities.map(({ start, end }) => end - start)),
    types,
  };
}

describe("the shared data", () => {
  it("is read without loss", ({ skip }) => {
    skip(!present, "../shared/data is not there: nothing to compare with");
    expect(readdirSync(folder).filter((name) => existsSync(join(folder, name, "NOTES"))).length).toBeGreaterThan(0);
  });

  describe.runIf(present)("has the counts of its NOTES", () => {
    const sets = present ? readdirSync(folder).filter((name) => existsSync(join(folder, name, "NOTES"))) : [];
    for (const set of sets) {
      const notes = countsInNotes(readFileSync(join(folder, set, "NOTES"), "utf8"));
      it(`lists every file of ${set}`, () => {
        const files = readdirSync(join(folder, set)).filter((name) => name.endsWith(".conll"));
        expect(notes.map(([file]) => `${file}.conll`).sort()).toEqual(files.sort());
      });
      for (const [file, counts] of notes) {
        it(`${set}/${file}`, async () => {
          expect(await countsInFile(join(folder, set, `${file}.conll`))).toEqual(counts);
        });
      }
    }
  });
});
