import type { Encoder } from "../../encoders/index.ts";
import { typeSets } from "../../text/index.ts";
import { InputError } from "../../util/errors.ts";
import { keyOf } from "../../util/random.ts";
import type { BatchCounts, Head } from "../head.ts";
import { refuseNoOutside } from "../no-outside.ts";
import { refuseOtherRecipes } from "../plain-recipe.ts";
import { longest, widthFor, widthLoss } from "../span/grid.ts";
import { countItems, partsOf, positivesOf, type SpanItem, spanItems } from "../span/items.ts";
import { mrcModel } from "./model.ts";
import { queriesOf } from "./queries.ts";
import { readingOf, rowBatch, rowsOf } from "./rows.ts";
import { type MrcModelSettings, type MrcSettings, mrcSettings } from "./settings.ts";
import { type MrcItem, supervise } from "./supervision.ts";

/** Asks for each type where its entities start and end, and which starts and ends belong together. */
export const mrcHead = {
  name: "mrc",
  description: "asks for each type where entities start and end, and which belong together; entities may overlap",
  settings: mrcSettings,
  method: "mrc",
  trainsAll: true,
  takesTargets: true,
  check: (_, recipe) => refuseOtherRecipes("mrc", recipe),
  open(encoder, types, { maxWidth, query, queries, ...settings }) {
    if (maxWidth === "auto" || query === "auto")
      throw new InputError('head mrc: maxWidth and query of a saved model must be decided, got "auto"');
    return mrcModel(encoder, types, { ...settings, maxWidth, query, queries: queriesOf(types, queries) });
  },
  train(corpus, encoder, types, given, { objective }) {
    const settings = decided(given, types, encoder, () => widthFor(corpus.sentences, 0.999));
    const sets = typeSets(types);
    const sources = spanItems(corpus, sets, settings.maxWidth);
    if (settings.unknown === "any")
      refuseNoOutside(
        "mrc",
        sources.map(({ states }) => states),
        sets,
      );
    const items = itemsOf(sources, types, settings);
    const model = mrcModel(encoder, types, settings, startOdds(sources, types.length));
    const { lost } = widthLoss(corpus.sentences, settings.maxWidth);
    return {
      model,
      sizes: items.map(({ sentence }) => encoder.size(sentence)),
      sentences: items.map(({ sentence }) => sentence),
      counts: countItems(sources),
      knowsHidden: corpus.hidden !== undefined,
      leftOut: [
        {
          count: lost,
          reason: `wider than ${settings.maxWidth} tokens and cannot be found (--set head.maxWidth=…)`,
        },
      ],
      graph: () => ({ loss: model.training(objective.reduction), watched: {} }),
      batch(members, { seed, epoch }) {
        const chosen = members.map((member) => items[member]!);
        const { batch, width } = rowBatch(chosen, encoder);
        const time = longest(chosen.map(({ sentence }) => sentence));
        const keys = chosen.map(({ id }) => keyOf(seed, "dropout", epoch, id) | 0);
        Object.assign(batch.feeds, supervise(chosen, sets, settings, { time, width }), {
          noise: { data: Int32Array.from(keys), shape: [keys.length] },
        });
        return { batch, counts: () => countRows(chosen, settings) };
      },
    };
  },
} satisfies Head<MrcSettings>;

function decided(
  { maxWidth, query, queries, ...settings }: MrcSettings,
  types: readonly string[],
  encoder: Encoder,
  width: () => number,
): MrcModelSettings {
  return {
    ...settings,
    queries: queriesOf(types, queries),
    query: readingOf(query, encoder),
    maxWidth: maxWidth === "auto" ? width() : maxWidth,
  };
}

/** Every row of every sentence trains on its own. */
function itemsOf(sources: readonly SpanItem[], types: readonly string[], settings: MrcModelSettings): MrcItem[] {
  const rows = sources.flatMap((source) => rowsOf(source.sentence, types, settings).map((row) => ({ ...row, source })));
  return rows.map((row, id) => ({ ...row, id }));
}

/** Log-odds that an entity of a type starts at a token. */
function startOdds(sources: readonly SpanItem[], types: number): number {
  const tokens = sources.reduce((sum, { grid }) => sum + grid.length, 0);
  const positives = sources.reduce((sum, item) => sum + positivesOf(item), 0);
  return Math.log((positives + 1) / (types * tokens + 1));
}

/** Each sentence is counted once, with its first type. */
function countRows(items: readonly MrcItem[], { unknown }: MrcModelSettings): BatchCounts {
  let [tokens, positives, negatives, missampled] = [0, 0, 0, 0];
  for (const { types, source } of items) {
    if (types[0] !== 0) continue;
    tokens += source.grid.length;
    positives += source.sentence.entities.length;
    if (unknown === "any") continue;
    for (const span of partsOf(source).candidates) {
      negatives++;
      if (source.hidden?.has(span)) missampled++;
    }
  }
  return { tokens, positives, negatives, missampled };
}
