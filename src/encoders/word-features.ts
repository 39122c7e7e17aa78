import { z } from "zod";
import {
  countedVocabulary,
  type EntryList,
  type InputSpec,
  paddingId,
  shapeNames,
  shapePatterns,
  shapesOf,
  spelling,
  type Vocabulary,
  vocabulary,
} from "../inputs/index.ts";
import { charCnn, embedding, type Parameters } from "../nn/index.ts";
import { cast, concat, type Data, gather, greater, input, relu, type Tensor } from "../tensor/index.ts";
import { type Sentence, tokenCount, tokenText } from "../text/index.ts";

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
  /** How its inputs are made, by the file that holds the known characters. */
  specs(entries: EntryList): readonly InputSpec[];
}

export function wordFeatures(characters: readonly string[], settings: WordFeatureSettings): WordFeatures {
  const letters = characterFeatures("features", characters, settings);
  const shapes = shapeFeatures("features", settings.shapeWidth);
  return {
    batch: (sentences, time) => ({ ...letters.batch(sentences, time), ...shapes.batch(sentences, time) }),
    build: (params) => concat([letters.build(params), shapes.build(params)], -1),
    specs: (entries) => [...letters.specs(entries), ...shapes.specs(entries)],
  };
}

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
    batch(sentences, time) {
      const { characters: letters, words } = spelling(sentences, time, known);
      return { [`${name}.characters`]: letters, [`${name}.words`]: words };
    },
    build(params) {
      const ids = input(`${name}.characters`, "int32", ["words", "characters"]);
      const words = input(`${name}.words`, "int32", ["batch", "time"]);
      const options = { rows: known.size, width: charWidth, filters: charFilters, kernel: charKernel };
      const present = cast(greater(ids, paddingId), "float32");
      return gather(relu(charCnn(params, `${name}.characters`, ids, present, options)), words);
    },
    specs: (entries) => [{ kind: "spelling", characters: `${name}.characters`, words: `${name}.words`, entries }],
  };
}

/** An embedding of the shape of each word: lower case, capitalised, digits … */
export function shapeFeatures(name: string, width: number): WordFeatures {
  return {
    batch: (sentences, time) => ({
      [`${name}.shapes`]: { data: shapesOf(sentences, time), shape: [sentences.length, time] },
    }),
    build: (params) =>
      embedding(params, `${name}.shape`, input(`${name}.shapes`, "int32", ["batch", "time"]), shapeNames.length, width),
    specs: () => [{ kind: "shapes", input: `${name}.shapes`, patterns: shapePatterns }],
  };
}
