import { type ItemScores, tokenStates } from "../../heads/index.ts";
import type { Scorer } from "../../inference/index.ts";
import { isCandidate, type Sentence, typeSets } from "../../text/index.ts";
import type { OutsideValues } from "./removed-tokens.ts";

export const valueKinds = ["angle", "centered", "logprob", "raw"] as const;
/** How O-like a token is said to be. */
export type ValueKind = (typeof valueKinds)[number];

/** The value of O at one token; `row` is where its tags begin. */
const values: Readonly<Record<ValueKind, (scores: ItemScores, row: number, tags: number) => number>> = {
  raw: ({ logits }, row) => logits[row]!,
  // The scores of an angle-based head are products with the corners, and sum to 0 as they are.
  angle: ({ logits }, row) => logits[row]!,
  centered: ({ logits }, row, tags) => {
    let total = 0;
    for (let tag = 0; tag < tags; tag++) total += logits[row + tag]!;
    return logits[row]! - total / tags;
  },
  logprob: ({ logProbs }, row) => Math.max(logProbs[row]!, -745),
};

/** O's value at every token that trains as O because nobody labelled it, in the order of sentences and tokens. */
export async function outsideValues(
  scorer: Scorer,
  sentences: readonly Sentence[],
  kind: ValueKind,
): Promise<OutsideValues> {
  const found: { readonly sentence: number; readonly token: number; readonly value: number }[] = [];
  const sets = typeSets(scorer.model.types);
  const tags = scorer.labels.length;
  let number = 0;
  for await (const scores of scorer.scores(sentences)) {
    tokenStates(sentences[number]!, sets).states.forEach((state, token) => {
      if (isCandidate(state)) found.push({ sentence: number, token, value: values[kind](scores, token * tags, tags) });
    });
    number++;
  }
  return {
    sentences: Int32Array.from(found, ({ sentence }) => sentence),
    tokens: Int32Array.from(found, ({ token }) => token),
    values: Float32Array.from(found, ({ value }) => value),
  };
}
