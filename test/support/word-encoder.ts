import type { Encoder } from "../../src/encoders/index.ts";
import { input } from "../../src/tensor/index.ts";
import { tokenCount, tokenText } from "../../src/text/index.ts";
import { gaussian, keyOf, random } from "../../src/util/random.ts";

/** Numbers of a vector. */
export const width = 3;

/** The vector of a word. */
export function vectorOf(word: string): number[] {
  const rng = random(keyOf(0, word), "vector");
  return Array.from({ length: width }, () => Math.fround(gaussian(rng)));
}

/** Every word has a fixed vector, which is the whole encoding; behind a question, that of its first word is added. */
export const words: Encoder = {
  name: "words",
  settings: {},
  tables: [],
  pretrained: [],
  flops: () => 0,
  files: () => ({}),
  size: tokenCount,
  batch(sentences) {
    const time = Math.max(1, ...sentences.map(tokenCount));
    const vectors = new Float32Array(sentences.length * time * width);
    const mask = new Float32Array(sentences.length * time);
    sentences.forEach((sentence, b) => {
      const asking = sentence.question ? vectorOf(tokenText(sentence, 0)) : [0, 0, 0];
      for (let token = 0; token < tokenCount(sentence); token++) {
        vectorOf(tokenText(sentence, token)).forEach((number, d) => {
          vectors[(b * time + token) * width + d] = number + asking[d]!;
        });
        mask[b * time + token] = 1;
      }
    });
    const shape = [sentences.length, time];
    return {
      lookups: [],
      feeds: { "word.vectors": { data: vectors, shape: [...shape, width] }, "word.mask": { data: mask, shape } },
    };
  },
  build() {
    const first = input("word.vectors", "float32", ["batch", "time", width]);
    return { first, last: first, mask: input("word.mask", "float32", ["batch", "time"]) };
  },
};
