import { type Sentence, tokenCount } from "../../text/index.ts";
import { ratio } from "../scores.ts";

/** Sentences of one length. */
export interface LengthRow {
  readonly length: number;
  readonly sentences: number;
  /** Mean and standard deviation of the number of annotated entities. */
  readonly mean: number;
  readonly deviation: number;
  /** Sentences with more than √length entities. */
  readonly violations: number;
}

/** How far "a sentence has no more entities than the square root of its length" holds (equation 5 of the paper). */
export interface Sparsity {
  readonly violations: number;
  /** The share of sentences with more than √length annotated entities. */
  readonly share: number;
  readonly lengths: readonly LengthRow[];
}

/** Counts annotated entities only: where some are missing, the true share of violations is higher. */
export function sparsityOf(sentences: readonly Sentence[]): Sparsity {
  const counts = new Map<number, number[]>();
  for (const sentence of sentences) {
    const length = tokenCount(sentence);
    const known = counts.get(length);
    if (known === undefined) counts.set(length, [sentence.entities.length]);
    else known.push(sentence.entities.length);
  }
  const lengths = [...counts].sort(([a], [b]) => a - b).map(([length, entities]) => lengthRow(length, entities));
  const violations = lengths.reduce((sum, row) => sum + row.violations, 0);
  return { violations, share: ratio(violations, sentences.length), lengths };
}

function lengthRow(length: number, entities: readonly number[]): LengthRow {
  const mean = entities.reduce((sum, count) => sum + count, 0) / entities.length;
  const variance = entities.reduce((sum, count) => sum + (count - mean) ** 2, 0) / entities.length;
  // Squares, because they are exact: 3 > √9 must be false.
  const violations = entities.filter((count) => count * count > length).length;
  return { length, sentences: entities.length, mean, deviation: Math.sqrt(variance), violations };
}
