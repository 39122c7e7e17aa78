import type { Data } from "../../tensor/index.ts";
import { itemState, restriction, type TypeSets } from "../../text/index.ts";
import type { SpanItem } from "../span/items.ts";
import type { MrcRow } from "./rows.ts";
import type { MrcModelSettings } from "./settings.ts";

/** A row with what is known of its spans. */
export interface MrcItem extends MrcRow {
  /** The key of all randomness about it. */
  readonly id: number;
  readonly source: SpanItem;
}

/** Whether a span is an entity of a type: 1 yes, 0 no, by its `itemState`; `open` when nobody said, `out` when it does not train. */
export function answer(state: number, type: number, sets: TypeSets): 0 | 1 | "open" | "out" {
  if (state > 0) return state === type + 1 ? 1 : 0;
  if (state === itemState.outside) return 0;
  if (state === itemState.excluded) return "out";
  const excluded = restriction(state);
  return excluded !== undefined && sets.has(excluded, type) ? 0 : "open";
}

/**
 * What starts, ends and pairs should be, `[rows, time, outputs]` and `[rows, spans, outputs]`. A token is no start when no
 * span that starts there can be an entity; while one of these is out of training, so is the token, unless another is labelled.
 */
export function supervise(
  items: readonly MrcItem[],
  sets: TypeSets,
  { unknown }: Pick<MrcModelSettings, "unknown">,
  { time, width }: { readonly time: number; readonly width: number },
): Record<string, Data> {
  const outputs = items[0]!.types.length;
  const table = (length: number): { labels: Float32Array; weights: Float32Array } => ({
    labels: new Float32Array(items.length * length * outputs),
    weights: new Float32Array(items.length * length * outputs),
  });
  const [starts, ends, pairs] = [table(time), table(time), table(width)];
  items.forEach(({ source, offset, types, grid }, b) => {
    const [from, to] = [grid.starts(), grid.ends()];
    types.forEach((type, output) => {
      const at = (token: number): number => (b * time + offset + token) * outputs + output;
      for (const { weights } of [starts, ends])
        for (let token = 0; token < grid.length; token++) weights[at(token)] = 1;
      source.states.forEach((state, span) => {
        const found = answer(state, type, sets);
        const trains = found !== "out" && (found !== "open" || unknown === "outside");
        const pair = (b * width + span) * outputs + output;
        pairs.labels[pair] = found === 1 ? 1 : 0;
        pairs.weights[pair] = trains ? 1 : 0;
        if (trains) return;
        starts.weights[at(from[span]!)] = 0;
        ends.weights[at(to[span]! - 1)] = 0;
      });
      // Also those that are too wide to be pairs.
      for (const { start, end, type: name } of source.sentence.entities) {
        if (sets.types[type] !== name || isOutOfTraining(source, { start, end })) continue;
        for (const [{ labels, weights }, token] of [
          [starts, start],
          [ends, end - 1],
        ] as const) {
          labels[at(token)] = 1;
          weights[at(token)] = 1;
        }
      }
    });
  });
  const data = (numbers: Float32Array, length: number): Data => ({
    data: numbers,
    shape: [items.length, length, outputs],
  });
  return {
    "mrc.starts": data(starts.labels, time),
    "mrc.starts.weights": data(starts.weights, time),
    "mrc.ends": data(ends.labels, time),
    "mrc.ends.weights": data(ends.weights, time),
    "mrc.pairs": data(pairs.labels, width),
    "mrc.pairs.weights": data(pairs.weights, width),
  };
}

/** Entities that a neighbouring window owns. */
function isOutOfTraining({ grid, states }: SpanItem, { start }: { start: number; end: number }): boolean {
  return states[grid.index({ start, end: start + 1 })] === itemState.excluded;
}
