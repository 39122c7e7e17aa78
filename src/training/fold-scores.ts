import { existsSync } from "node:fs";
import { z } from "zod";
import type { ItemScores, Model } from "../heads/index.ts";
import { type Sentence, tokenCount } from "../text/index.ts";
import { InputError } from "../util/errors.ts";
import { parseJson } from "../util/json.ts";
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
    const labels = labelsOf(file).length;
    const data = file.read("logProbs");
    const all = sentences.map((sentence) => model.items(tokenCount(sentence)));
    const size = all.reduce((total, items) => total + items.size * labels, 0);
    if (data.length !== size)
      throw new InputError(`must hold ${size} scores of these sentences, got ${data.length}; remove it`, {
        file: path,
      });
    let at = 0;
    return all.map((items) => {
      const logProbs = data.subarray(at, at + items.size * labels);
      at += items.size * labels;
      return { items, logProbs, logits: logProbs };
    });
  } finally {
    file.close();
  }
}

function labelsOf({ metadata, path }: SafetensorsFile): readonly string[] {
  const parsed = z.array(z.string()).safeParse(parseJson(metadata.labels ?? "", "scores of a fold", { file: path }));
  if (parsed.success) return parsed.data;
  throw new InputError("not scores of a fold: expected labels; remove it", { file: path });
}
