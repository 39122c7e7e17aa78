import type { Sentence } from "../../text/index.ts";
import { ratio } from "../scores.ts";
import { type Distribution, distributionOf } from "./distribution.ts";

/** What a limit on the width of spans costs. */
export interface WidthLoss {
  readonly limit: number;
  readonly lost: number;
  readonly share: number;
  readonly byType: Readonly<Record<string, number>>;
}

export interface Widths {
  /** Tokens of an entity. */
  readonly all: Distribution;
  readonly byType: Readonly<Record<string, Distribution>>;
  readonly losses: readonly WidthLoss[];
}

/** How wide the entities are, and how many are wider than each limit. */
export function widthsOf(sentences: readonly Sentence[], limits: readonly number[]): Widths {
  const byType = new Map<string, number[]>();
  for (const { entities } of sentences) {
    for (const { start, end, type } of entities) {
      const widths = byType.get(type);
      if (widths === undefined) byType.set(type, [end - start]);
      else widths.push(end - start);
    }
  }
  const types = [...byType].sort(([a], [b]) => (a < b ? -1 : 1));
  const all = types.flatMap(([, widths]) => widths);
  const losses = limits.map((limit): WidthLoss => {
    const wider = types.map(([type, widths]) => [type, widths.filter((width) => width > limit).length] as const);
    const lost = wider.reduce((sum, [, count]) => sum + count, 0);
    return { limit, lost, share: ratio(lost, all.length), byType: Object.fromEntries(wider) };
  });
  return {
    all: distributionOf(all),
    byType: Object.fromEntries(types.map(([type, widths]) => [type, distributionOf(widths)])),
    losses,
  };
}
