import { TokenFinder, type TokenScores } from "../inference/token-finder.ts";
import type { TokenItem } from "../models/token-batch.ts";
import type { TokenModel } from "../models/token-model.ts";
import { tokenState } from "../models/token-states.ts";
import type { ParameterStore } from "../nn/index.ts";
import type { RuntimeOptions } from "../tensor/index.ts";
import { packed } from "./batches.ts";
import type { OutsideValues } from "./removed-tokens.ts";
import type { Settings } from "./settings.ts";

export interface OutsideValueOptions {
  readonly kind: Settings["explore"]["value"];
  readonly batchTokens: number;
  readonly runtime: RuntimeOptions;
}

/** The value of O at one token; `row` is where its tags begin. */
const values: Readonly<
  Record<OutsideValueOptions["kind"], (scores: TokenScores, row: number, tags: number) => number>
> = {
  raw: ({ logits }, row) => logits[row]!,
  // The scores of an angle-based head are products with the corners, and sum to 0 as they are.
  angle: ({ logits }, row) => logits[row]!,
  centered: ({ logits }, row, tags) => {
    let total = 0;
    for (let tag = 0; tag < tags; tag++) total += logits[row + tag]!;
    return logits[row]! - total / tags;
  },
  logprob: ({ probabilities }, row) => Math.log(Math.max(probabilities[row]!, Number.MIN_VALUE)),
};

/** O's value at every unknown token of the items, without dropout, in the order of sentences and tokens. */
export async function outsideValues(
  model: TokenModel,
  store: ParameterStore,
  items: readonly TokenItem[],
  { kind, batchTokens, runtime }: OutsideValueOptions,
): Promise<OutsideValues> {
  const sizes = items.map(({ sentence }) => model.encoder.size(sentence));
  const order = [...items.keys()].sort((a, b) => sizes[a]! - sizes[b]! || a - b);
  const found = items.map((): number[] => []);
  const finder = await TokenFinder.create(model, store, runtime);
  try {
    for (const members of packed(order, sizes, batchTokens)) {
      const scores = await finder.scores(members.map((member) => items[member]!.sentence));
      members.forEach((member, i) => {
        items[member]!.states.forEach((state, token) => {
          if (state === tokenState.unknown)
            found[member]!.push(values[kind](scores[i]!, token * model.tagSet.size, model.tagSet.size));
        });
      });
    }
  } finally {
    await finder.dispose();
  }
  return placed(items, found);
}

function placed(items: readonly TokenItem[], found: readonly (readonly number[])[]): OutsideValues {
  const places = items.flatMap(({ place: { sentence, offset }, states }) =>
    Array.from(states.keys())
      .filter((token) => states[token] === tokenState.unknown)
      .map((token) => [sentence, offset + token] as const),
  );
  return {
    sentences: Int32Array.from(places, ([sentence]) => sentence),
    tokens: Int32Array.from(places, ([, token]) => token),
    values: Float32Array.from(found.flat()),
  };
}
