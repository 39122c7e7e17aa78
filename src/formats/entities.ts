import { compareEntities, type Entity, sameSpan } from "../text/index.ts";
import type { ReadOptions } from "./format.ts";
import type { Fail } from "./rows.ts";

export interface EntityRules extends Pick<ReadOptions, "strict" | "flat"> {
  /** One span may have several types. */
  readonly severalTypes?: boolean;
}

/** Sorts entities and checks them against one another: nothing twice, no two types on a span, no overlap, as the rules say. */
export function checkedEntities(entities: readonly Entity[], rules: EntityRules, fail: Fail): Entity[] {
  const kept: Entity[] = [];
  let furthest: Entity | undefined;
  for (const entity of [...entities].sort(compareEntities)) {
    const previous = kept.at(-1);
    if (previous !== undefined && sameSpan(previous, entity)) {
      if (previous.type !== entity.type && !rules.severalTypes) {
        fail(`one span has two types: ${describe(previous)} and ${describe(entity)}`);
      }
      if (previous.type === entity.type) {
        if (rules.strict) fail(`an entity stands twice: ${describe(entity)}`);
        continue;
      }
    }
    if (rules.flat && furthest !== undefined && entity.start < furthest.end) {
      fail(`entities must not overlap: ${describe(furthest)} and ${describe(entity)}`);
    }
    if (furthest === undefined || entity.end > furthest.end) furthest = entity;
    kept.push(entity);
  }
  return kept;
}

function describe({ type, start, end }: Entity): string {
  return `${type} [${start}, ${end})`;
}
