import type { Data } from "../../tensor/index.ts";
import { itemState, restriction, type TypeSets } from "../../text/index.ts";
import { places } from "../places.ts";
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
function answer(state: number, type: number, sets: TypeSets): 0 | 1 | "open" | "out" {
  if (state > 0) return state === type + 1 ? 1 : 0;
  if (state === itemState.outside) return 0;
  if (state === itemState.excluded) return "out";
  const excluded = restriction(state);
  return excluded !== undefined && sets.has(excluded, type) ? 0 : "open";
}

/** Whether a span is an entity of the type of a label when one of some labels is right. */
function answerAmong(allowed: readonly number[], label: number): 0 | 1 | "out" {
  if (!allowed.includes(label)) return 0;
  return allowed.length === 1 ? 1 : "out";
}

/** What a pair learns of a type: the share of it, and how much that trains. */
function lesson(
  { states, adjusted }: SpanItem,
  span: number,
  type: number,
  sets: TypeSets,
  unknown: MrcModelSettings["unknown"],
): { readonly share: number; readonly weight: number } {
  const change = adjusted?.get(span);
  if (change?.target) return { share: change.target[type + 1]!, weight: change.weight };
  const found = change?.allowed ? answerAmong(change.allowed, type + 1) : answer(states[span]!, type, sets);
  const trains = found !== "out" && (found !== "open" || unknown === "outside");
  return { share: found === 1 ? 1 : 0, weight: trains ? (change?.weight ?? 1) : 0 };
}

/**
 * What starts, ends and pairs should be, `[rows, time, outputs]` and `[rows, spans, outputs]`. A token is no start when no
 * span that starts there can be an entity; while one of these is out of training, so is the token, unless another is likely.
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
      const [starting, ending] = [places(grid.length), places(grid.length)];
      const put = (start: number, end: number, share: number, weight: number): void => {
        starting.add(start, share, weight);
        ending.add(end - 1, share, weight);
      };
      for (let span = 0; span < grid.size; span++) {
        const { share, weight } = lesson(source, span, type, sets, unknown);
        const pair = (b * width + span) * outputs + output;
        pairs.labels[pair] = share;
        pairs.weights[pair] = weight;
        put(from[span]!, to[span]!, share, weight);
      }
      // Entities that are too wide to be pairs have starts and ends all the same.
      for (const entity of source.sentence.entities)
        if (grid.index(entity) < 0 && sets.types[type] === entity.type && !isOutOfTraining(source, entity))
          put(entity.start, entity.end, 1, 1);
      for (let token = 0; token < grid.length; token++) {
        const at = (b * time + offset + token) * outputs + output;
        starts.labels[at] = starting.share(token);
        starts.weights[at] = starting.weight(token);
        ends.labels[at] = ending.share(token);
        ends.weights[at] = ending.weight(token);
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
