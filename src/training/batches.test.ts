import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { epochBatches } from "./batches.ts";

const lengths = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 200 });

describe("the batches of an epoch", () => {
  it("hold every sentence once and keep the token budget, but for sentences above it", () => {
    fc.assert(
      fc.property(lengths, fc.integer({ min: 1, max: 300 }), fc.nat(), (all, tokens, seed) => {
        const batches = epochBatches(all, { tokens, seed, epoch: 0 });
        expect(batches.flat().sort((a, b) => a - b)).toEqual(all.map((_, i) => i));
        for (const batch of batches) {
          const padded = batch.length * Math.max(...batch.map((i) => all[i]!));
          expect(padded <= tokens || batch.length === 1).toBe(true);
        }
      }),
    );
  });

  it("are the same for the same seed and epoch, others for another", () => {
    const all = Array.from({ length: 100 }, (_, i) => 1 + (i % 17));
    const at = (seed: number, epoch: number) => epochBatches(all, { tokens: 50, seed, epoch });
    expect(at(1, 2)).toEqual(at(1, 2));
    expect(at(1, 2)).not.toEqual(at(1, 3));
    expect(at(1, 2)).not.toEqual(at(2, 2));
  });
});
