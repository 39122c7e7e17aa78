import { describe, expect, it } from "vitest";
import { admitted, scoreOf, sequences, smallChain } from "../../test/support/sequences.ts";
import { random } from "../util/random.ts";
import { posterior } from "./index.ts";

describe("the distribution of tags in a chain", () => {
  it.each([1, 2, 3, 4, 5])("is what listing the allowed sequences gives (%i tokens)", (length) => {
    const tags = 3;
    const rng = random(length, "posterior");
    const chain = smallChain(tags, length, rng);
    const allowed = Array.from({ length }, (_, token) =>
      Array.from({ length: tags }, (_each, tag) => tag === token % tags || rng.below(2) === 1),
    );
    for (const some of [undefined, allowed]) {
      const admits = some ? admitted(some) : () => true;
      const expected = new Array<number>(length * tags).fill(0);
      let total = 0;
      for (const path of [...sequences(tags, length)].filter(admits)) {
        const weight = Math.exp(scoreOf(chain, path));
        total += weight;
        path.forEach((tag, token) => {
          expected[token * tags + tag]! += weight;
        });
      }
      const found = posterior(chain.emissions, chain, some && Uint8Array.from(some.flat().map(Number)));
      found.forEach((share, at) => {
        expect(share).toBeCloseTo(expected[at]! / total, 10);
      });
    }
  });

  it("of no token is empty, and of emissions that make no rows refused", () => {
    const chain = smallChain(3, 2, random(1, "posterior"));
    expect(posterior([], chain)).toEqual(new Float64Array());
    expect(() => posterior([1, 2], chain)).toThrow("posterior: 2 emissions do not make rows of 3 tags");
    expect(() => posterior(chain.emissions, chain, [1])).toThrow("posterior: need 6 flags of allowed tags, got 1");
  });
});
