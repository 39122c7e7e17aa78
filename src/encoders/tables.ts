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
  uniformWithin(Math.sqrt(3 / width))(values, [], random(seed, "initialise", name));
  values.fill(0, 0, width);
  if (!vectors) return;
  for (const entry of known.entries) {
    const row = vectors.row(entry);
    if (row !== undefined) values.set(vectors.values.subarray(row * width, (row + 1) * width), known.id(entry) * width);
  }
}

/** The rows of a lookup, one behind the other. */
export function rowsOf({ table: { values, width }, rows }: Lookup, shape: readonly number[]): Data {
  const data = new Float32Array(rows.length * width);
  rows.forEach((row, i) => {
    data.set(values.subarray(row * width, (row + 1) * width), i * width);
  });
  return { data, shape: [...shape, width] };
}
