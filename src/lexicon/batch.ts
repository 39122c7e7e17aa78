import { type Annotation, type Document, makeSentence, type Sentence } from "../text/index.ts";
import type { Decision } from "./label.ts";
import { outcomes } from "./policy.ts";

/**
 * Documents on their way to another thread. A sentence holds the text of its whole document, and a message would copy it
 * once for each; here every text stands once, and numbers travel in arrays that are handed over, not copied.
 */
export interface Batch {
  readonly texts: readonly string[];
  /** For each document its number of sentences, followed by their numbers of tokens. */
  readonly counts: Int32Array;
  readonly offsets: Int32Array;
  /** Annotations that came with sentences, by the number of the sentence in the batch. */
  readonly existing: ReadonlyMap<number, Annotation>;
}

export function packBatch(documents: readonly Document[]): Batch {
  const sentences = documents.flatMap((document) => document.sentences);
  const offsets = new Int32Array(sentences.reduce((sum, sentence) => sum + sentence.offsets.length, 0));
  const existing = new Map<number, Annotation>();
  let filled = 0;
  for (const [index, sentence] of sentences.entries()) {
    offsets.set(sentence.offsets, filled);
    filled += sentence.offsets.length;
    const { entities, rejected, unsure, complete } = sentence;
    if (entities.length + rejected.length + unsure.length + complete.length > 0) {
      existing.set(index, { entities, rejected, unsure, complete });
    }
  }
  const counts = documents.flatMap((document) => [
    document.sentences.length,
    ...document.sentences.map((sentence) => sentence.offsets.length >> 1),
  ]);
  return { texts: documents.map(({ text }) => text), counts: Int32Array.from(counts), offsets, existing };
}

/** The sentences of all documents of a batch, in order. */
export function* unpackSentences({ texts, counts, offsets, existing }: Batch): Generator<Sentence> {
  let index = 0;
  let place = 0;
  let used = 0;
  for (const text of texts) {
    for (let left = counts[place++]!; left > 0; left--) {
      const length = 2 * counts[place++]!;
      yield makeSentence(text, offsets.subarray(used, used + length), existing.get(index++));
      used += length;
    }
  }
}

/** Rows of (sentence, start, end, key, outcome). */
export function packDecisions(bySentence: Iterable<readonly Decision[]>): Int32Array {
  const rows: number[] = [];
  let sentence = 0;
  for (const decisions of bySentence) {
    for (const { start, end, key, outcome } of decisions)
      rows.push(sentence, start, end, key, outcomes.indexOf(outcome));
    sentence++;
  }
  return Int32Array.from(rows);
}

/** The decisions on each sentence of each document. */
export function unpackDecisions(rows: Int32Array, documents: readonly Document[]): Decision[][][] {
  let row = 0;
  let index = 0;
  return documents.map(({ sentences }) =>
    sentences.map(() => {
      const decisions: Decision[] = [];
      for (; rows[row] === index; row += 5) {
        const [start, end, key, outcome] = rows.subarray(row + 1, row + 5) as unknown as [
          number,
          number,
          number,
          number,
        ];
        decisions.push({ start, end, key, outcome: outcomes[outcome]! });
      }
      index++;
      return decisions;
    }),
  );
}
