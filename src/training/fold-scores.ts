import { existsSync } from "node:fs";
import { z } from "zod";
import type { ItemScores, Items } from "../heads/index.ts";
import { type ItemVectors, type Scorer, type Shift, shiftSchema } from "../inference/index.ts";
import type { Entity, Sentence } from "../text/index.ts";
import { InputError } from "../util/errors.ts";
import { parseJson } from "../util/json.ts";
import { type NumberArray, SafetensorsFile, writeSafetensors } from "../util/safetensors.ts";

/** What the scores of a file are of. */
export interface ScoreFacts {
  readonly labels: readonly string[];
  readonly types: readonly string[];
  /** The number of each label's type; -1 for labels of no entity. */
  readonly typeOf: readonly number[];
  /** What decoding adds to the score of O. */
  readonly shift: Shift;
}

/** What models say of sentences that they have not seen. */
export interface OutOfFoldScores {
  /** "O", then types or tags. */
  readonly labels: readonly string[];
  readonly types: readonly string[];
  /** The number of each label's type; -1 for labels of no entity. */
  readonly typeOf: readonly number[];
  /** The fold of each sentence. */
  readonly folds: Int32Array;
  /** What is said of every sentence, fold by fold: one fold is in memory at a time. */
  scores(): Generator<OutOfFold>;
  /** What the model of every fold says of sentences that none of them was trained on, model by model. */
  unseen(sentences: readonly Sentence[]): AsyncGenerator<Pick<OutOfFold, "sentence" | "scores">>;
  /** The hidden states that the model of a fold has of sentences, in order; nothing where its head has none. */
  vectors(fold: number, sentences: readonly Sentence[]): AsyncGenerator<ItemVectors>;
  /** The model of every fold at work, one after the other; each is closed when the next is asked for. */
  models(): AsyncGenerator<FoldModel>;
}

export interface FoldModel {
  readonly scorer: Scorer;
  /** What decoding adds to the score of O. */
  readonly shift: Shift;
  /** The numbers of the sentences that it has not seen. */
  readonly members: readonly number[];
}

export interface OutOfFold {
  /** Number of the sentence. */
  readonly sentence: number;
  /** Without the shift of decoding. */
  readonly scores: ItemScores;
  /** What decoding adds to the score of O. */
  readonly shift: Shift;
  /** The entities that follow, with their probabilities. */
  readonly predicted: readonly Entity[];
}

/** A predicted entity as numbers: sentence, start, end, type, probability. */
const entityWidth = 5;

/**
 * Writes the items of some sentences with their log-probabilities, one sentence after the other. Models of different
 * folds may look at spans of different widths, so the items stand in the file.
 */
export async function writeScores(
  path: string,
  scores: AsyncIterable<ItemScores>,
  { fingerprint, ...facts }: ScoreFacts & { readonly fingerprint: string },
  predict: (scores: ItemScores) => readonly Entity[],
): Promise<void> {
  const sizes: number[] = [];
  const entities: number[] = [];
  const parts: Record<"starts" | "ends" | "logProbs", ArrayLike<number>[]> = { starts: [], ends: [], logProbs: [] };
  for await (const each of scores) {
    const { items, logProbs } = each;
    for (const { start, end, type, score } of predict(each))
      entities.push(sizes.length, start, end, facts.types.indexOf(type), score!);
    sizes.push(items.size);
    parts.starts.push(items.starts());
    parts.ends.push(items.ends());
    parts.logProbs.push(logProbs);
  }
  const arrays = Object.entries({ sizes: [sizes], entities: [entities], ...parts }).map(
    ([name, all]) => [name, joined(all)] as const,
  );
  const metadata = { fingerprint, facts: JSON.stringify(facts) };
  await writeSafetensors(path, Object.fromEntries(arrays), { metadata });
}

function joined(parts: readonly ArrayLike<number>[]): NumberArray {
  const data = new Float32Array(parts.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const part of parts) {
    data.set(part, at);
    at += part.length;
  }
  return { data, shape: [data.length] };
}

/** True when the scores of this work are there already; those of another are an error. */
export function hasScores(path: string, fingerprint: string): boolean {
  if (!existsSync(path)) return false;
  const file = SafetensorsFile.open(path);
  try {
    if (file.metadata.fingerprint === fingerprint) return true;
  } finally {
    file.close();
  }
  throw new InputError("holds scores of other data or settings; choose another folder or remove it", { file: path });
}

export function readFacts(path: string): ScoreFacts {
  const file = SafetensorsFile.open(path);
  try {
    return factsOf(file);
  } finally {
    file.close();
  }
}

/** What a file holds of so many sentences, in their order. */
export function readScores(path: string, sentences: number): Omit<OutOfFold, "sentence">[] {
  const file = SafetensorsFile.open(path);
  try {
    const { labels: names, types, shift } = factsOf(file);
    const labels = names.length;
    const [sizes, starts, ends, logProbs, entities] = ["sizes", "starts", "ends", "logProbs", "entities"].map((name) =>
      file.read(name),
    ) as [Float32Array, Float32Array, Float32Array, Float32Array, Float32Array];
    const total = sizes.reduce((sum, size) => sum + size, 0);
    if (
      sizes.length !== sentences ||
      starts.length !== total ||
      ends.length !== total ||
      logProbs.length !== total * labels
    )
      throw new InputError(`must hold the scores of ${sentences} sentences; remove it`, { file: path });
    const predicted = entitiesBySentence(entities, types, sentences);
    let at = 0;
    return Array.from(sizes, (size, sentence) => {
      const [from, to] = [at, at + size];
      at = to;
      const items: Items = {
        size,
        starts: () => Int32Array.from(starts.subarray(from, to)),
        ends: () => Int32Array.from(ends.subarray(from, to)),
      };
      const own = logProbs.subarray(from * labels, to * labels);
      return { scores: { items, logProbs: own, logits: own }, shift, predicted: predicted[sentence]! };
    });
  } finally {
    file.close();
  }
}

function entitiesBySentence(numbers: Float32Array, types: readonly string[], sentences: number): Entity[][] {
  const result = Array.from({ length: sentences }, (): Entity[] => []);
  for (let at = 0; at + entityWidth <= numbers.length; at += entityWidth) {
    const [sentence, start, end, type, score] = numbers.subarray(at, at + entityWidth) as unknown as number[];
    result[sentence!]?.push({ start: start!, end: end!, type: types[type!]!, score: score! });
  }
  return result;
}

const factsSchema = z.object({
  labels: z.array(z.string()),
  types: z.array(z.string()),
  typeOf: z.array(z.int()),
  shift: shiftSchema,
});

function factsOf({ metadata, path }: SafetensorsFile): ScoreFacts {
  const parsed = factsSchema.safeParse(parseJson(metadata.facts ?? "", "scores of a fold", { file: path }));
  if (parsed.success) return parsed.data;
  throw new InputError("not scores of a fold: expected what they are of; remove it", { file: path });
}
