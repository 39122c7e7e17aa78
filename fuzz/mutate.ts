import type { Random } from "../src/util/random.ts";
import { mutateBytes } from "./mutate-bytes.ts";
import { mutateJson } from "./mutate-json.ts";
import { mutateLines } from "./mutate-lines.ts";

/** How an input is built: bytes, lines of text, one JSON value, or a JSON value on each line. */
export type Shape = "bytes" | "lines" | "json" | "json-lines";

type Mutation = (input: Buffer, rng: Random) => Buffer;

/** Mutations of a shape, with how often each is chosen. Every shape gets broken bytes now and then. */
const mutations: { readonly [S in Shape]: readonly (readonly [weight: number, mutation: Mutation])[] } = {
  bytes: [[1, mutateBytes]],
  lines: [
    [4, mutateLines],
    [1, mutateBytes],
  ],
  json: [
    [8, mutateJson],
    [1, mutateLines],
    [1, mutateBytes],
  ],
  "json-lines": [
    [6, onOneLine(mutateJson)],
    [2, mutateLines],
    [1, mutateBytes],
  ],
};

/** Larger inputs say nothing that smaller ones do not, and take long. */
const longest = 1 << 20;

/** A changed input: one change mostly, sometimes many. */
export function mutate(input: Buffer, shape: Shape, rng: Random): Buffer {
  let result = input;
  const changes = rng.below(4) > 0 ? 1 : 1 + rng.below(8);
  for (let i = 0; i < changes; i++) result = pick(mutations[shape], rng)(result, rng);
  return result.subarray(0, longest);
}

function pick<T>(choices: readonly (readonly [number, T])[], rng: Random): T {
  let left = rng.below(choices.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, choice] of choices) {
    if (left < weight) return choice;
    left -= weight;
  }
  throw new RangeError("no choice");
}

function onOneLine(mutation: Mutation): Mutation {
  return (input, rng) => {
    const lines = input.toString("utf8").split("\n");
    const filled = lines.flatMap((line, i) => (line === "" ? [] : [i]));
    if (filled.length === 0) return mutation(input, rng);
    const chosen = filled[rng.below(filled.length)]!;
    const changed = mutation(Buffer.from(lines[chosen]!), rng).toString("utf8");
    return Buffer.from(lines.with(chosen, changed).join("\n"));
  };
}
