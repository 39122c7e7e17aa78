import type { BlindSampler, Sampler } from "../../samplers/index.ts";
import { restriction } from "../../text/index.ts";
import { random } from "../../util/random.ts";
import type { Visit } from "../head.ts";
import { partsOf, positivesOf, type SpanItem } from "./items.ts";

/** The spans that a sentence trains at one visit: everything known, and the candidates that a blind sampler picks. */
export function drawSpans(
  item: SpanItem,
  sampler: BlindSampler,
  { seed, epoch }: Visit,
): { known: readonly number[]; drawn: number[] } {
  const { known, candidates } = partsOf(item);
  const picks = sampler.choose({
    length: item.grid.length,
    candidates: candidates.length,
    epoch,
    rng: random(seed, "sample", epoch, item.id),
    fixedRng: random(seed, "sample once", item.id),
  });
  const drawn = Array.from(picks, (pick) => candidates[pick]!);
  // A restricted span that is picked trains as a negative instead.
  const taken = new Set(drawn);
  return { known: known.filter((index) => !taken.has(index)), drawn };
}

/**
 * How many spans without a label train at a visit of all items: those that a sampler picks, and restricted ones. For
 * samplers over batches, as if all items were one.
 */
export function negativeCount(items: readonly SpanItem[], sampler: Sampler, visit: Visit): number {
  const total = (count: (item: SpanItem) => number): number => items.reduce((sum, item) => sum + count(item), 0);
  switch (sampler.kind) {
    case "blind":
      return total((item) => {
        const { known, drawn } = drawSpans(item, sampler, visit);
        return drawn.length + restrictedAmong(known, item);
      });
    case "scored":
      return total((item) => {
        const { known, candidates } = partsOf(item);
        const draw = { length: item.grid.length, candidates: candidates.length, epoch: visit.epoch };
        return sampler.count(draw) + restrictedAmong(known, item);
      });
    case "batch":
      return sampler.count({
        candidates: total((item) => partsOf(item).candidates.length),
        positives: total(positivesOf),
      });
  }
}

function restrictedAmong(known: readonly number[], { states }: SpanItem): number {
  return known.filter((index) => restriction(states[index]!) !== undefined).length;
}
