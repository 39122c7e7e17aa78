import type { Vocabulary } from "../inputs/index.ts";
import { uniformWithin } from "../nn/index.ts";
import type { Data } from "../tensor/index.ts";
import { random } from "../util/random.ts";
import type { Lookup, Table } from "./encoder.ts";
import type { WordVectors } from "./word-vectors.ts";

/** A table with a row for each id of a vocabulary, all zero. */
export function emptyTable(name: string, known: Vocabulary, width: number, trainable = true): Table {
  return { name, width, values: new Float32Array(known.size * width), trainable };
}

/** First values: random rows of variance 1 / width, zeros for padding, and pretrained vectors where there are some. */
export function fillTable(table: Table, known: Vocabulary, seed: number, vectors?: WordVectors): void {
  const { name, width, values } = table;
  const rng = random(seed, "initialise", name);
  const fill = uniformWithin(Math.sqrt(3 / width));
  if (!vectors) fill(values, [], rng);
  else {
    const first = known.size - known.entries.length;
    fill(values.subarray(0, first * width), [], rng);
    known.entries.forEach((entry, i) => {
      const target = values.subarray((first + i) * width, (first + i + 1) * width);
      const row = vectors.row(entry);
      if (row === undefined) fill(target, [], rng);
      else {
        target.set(vectors.values.subarray(row * width, (row + 1) * width));
        // Rows have the numbers of their places: what other rows draw does not depend on which words have vectors.
        rng.skip(width);
      }
    });
    fill(values.subarray(known.size * width), [], rng);
  }
  values.fill(0, 0, width);
}

/** The rows of a lookup, one behind the other. */
export function rowsOf({ table: { values, width }, rows }: Lookup, shape: readonly number[]): Data {
  const data = new Float32Array(rows.length * width);
  rows.forEach((row, i) => {
    data.set(values.subarray(row * width, (row + 1) * width), i * width);
  });
  return { data, shape: [...shape, width] };
}
