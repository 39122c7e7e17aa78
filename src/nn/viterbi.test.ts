import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { admitted, type SmallChain, scoreOf, sequences, smallChain } from "../../test/support/sequences.ts";
import { random } from "../util/random.ts";
import { viterbi } from "./index.ts";

describe("viterbi", () => {
  const decodable = fc.record({
    tags: fc.integer({ min: 1, max: 4 }),
    length: fc.integer({ min: 0, max: 5 }),
    seed: fc.nat(),
  });
  const best = (chain: SmallChain, admits: (path: readonly number[]) => boolean): number[] => {
    const listed = [...sequences(chain.tags, chain.length)].filter(admits);
    return listed.reduce((a, b) => (scoreOf(chain, b) > scoreOf(chain, a) ? b : a));
  };

  it("finds the best of all sequences", () => {
    fc.assert(
      fc.property(decodable, ({ tags, length, seed }) => {
        const chain = smallChain(tags, length, random(seed, "viterbi"));
        expect([...viterbi(chain)(Float32Array.from(chain.emissions))]).toEqual(best(chain, () => true));
      }),
    );
  });

  it("finds the best of the allowed sequences", () => {
    fc.assert(
      fc.property(decodable, ({ tags, length, seed }) => {
        const rng = random(seed, "viterbi");
        const chain = smallChain(tags, length, rng);
        const allowed = Array.from({ length }, () => {
          const always = rng.below(tags);
          return Array.from({ length: tags }, (_, tag) => tag === always || rng.below(2) === 1);
        });
        const flags = Uint8Array.from(allowed.flat().map(Number));
        expect([...viterbi(chain)(chain.emissions, flags)]).toEqual(best(chain, admitted(allowed)));
      }),
    );
  });

  it("takes, of sequences with the same score, the one with the smaller tag at the last place where they differ", () => {
    fc.assert(
      fc.property(decodable, ({ tags, length, seed }) => {
        const rng = random(seed, "ties");
        const draw = (count: number): number[] => Array.from({ length: count }, () => rng.below(2));
        const scores = { transitions: draw(tags * tags), start: draw(tags), end: draw(tags) };
        const chain = { tags, length, emissions: draw(length * tags), ...scores };
        const fromTheEnd = (path: readonly number[]): string => [...path].reverse().join("");
        const listed = [...sequences(tags, length)].sort((a, b) => (fromTheEnd(a) < fromTheEnd(b) ? -1 : 1));
        const first = listed.reduce((a, b) => (scoreOf(chain, b) > scoreOf(chain, a) ? b : a));
        expect([...viterbi(chain)(chain.emissions)]).toEqual(first);
      }),
    );
  });

  it("takes the smaller tag of two equal ones", () => {
    const chain = { transitions: [0, 0, 0, 0], start: [0, 0], end: [0, 0] };
    expect([...viterbi(chain)([1, 1, 2, 2])]).toEqual([0, 0]);
  });

  it("refuses emissions that are not whole rows, and flags of another length", () => {
    const chain = { transitions: [0, 0, 0, 0], start: [0, 0], end: [0, 0] };
    expect(() => viterbi(chain)([1, 2, 3])).toThrow("viterbi: 3 emissions do not make rows of 2 tags");
    expect(() => viterbi(chain)([1, 2], [1])).toThrow("viterbi: need 2 flags of allowed tags, got 1");
  });
});
