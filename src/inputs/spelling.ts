import { type Sentence, tokenCount, tokenText } from "../text/index.ts";
import type { Numbers } from "./numbers.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Characters of longer words are read from both ends: the convolution takes a maximum, so the middle matters least. */
const head = 16;
const tail = 8;

/** Words as their letters. */
export interface Spelling {
  /** `[words, characters]`: the letters of each different word; word 0 is the empty word of padding. */
  readonly characters: Numbers;
  /** `[batch, time]`: the number of the word at each token. */
  readonly words: Numbers;
}

/** Each different word once, spelt, and the number of the word at each token. */
export function spelling(sentences: readonly Sentence[], time: number, characters: Pick<Vocabulary, "id">): Spelling {
  const words = new Int32Array(sentences.length * time);
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
    characters: { data: ids, shape: [spelt.length, length] },
    words: { data: words, shape: [sentences.length, time] },
  };
}

function spell(word: string): string[] {
  const letters = [...word];
  return letters.length <= head + tail ? letters : [...letters.slice(0, head), ...letters.slice(-tail)];
}
