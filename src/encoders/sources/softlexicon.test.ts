import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Parameters } from "../../nn/index.ts";
import { Program } from "../../tensor/index.ts";
import { makeSentence, type Sentence } from "../../text/index.ts";
import { random } from "../../util/random.ts";
import { temporaryFolder } from "../transformer/tiny-models.suite.ts";
import { softlexicon } from "./softlexicon.ts";

/** A sentence whose tokens are characters. */
function characters(text: string): Sentence {
  return makeSentence(
    text,
    Int32Array.from({ length: 2 * text.length }, (_, i) => (i + 1) >> 1),
  );
}

const alphabet = "中国人民大";
const lexicon = ["中国", "国人", "中国人", "人民", "大", "人", "国人民大", "民大中"];
const rng = random(1, "softlexicon");
const textOf = (length: number): string => Array.from({ length }, () => alphabet[rng.below(alphabet.length)]).join("");
const train = Array.from({ length: 20 }, () => characters(textOf(8)));

/** All places of a word in a text. */
const placesOf = (word: string, text: string): number[] =>
  Array.from({ length: text.length }, (_, i) => i).filter((i) => text.startsWith(word, i));

/** How often a word stands in training where no longer word of the lexicon covers it. */
function countOf(word: string): number {
  return train.reduce((sum, { text }) => {
    const free = placesOf(word, text).filter(
      (at) =>
        !lexicon.some(
          (longer) =>
            longer.length > word.length &&
            placesOf(longer, text).some((from) => from <= at && from + longer.length >= at + word.length),
        ),
    );
    return sum + free.length;
  }, 0);
}

it("gives each character the weighted words that begin, contain, end and are it, as brute force does", async () => {
  const file = join(await temporaryFolder(), "words.txt");
  await writeFile(file, lexicon.join("\n"));
  const settings = softlexicon.settings.parse({ name: "softlexicon", from: file, width: 3, minimumCount: 1 });
  const source = await softlexicon.open(settings, train, { id: "lexicon", ends: false, seed: 1 });
  const known = JSON.parse(source.files()["source.lexicon.json"]!) as { own: string[] };
  const { values } = source.tables[0]!;
  const vectorOf = (word: string): number[] => {
    const row = known.own.includes(word) ? known.own.indexOf(word) + 2 : 1;
    return [...values.subarray(3 * row, 3 * row + 3)];
  };
  const program = await Program.compile({ first: source.build(new Parameters(), {}).first });
  const sentences = [characters("中国人民大中"), characters(textOf(30)), characters("大")];
  const time = 30;
  const { first } = await program.run(source.batch(sentences, time).feeds);
  await program.dispose();
  sentences.forEach(({ text }, b) => {
    for (let i = 0; i < text.length; i++) {
      const expected = new Array<number>(12).fill(0);
      const here = lexicon.flatMap((word) =>
        placesOf(word, text)
          .filter((at) => at <= i && i < at + word.length)
          .map((at) => ({ word, at })),
      );
      const total = here.reduce((sum, { word }) => sum + 1 + countOf(word), 0);
      for (const { word, at } of here) {
        const set = word.length === 1 ? 3 : i === at ? 0 : i === at + word.length - 1 ? 2 : 1;
        vectorOf(word).forEach((number, k) => {
          expected[3 * set + k]! += (4 * (1 + countOf(word)) * number) / total;
        });
      }
      const found = first!.data.subarray((b * time + i) * 12, (b * time + i + 1) * 12);
      expected.forEach((number, k) => {
        expect(found[k], `sentence ${b}, character ${i}, number ${k}`).toBeCloseTo(number, 5);
      });
    }
  });
});
