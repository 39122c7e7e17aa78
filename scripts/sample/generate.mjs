import { makeExtraSentences, makeSentences } from "./corpus.mjs";
import { makeDictionary } from "./dictionary.mjs";
import { paragraphs } from "./paragraphs.mjs";
import { random, shuffled } from "./random.mjs";
import { render, toConll } from "./render.mjs";
import { act } from "./scene.mjs";
import { makeWorlds } from "./world.mjs";

export const defaultSeed = 10;

/** How many single sentences stand among the paragraphs of the raw text. */
const rawSentences = 30;

/** The sample corpus: sentences with entities as character offsets by split, and the content of each file by its name. */
export function generate(seed = defaultSeed) {
  const worlds = makeWorlds(seed);
  const splits = makeSentences(worlds, seed);
  const files = { "dictionary.tsv": makeDictionary(splits.train, seed), "raw.txt": rawText(worlds.test, splits, seed) };
  for (const [split, sentences] of Object.entries(splits)) {
    files[`${split}.conll`] = sentences.map((sentence) => `${toConll(sentence)}\n`).join("");
  }
  return { splits, files };
}

/** Text as people have it: not tokenised, not labelled, a blank line between paragraphs. */
function rawText(world, splits, seed) {
  const texts = paragraphs.map((pattern, index) => {
    const style = /^\p{Ll}/u.test(pattern) ? "asis" : "plain";
    return render(act(pattern, world, random(seed, "paragraph", index)), style).text;
  });
  const known = Object.values(splits).flat();
  const single = makeExtraSentences(world, known, rawSentences, seed).map(({ text }) => text);
  return `${shuffled([...texts, ...single], random(seed, "raw order")).join("\n\n")}\n`;
}
