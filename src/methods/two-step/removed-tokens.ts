import { type Sentence, tokenText } from "../../text/index.ts";

/** A token of the training data: number of its sentence, and its number there. */
export interface TokenPlace {
  readonly sentence: number;
  readonly token: number;
}

export interface RemovedToken extends TokenPlace {
  readonly value: number;
}

/** A value for tokens that train as O, side by side: the smaller, the less the model takes the token for O. */
export interface OutsideValues {
  readonly sentences: Int32Array;
  readonly tokens: Int32Array;
  readonly values: Float32Array;
}

/** How many of m tokens a share takes: ⌈share · m⌉. */
export function removedCount(share: number, m: number): number {
  // A product such as 0.1 × 30 must not become four tokens by an error of the last bit.
  return Math.ceil(share * m - 1e-9);
}

/** The numbers of the values in ascending order; of equal ones the earlier token first. */
export function ascending({ values }: OutsideValues): Uint32Array {
  return Uint32Array.from(values, (_, i) => i).sort((a, b) => values[a]! - values[b]! || a - b);
}

/** The ⌈share · m⌉ tokens with the smallest values of all, in the order of their places. */
export function smallestValues(all: OutsideValues, share: number): RemovedToken[] {
  const { sentences, tokens, values } = all;
  const chosen = ascending(all).subarray(0, removedCount(share, values.length)).sort();
  return Array.from(chosen, (i) => ({ sentence: sentences[i]!, token: tokens[i]!, value: values[i]! }));
}

/** Tokens on either side in the list of removed ones. */
const contextTokens = 8;

/**
 * The list of removed tokens, a JSON line each with numbers from 1: a first look at what is probably missing, so the
 * least O-like come first.
 */
export function describeRemoved(removed: readonly RemovedToken[], train: readonly Sentence[]): string {
  const order = [...removed].sort((a, b) => a.value - b.value || a.sentence - b.sentence || a.token - b.token);
  const lines = order.map(({ sentence: number, token, value }) => {
    const sentence = train[number]!;
    const [from, to] = [Math.max(0, token - contextTokens), token + contextTokens + 1];
    const text = (start: number, end: number): string => {
      const last = Math.min(end, sentence.offsets.length >> 1) - 1;
      return last < start ? "" : sentence.text.slice(sentence.offsets[2 * start], sentence.offsets[2 * last + 1]);
    };
    return JSON.stringify({
      sentence: number + 1,
      token: token + 1,
      text: tokenText(sentence, token),
      value,
      left: text(from, token),
      right: text(token + 1, to),
    });
  });
  return lines.map((line) => `${line}\n`).join("");
}
