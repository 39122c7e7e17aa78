import { z } from "zod";
import { charCnn, embedding, type Parameters } from "../nn/index.ts";
import { cast, concat, type Data, gather, greater, input, relu, type Tensor } from "../tensor/index.ts";
import { type Sentence, tokenCount, tokenText } from "../text/index.ts";
import { countedVocabulary, paddingId, type Vocabulary, vocabulary } from "./vocabulary.ts";

export const wordFeatureSettings = z.strictObject({
  /** Width of the vector of a character. */
  charWidth: z.int().min(1).default(30),
  /** Filters of the convolution over characters. */
  charFilters: z.int().min(1).default(50),
  /** Characters that a filter sees. */
  charKernel: z.int().min(1).default(3),
  /** Width of the embedding of a word's shape (lower case, capitalised, digits …). */
  shapeWidth: z.int().min(1).default(10),
});
export type WordFeatureSettings = z.output<typeof wordFeatureSettings>;

/** What the letters of a word say: a convolution over its characters and an embedding of its shape. */
export interface WordFeatures {
  batch(sentences: readonly Sentence[], time: number): Readonly<Record<string, Data>>;
  /** `[batch, time, charFilters + shapeWidth]` */
  build(params: Parameters): Tensor;
}

export function wordFeatures(characters: readonly string[], settings: WordFeatureSettings): WordFeatures {
  const letters = characterFeatures("features", characters, settings);
  const shapes = shapeFeatures("features", settings.shapeWidth);
  return {
    batch: (sentences, time) => ({ ...letters.batch(sentences, time), ...shapes.batch(sentences, time) }),
    build: (params) => concat([letters.build(params), shapes.build(params)], -1),
  };
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

/** A convolution over the characters of each word. `name` begins the names of its inputs and parameters. */
export function characterFeatures(
  name: string,
  characters: readonly string[],
  { charWidth, charFilters, charKernel }: Omit<WordFeatureSettings, "shapeWidth">,
): WordFeatures {
  const known = vocabulary(characters);
  return {
    batch: (sentences, time) => characterBatch(name, sentences, time, known),
    build(params) {
      const ids = input(`${name}.characters`, "int32", ["words", "characters"]);
      const words = input(`${name}.words`, "int32", ["batch", "time"]);
      const options = { rows: known.size, width: charWidth, filters: charFilters, kernel: charKernel };
      const present = cast(greater(ids, paddingId), "float32");
      return gather(relu(charCnn(params, `${name}.characters`, ids, present, options)), words);
    },
  };
}

/** An embedding of the shape of each word: lower case, capitalised, digits … */
export function shapeFeatures(name: string, width: number): WordFeatures {
  return {
    batch(sentences, time) {
      const shapes = new Int32Array(sentences.length * time);
      sentences.forEach((sentence, b) => {
        for (let i = 0; i < tokenCount(sentence); i++) shapes[b * time + i] = shapeOf(tokenText(sentence, i));
      });
      return { [`${name}.shapes`]: { data: shapes, shape: [sentences.length, time] } };
    },
    build: (params) =>
      embedding(params, `${name}.shape`, input(`${name}.shapes`, "int32", ["batch", "time"]), shapeNames.length, width),
  };
}

/** Each different word once, spelt, and the number of the word at each token. */
function characterBatch(
  name: string,
  sentences: readonly Sentence[],
  time: number,
  characters: Vocabulary,
): Record<string, Data> {
  const words = new Int32Array(sentences.length * time);
  // Word 0 is the empty word of padding.
  const rows = new Map<string, number>([["", 0]]);
  sentences.forEach((sentence, b) => {
    for (let i = 0; i < tokenCount(sentence); i++) {
      const text = tokenText(sentence, i);
      const row = rows.get(text) ?? rows.size;
      rows.set(text, row);
      words[b * time + i] = row;
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
    [`${name}.characters`]: { data: ids, shape: [spelt.length, length] },
    [`${name}.words`]: { data: words, shape: [sentences.length, time] },
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
