import type { Data } from "../../tensor/index.ts";
import { type Sentence, tokenTexts } from "../../text/index.ts";
import { keyOf } from "../../util/random.ts";
import type { EncoderBatch, Table } from "../encoder.ts";
import { rowsOf } from "../tables.ts";
import type { Architecture } from "./config.ts";
import { distanceBuckets } from "./distances.ts";
import type { SubwordTokeniser } from "./tokeniser.ts";
import { planWindows, shortened } from "./windows.ts";

export interface LayoutOptions {
  readonly tokeniser: SubwordTokeniser;
  /** Sub-words in a window, beside the special ones. */
  readonly capacity: number;
  /** Sub-words that neighbouring windows share. */
  readonly overlap: number;
}

/** One row of the batch that the model sees: a window of a sentence. */
interface Row {
  readonly ids: readonly number[];
  /** The number of the word that each sub-word belongs to; -1 for special ones. */
  readonly words: readonly number[];
  readonly sentence: number;
  readonly window: number;
}

/** Where a word's first and last sub-words stand. */
interface Place {
  readonly row: number;
  readonly first: number;
  readonly last: number;
}

export interface Layout {
  readonly rows: readonly Row[];
  /** For each sentence, for each word. */
  readonly places: readonly (readonly Place[])[];
}

/** Sub-words of a sentence, the special ones included. */
export function subwordCount(sentence: Sentence, { pieces, before, after }: SubwordTokeniser): number {
  return tokenTexts(sentence).reduce((sum, word) => sum + pieces(word).length, before.length + after.length);
}

/** Lays sentences out in windows. A sentence's windows do not depend on the other sentences. */
export function layOut(sentences: readonly Sentence[], { tokeniser, capacity, overlap }: LayoutOptions): Layout {
  const { before, after } = tokeniser;
  const rows: Row[] = [];
  const places = sentences.map((sentence, number) => {
    const words = tokenTexts(sentence).map((word) => shortened(tokeniser.pieces(word), capacity));
    const plan = planWindows(
      words.map(({ length }) => length),
      capacity,
      overlap,
    );
    const found = new Array<Place>(words.length);
    plan.windows.forEach(({ start, end }, window) => {
      const ids = [...before];
      const owners = before.map(() => -1);
      for (let i = start; i < end; i++) {
        const first = ids.length;
        ids.push(...words[i]!);
        for (let k = first; k < ids.length; k++) owners.push(i);
        if (plan.homes[i] === window) found[i] = { row: rows.length, first, last: ids.length - 1 };
      }
      ids.push(...after);
      rows.push({ ids, words: [...owners, ...after.map(() => -1)], sentence: number, window });
    });
    return found;
  });
  return { rows, places };
}

/** A layout as the numbers that the graph of an architecture reads. */
export function layoutBatch(
  { rows, places }: Layout,
  table: Table,
  { padding, distanceBuckets: buckets }: Architecture,
): EncoderBatch {
  const length = Math.max(1, ...rows.map(({ ids }) => ids.length));
  const time = Math.max(1, ...places.map((words) => words.length));
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
  const lookup = { table, input: table.name, rows: ids };
  const byRow = (data: Int32Array): Data => ({ data, shape: [rows.length] });
  const byWord = <A extends Int32Array | Float32Array>(data: A): Data => ({ data, shape: [places.length, time] });
  return {
    lookups: [lookup],
    feeds: {
      [table.name]: rowsOf(lookup, [rows.length, length]),
      "transformer.visible": { data: visible, shape: [rows.length, length] },
      ...(buckets > 0 && { "transformer.buckets": distanceBuckets(length, buckets) }),
      "transformer.sentence": byRow(Int32Array.from(rows, ({ sentence }) => sentence)),
      "transformer.salt": byRow(Int32Array.from(rows, ({ window }) => saltOf(window))),
      "transformer.first": byWord(first),
      "transformer.last": byWord(last),
      "transformer.mask": byWord(mask),
    },
  };
}

/** Makes the draws of a sentence's windows differ; the first keeps the sentence's own. */
function saltOf(window: number): number {
  return window === 0 ? 0 : keyOf(0, "window", window) | 0;
}
