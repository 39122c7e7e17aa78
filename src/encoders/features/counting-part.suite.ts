import { type Sentence, tokenCount, tokenTexts } from "../../text/index.ts";
import type { FrozenPart } from "./frozen-part.ts";

/** A frozen part that counts what it computes: two numbers for each token, its length and its place. */
export interface CountingPart extends FrozenPart {
  /** Sentences that were computed so far. */
  readonly computed: number;
}

export function countingPart({ id = "one", group = 2, wait = 0 } = {}): CountingPart {
  let computed = 0;
  return {
    name: "counting",
    id,
    get computed() {
      return computed;
    },
    *groups(sentences) {
      for (let at = 0; at < sentences.length; at += group) yield sentences.slice(at, at + group);
    },
    open: async () => ({
      async extract(sentences) {
        if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
        computed += sentences.length;
        return sentences.map(expectedValues);
      },
      dispose: async () => {},
    }),
  };
}

export function expectedValues(sentence: Sentence): Uint16Array {
  const texts = tokenTexts(sentence);
  return Uint16Array.from({ length: 2 * tokenCount(sentence) }, (_, i) => (i % 2 ? i >> 1 : texts[i >> 1]!.length));
}
