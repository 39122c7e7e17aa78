import type { Sampler } from "../../samplers/index.ts";
import { typeSets } from "../../text/index.ts";
import { InputError } from "../../util/errors.ts";
import type { Head } from "../head.ts";
import { trainingBatch } from "./batch.ts";
import { negativeCount } from "./draws.ts";
import { widthFor, widthLoss } from "./grid.ts";
import { countItems, type SpanItem, spanItems } from "./items.ts";
import { spanModel } from "./model.ts";
import { type SpanSettings, spanSettings } from "./settings.ts";
import { supervisionOf } from "./supervision.ts";

/** Classifies every span of a sentence up to a width. */
export const spanHead = {
  name: "span",
  description: "classifies spans; entities may overlap",
  settings: spanSettings,
  takesTargets: true,
  open(encoder, types, { maxWidth, ...settings }) {
    if (maxWidth === "auto") throw new InputError('head.maxWidth: expected a number, got "auto"');
    return spanModel(encoder, types, { ...settings, maxWidth });
  },
  train(corpus, encoder, types, { maxWidth: wanted, ...settings }, { sampler, objective, epochs, seed }) {
    const maxWidth = wanted === "auto" ? widthFor(corpus.sentences, 0.999) : wanted;
    const sets = typeSets(types);
    const items = spanItems(corpus, sets, maxWidth);
    refuseNoOutside(items, sampler);
    const supervision = supervisionOf(items, sets);
    const model = spanModel(encoder, types, { ...settings, maxWidth }, outsideOdds(items, sampler, types.length, seed));
    const { lost } = widthLoss(corpus.sentences, maxWidth);
    return {
      model,
      sizes: items.map(({ sentence }) => encoder.size(sentence)),
      sentences: items.map(({ sentence }) => sentence),
      counts: countItems(items),
      knowsHidden: corpus.hidden !== undefined,
      leftOut: [{ count: lost, reason: `wider than ${maxWidth} tokens and cannot be learned (--set head.maxWidth=…)` }],
      graph() {
        const { loss, places } = model.training(objective, sampler, epochs, supervision);
        return { loss, watched: places ? { places } : {} };
      },
      labelSums: () => model.labelSums(sampler, epochs, supervision),
      batch(members, visit) {
        const chosen = members.map((member) => items[member]!);
        const { batch, counts } = trainingBatch(chosen, encoder, sampler, visit, supervision);
        return { batch, counts: ({ places }) => counts(places?.data as Int32Array | undefined) };
      },
    };
  },
} satisfies Head<SpanSettings>;

/** Log-odds of "not an entity" against the mean of the types among the spans that an epoch trains. */
function outsideOdds(items: readonly SpanItem[], sampler: Sampler, types: number, seed: number): number {
  const { entity, outside } = countItems(items);
  const negatives = outside + negativeCount(items, sampler, { seed, epoch: 0 });
  return Math.log((negatives + 1) / ((entity + 1) / types));
}

/** If no span were known to be outside, the best model would call everything an entity. */
function refuseNoOutside(items: readonly SpanItem[], sampler: Sampler): void {
  if (sampler.name !== "none") return;
  const { outside, restricted } = countItems(items);
  if (outside + restricted > 0) return;
  throw new InputError(
    "sampler none: some text must be known to hold no entity, and all is unknown here; declare parts complete (--complete FILE, --silence negative) or take another sampler",
  );
}
