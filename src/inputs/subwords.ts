import { type Sentence, tokenTexts } from "../text/index.ts";
import { InputError } from "../util/errors.ts";
import { distanceBuckets } from "./distances.ts";
import type { Numbers } from "./numbers.ts";
import type { SubwordTokeniser } from "./subword-tokeniser.ts";
import { planWindows, shortened } from "./subword-windows.ts";

export interface LayoutOptions {
  readonly tokeniser: SubwordTokeniser;
  /** Sub-words in a window, beside the special ones. */
  readonly capacity: number;
  /** Sub-words that neighbouring windows share. */
  readonly overlap: number;
}

/** One row of the batch that the model sees: a window of a sentence. */
export interface SubwordRow {
  readonly ids: readonly number[];
  /** The number of the word that each sub-word belongs to; -1 for special ones. */
  readonly words: readonly number[];
  readonly sentence: number;
  readonly window: number;
  /** How many sub-words at the beginning ask about the rest, special ones included. */
  readonly question: number;
}

/** Where a word's first and last sub-words stand. */
interface Place {
  readonly row: number;
  readonly first: number;
  readonly last: number;
}

export interface Layout {
  readonly rows: readonly SubwordRow[];
  /** For each sentence, for each word. */
  readonly places: readonly (readonly Place[])[];
}

/** Sub-words of a sentence, the special ones included. */
export function subwordCount(sentence: Sentence, { pieces, before, after }: SubwordTokeniser): number {
  const special = before.length + (sentence.question ? 2 : 1) * after.length;
  return tokenTexts(sentence).reduce((sum, word) => sum + pieces(word).length, special);
}

/**
 * Lays sentences out in windows. A sentence's windows do not depend on the other sentences. Every window begins with the
 * question, where there is one, and what ends a text ends the question too.
 */
export function layOut(sentences: readonly Sentence[], { tokeniser, capacity, overlap }: LayoutOptions): Layout {
  const { before, after } = tokeniser;
  const rows: SubwordRow[] = [];
  const places = sentences.map((sentence, number) => {
    const { question = 0 } = sentence;
    const texts = tokenTexts(sentence);
    const asking = texts.slice(0, question).map((word) => tokeniser.pieces(word));
    const taken = question === 0 ? 0 : asking.flat().length + after.length;
    const room = capacity - taken;
    if (room < 1)
      throw new InputError(`question of ${taken} sub-words: a window has only ${capacity}; ask in fewer words`);
    const words = texts.slice(question).map((word) => shortened(tokeniser.pieces(word), room));
    const plan = planWindows(
      words.map(({ length }) => length),
      room,
      Math.min(overlap, room),
    );
    const found = new Array<Place>(texts.length);
    plan.windows.forEach(({ start, end }, window) => {
      const ids = [...before];
      const owners = before.map(() => -1);
      const put = (word: number, pieces: readonly number[], isHome: boolean): void => {
        const first = ids.length;
        ids.push(...pieces);
        for (let k = first; k < ids.length; k++) owners.push(word);
        if (isHome) found[word] = { row: rows.length, first, last: ids.length - 1 };
      };
      const close = (): void => {
        ids.push(...after);
        owners.push(...after.map(() => -1));
      };
      asking.forEach((pieces, word) => {
        put(word, pieces, window === 0);
      });
      if (question > 0) close();
      const asked = question > 0 ? ids.length : 0;
      for (let i = start; i < end; i++) put(question + i, words[i]!, plan.homes[i] === window);
      close();
      rows.push({ ids, words: owners, sentence: number, window, question: asked });
    });
    return found;
  });
  return { rows, places };
}

/** A layout as the numbers that a model reads. */
export interface SubwordNumbers {
  /** `[windows, pieces]` */
  readonly ids: Numbers & { readonly data: Int32Array };
  /** `[windows, pieces]`: 1 for sub-words, 0 for padding. */
  readonly visible: Numbers;
  /** `[batch, time]`: where the first and the last sub-word of each word stand among all of `[windows, pieces]`. */
  readonly first: Numbers;
  readonly last: Numbers;
  /** `[batch, time]`: 1 for words, 0 for padding. */
  readonly mask: Numbers;
  /** `[pieces, pieces]`: classes of distances, where a model has such. */
  readonly buckets: Numbers | undefined;
  /** `[windows, pieces]`: 0 for a question, 1 for what it is about; only where there are questions. */
  readonly segments: Numbers | undefined;
}

export interface SubwordOptions {
  /** The id that stands in padding. */
  readonly padding: number;
  /** Classes of distances; 0 for none. */
  readonly buckets: number;
}

export function subwordNumbers({ rows, places }: Layout, { padding, buckets }: SubwordOptions): SubwordNumbers {
  const length = rows.reduce((most, { ids }) => Math.max(most, ids.length), 1);
  const time = places.reduce((most, words) => Math.max(most, words.length), 1);
  const ids = new Int32Array(rows.length * length).fill(padding);
  const visible = new Float32Array(rows.length * length);
  rows.forEach((row, r) => {
    ids.set(row.ids, r * length);
    visible.fill(1, r * length, r * length + row.ids.length);
  });
  const [first, last] = [new Int32Array(places.length * time), new Int32Array(places.length * time)];
  const mask = new Float32Array(places.length * time);
  places.forEach((words, b) => {
    words.forEach((place, i) => {
      first[b * time + i] = place.row * length + place.first;
      last[b * time + i] = place.row * length + place.last;
      mask[b * time + i] = 1;
    });
  });
  const byWord = <A extends Int32Array | Float32Array>(data: A): Numbers => ({ data, shape: [places.length, time] });
  return {
    ids: { data: ids, shape: [rows.length, length] },
    visible: { data: visible, shape: [rows.length, length] },
    first: byWord(first),
    last: byWord(last),
    mask: byWord(mask),
    buckets: buckets > 0 ? distanceBuckets(length, buckets) : undefined,
    segments: rows.some(({ question }) => question > 0) ? segmentsOf(rows, length) : undefined,
  };
}

function segmentsOf(rows: readonly SubwordRow[], length: number): Numbers {
  const data = new Int32Array(rows.length * length);
  rows.forEach(({ ids, question }, r) => {
    data.fill(1, r * length + question, r * length + ids.length);
  });
  return { data, shape: [rows.length, length] };
}
