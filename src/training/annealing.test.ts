import { expect, it } from "vitest";
import { anneal, annealingSettings, fullRate } from "./annealing.ts";

const scales = (improved: string, settings: object): number[] => {
  let state = fullRate;
  return [...improved].map((mark) => {
    state = anneal(state, mark === "+", annealingSettings.parse(settings));
    return state.scale;
  });
};

it("halves the rates each time dev has stalled so often, and counts anew after a better result", () => {
  expect(scales("+--+--------", { patience: 3 })).toEqual([1, 1, 1, 1, 1, 1, 0.5, 0.5, 0.5, 0.25, 0.25, 0.25]);
  expect(scales("--", { patience: 1, factor: 0.1 })).toEqual([0.1, expect.closeTo(0.01)]);
});

it("does nothing unless it is asked for", () => {
  expect(scales("-----", {})).toEqual([1, 1, 1, 1, 1]);
});
