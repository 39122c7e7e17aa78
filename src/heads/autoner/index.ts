import { segmentsOf, typeSets } from "../../text/index.ts";
import { InputError } from "../../util/errors.ts";
import type { Head } from "../head.ts";
import { refuseNoOutside } from "../no-outside.ts";
import { refuseOtherRecipes } from "../plain-recipe.ts";
import { widthFor, widthLoss } from "../span/grid.ts";
import { countItems, spanItems } from "../span/items.ts";
import { supervisionOf } from "../span/supervision.ts";
import { autonerBatch, countTyped } from "./batch.ts";
import { type AutonerItem, autonerItem } from "./items.ts";
import { autonerModel, type FirstOdds } from "./model.ts";
import { type AutonerSettings, autonerSettings } from "./settings.ts";

/** Says of each gap between two tokens whether they belong together, and of what lies between two breaks which type it has. */
export const autonerHead = {
  name: "autoner",
  description:
    "ties tokens together or breaks between them, and types what lies between breaks; entities do not overlap",
  settings: autonerSettings,
  method: "autoner",
  trainsAll: true,
  takesTargets: true,
  takesCandidateTypes: () => true,
  check: (_, recipe) => refuseOtherRecipes("autoner", recipe),
  open(encoder, types, { maxWidth, ...settings }) {
    if (maxWidth === "auto") throw new InputError('head.maxWidth: expected a number, got "auto"');
    return autonerModel(encoder, types, { ...settings, maxWidth });
  },
  train(corpus, encoder, types, { maxWidth: wanted, ...settings }, { objective }) {
    const maxWidth = wanted === "auto" ? widthFor(corpus.sentences, 0.999) : wanted;
    const sets = typeSets(types);
    const items = spanItems(corpus, sets, maxWidth).map((item) => autonerItem(item, sets, settings.unknown));
    if (settings.unknown === "any")
      refuseNoOutside(
        "autoner",
        items.map(({ states }) => states),
        sets,
      );
    const model = autonerModel(encoder, types, { ...settings, maxWidth }, firstOdds(items, types.length));
    const supervision = supervisionOf(items, sets);
    const { lost } = widthLoss(corpus.sentences, maxWidth);
    const dropped = corpus.sentences.reduce((sum, sentence) => sum + segmentsOf(sentence.entities).dropped, 0);
    return {
      model,
      sizes: items.map(({ sentence }) => encoder.size(sentence)),
      sentences: items.map(({ sentence }) => sentence),
      counts: countItems(items),
      knowsHidden: corpus.hidden !== undefined,
      leftOut: [
        { count: lost, reason: `wider than ${maxWidth} tokens and cannot be found (--set head.maxWidth=…)` },
        {
          count: dropped,
          reason: "within or across longer ones and left out: segments do not overlap (head=span has no such limit)",
        },
      ],
      graph: () => ({ loss: model.training(objective.reduction, supervision.soft), watched: {} }),
      batch(members, visit) {
        const chosen = members.map((member) => items[member]!);
        return {
          batch: autonerBatch(chosen, encoder, supervision, visit),
          counts: () => countTyped(chosen),
        };
      },
    };
  },
} satisfies Head<AutonerSettings>;

/** How often gaps are breaks, and how often typed spans are none, as log-odds. */
function firstOdds(items: readonly AutonerItem[], types: number): FirstOdds {
  let [breaks, ties, outside, entities] = [0, 0, 0, 0];
  for (const { gaps, typed, adjusted } of items) {
    gaps.weights.forEach((weight, token) => {
      breaks += weight * gaps.breaks[token]!;
      ties += weight * (1 - gaps.breaks[token]!);
    });
    for (const [span, [first]] of typed) {
      const share = adjusted?.get(span)?.target?.[0] ?? (first === 0 ? 1 : 0);
      outside += share;
      entities += 1 - share;
    }
  }
  return {
    breakOdds: Math.log((breaks + 1) / (ties + 1)),
    outsideOdds: Math.log((outside + 1) / ((entities + 1) / types)),
  };
}
