import { existsSync } from "node:fs";
import { z } from "zod";
import type { ItemScores, Items } from "../heads/index.ts";
import { InputError } from "../util/errors.ts";
import { parseJson } from "../util/json.ts";
import { type NumberArray, SafetensorsFile, writeSafetensors } from "../util/safetensors.ts";

/** What a file of scores belongs to, and the labels they are of. */
export interface ScoreFacts {
  readonly fingerprint: string;
  readonly labels: readonly string[];
}

/**
 * Writes the items of some sentences with their log-probabilities, one sentence after the other. Models of different
 * folds may look at spans of different widths, so the items stand in the file.
 */
export async function writeScores(
  path: string,
  scores: AsyncIterable<ItemScores>,
  { fingerprint, labels }: ScoreFacts,
): Promise<void> {
  const sizes: number[] = [];
  const parts: Record<"starts" | "ends" | "logProbs", ArrayLike<number>[]> = { starts: [], ends: [], logProbs: [] };
  for await (const { items, logProbs } of scores) {
    sizes.push(items.size);
    parts.starts.push(items.starts());
    parts.ends.push(items.ends());
    parts.logProbs.push(logProbs);
  }
  const arrays = Object.entries({ sizes: [sizes], ...parts }).map(([name, all]) => [name, joined(all)] as const);
  const metadata = { fingerprint, labels: JSON.stringify(labels) };
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

/** The labels that the scores of a file are of. */
export function readLabels(path: string): readonly string[] {
  const file = SafetensorsFile.open(path);
  try {
    return labelsOf(file);
  } finally {
    file.close();
  }
}

/** The scores that a file holds of so many sentences, in their order. */
export function readScores(path: string, sentences: number): ItemScores[] {
  const file = SafetensorsFile.open(path);
  try {
    const labels = labelsOf(file).length;
    const [sizes, starts, ends, logProbs] = ["sizes", "starts", "ends", "logProbs"].map((name) => file.read(name)) as [
      Float32Array,
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    const total = sizes.reduce((sum, size) => sum + size, 0);
    if (
      sizes.length !== sentences ||
      starts.length !== total ||
      ends.length !== total ||
      logProbs.length !== total * labels
    )
      throw new InputError(`must hold the scores of ${sentences} sentences; remove it`, { file: path });
    let at = 0;
    return Array.from(sizes, (size) => {
      const [from, to] = [at, at + size];
      at = to;
      const items: Items = {
        size,
        starts: () => Int32Array.from(starts.subarray(from, to)),
        ends: () => Int32Array.from(ends.subarray(from, to)),
      };
      const own = logProbs.subarray(from * labels, to * labels);
      return { items, logProbs: own, logits: own };
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
