import { existsSync } from "node:fs";
import type { ItemScores, Model } from "../heads/index.ts";
import { type Sentence, tokenCount } from "../text/index.ts";
import { InputError } from "../util/errors.ts";
import { SafetensorsFile, writeSafetensors } from "../util/safetensors.ts";

/** What a file of scores belongs to, and the labels they are of. */
export interface ScoreFacts {
  readonly fingerprint: string;
  readonly labels: readonly string[];
}

/** Writes the log-probabilities of the items of some sentences, one after the other. */
export async function writeScores(
  path: string,
  scores: AsyncIterable<ItemScores>,
  { fingerprint, labels }: ScoreFacts,
): Promise<void> {
  const parts: Float32Array[] = [];
  for await (const { logProbs } of scores) parts.push(logProbs);
  const data = new Float32Array(parts.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const part of parts) {
    data.set(part, at);
    at += part.length;
  }
  const metadata = { fingerprint, labels: JSON.stringify(labels) };
  await writeSafetensors(path, { logProbs: { data, shape: [data.length] } }, { metadata });
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

/** The scores that a file holds of some sentences, in their order. */
export function readScores(path: string, sentences: readonly Sentence[], model: Pick<Model, "items">): ItemScores[] {
  const file = SafetensorsFile.open(path);
  try {
    const labels = (JSON.parse(file.metadata.labels ?? "[]") as string[]).length;
    const data = file.read("logProbs");
    let at = 0;
    return sentences.map((sentence) => {
      const items = model.items(tokenCount(sentence));
      const logProbs = data.subarray(at, at + items.size * labels);
      at += items.size * labels;
      return { items, logProbs, logits: logProbs };
    });
  } finally {
    file.close();
  }
}
