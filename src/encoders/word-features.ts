import { z } from "zod";
import { charCnn, embedding, type Parameters } from "../nn/index.ts";
import { cast, concat, type Data, gather, greater, input, relu, type Tensor } from "../tensor/index.ts";
import { type Sentence, tokenCount, tokenText } from "../text/index.ts";
import { countedVocabulary, paddingId, type Vocabulary, vocabulary } from "./vocabulary.ts";

export const wordFeatureSettings = z.strictObject({
  charWidth: z.int().min(1).default(30),
  charFilters: z.int().min(1).default(50),
  charKernel: z.int().min(1).default(3),
  /** Width of the embedding of a word's shape (lower case, capitalised, digits …). */
  shapeWidth: z.int().min(1).default(10),
});
export type WordFeatureSettings = z.output<typeof wordFeatureSettings>;

/** What the letters of a word say: a convolution over its characters and an embedding of its shape. */
export interface WordFeatures {
  readonly settings: WordFeatureSettings;
  readonly characters: Vocabulary;
  batch(sentences: readonly Sentence[], time: number): Readonly<Record<string, Data>>;
  /** `[batch, time, charFilters + shapeWidth]` */
  build(params: Parameters): Tensor;
}

/** Characters of longer words are read from both ends: the convolution takes a maximum, so the middle matters least. */
const head = 16;
const tail = 8;

export function characterVocabulary(sentences: Iterable<Sentence>): Vocabulary {
  function* characters(): Generator<string> {
    for (const sentence of sentences) for (let i = 0; i < tokenCount(sentence); i++) yield* tokenText(sentence, i);
  }
  return countedVocabulary(characters());
}

export function wordFeatures(characters: readonly string[], settings: WordFeatureSettings): WordFeatures {
  const known = vocabulary(characters);
  return {
    settings,
    characters: known,
    batch: (sentences, time) => batchOf(sentences, time, known),
    build(params) {
      const { charWidth, charFilters, charKernel, shapeWidth } = settings;
      const ids = input("features.characters", "int32", ["words", "characters"]);
      const words = input("features.words", "int32", ["batch", "time"]);
      const shapes = input("features.shapes", "int32", ["batch", "time"]);
      const options = { rows: known.size, width: charWidth, filters: charFilters, kernel: charKernel };
      const present = cast(greater(ids, paddingId), "float32");
      const letters = gather(relu(charCnn(params, "features.characters", ids, present, options)), words);
      const shape = embedding(params, "features.shape", shapes, shapeNames.length, shapeWidth);
      return concat([letters, shape], -1);
    },
  };
}

function batchOf(sentences: readonly Sentence[], time: number, characters: Vocabulary): Record<string, Data> {
  const shape = [sentences.length, time];
  const words = new Int32Array(sentences.length * time);
  const shapes = new Int32Array(sentences.length * time);
  // Word 0 is the empty word of padding.
  const rows = new Map<string, number>([["", 0]]);
  sentences.forEach((sentence, b) => {
    for (let i = 0; i < tokenCount(sentence); i++) {
      const text = tokenText(sentence, i);
      const row = rows.get(text) ?? rows.size;
      rows.set(text, row);
      words[b * time + i] = row;
      shapes[b * time + i] = shapeOf(text);
    }
  });
  const spelt = [...rows.keys()].map(spell);
  const length = Math.max(1, ...spelt.map((letters) => letters.length));
  const ids = new Int32Array(spelt.length * length);
  spelt.forEach((letters, row) => {
    letters.forEach((letter, i) => {
      ids[row * length + i] = characters.id(letter);
    });
  });
  return {
    "features.characters": { data: ids, shape: [spelt.length, length] },
    "features.words": { data: words, shape },
    "features.shapes": { data: shapes, shape },
  };
}

function spell(word: string): string[] {
  const letters = [...word];
  return letters.length <= head + tail ? letters : [...letters.slice(0, head), ...letters.slice(-tail)];
}

const shapePatterns: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["lower", /^\p{Ll}+$/u],
  ["capitalised", /^\p{Lu}\p{Ll}+$/u],
  ["letter", /^\p{Lu}$/u],
  ["upper", /^\p{Lu}+$/u],
  ["digits", /^\p{Nd}+$/u],
  ["number", /^(?=[.,:/-]*\p{Nd})[\p{Nd}.,:/-]+$/u],
  ["dotted", /^(\p{Lu}\.)+$/u],
  ["with digits", /\p{Nd}/u],
  ["capitalised, mixed", /^\p{Lu}/u],
  ["lower, mixed", /^\p{Ll}/u],
  ["letters", /\p{L}/u],
  ["symbols", /./u],
];
const shapeNames = ["padding", ...shapePatterns.map(([name]) => name)];

/** The first shape that fits; 0 is padding. */
export function shapeOf(word: string): number {
  return 1 + shapePatterns.findIndex(([, pattern]) => pattern.test(word));
}
