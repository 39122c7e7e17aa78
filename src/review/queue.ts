import type { History } from "./history.ts";
import type { Filter, Item, Kind, Status } from "./model.ts";

/** A suspicion in the list. */
export interface Row {
  readonly item: number;
  readonly kind: Kind;
  readonly type: string;
  readonly text: string;
  readonly status: Status;
}

export interface QueuePage {
  /** How many suspicions the filter lets pass. */
  readonly total: number;
  readonly from: number;
  readonly rows: readonly Row[];
}

/** The suspicions in the order of the audit, as far as a filter lets them pass. */
export interface Queue {
  page(filter: Filter, from: number, count: number): QueuePage;
  /** Where an item stands among those that pass; missing when it does not. */
  position(filter: Filter, item: number): number | undefined;
  /** The next item in a direction that passes, or the next open one, searched to the end and then from the beginning. */
  step(filter: Filter, from: number, direction: 1 | -1, openOnly: boolean): number | undefined;
}

/** More of a surface than a list can show. */
const longestRow = 120;

export function queue(items: readonly Item[], history: Pick<History, "status" | "sequence">): Queue {
  const statusOf = history.status;
  /** Items by what does not change; asked again and again for the same filter. */
  const passing = lastOf(
    ({ kind, type, search }: Filter) => JSON.stringify([kind, type, search]),
    (filter) => matching(items, filter),
  );
  /** A page, a position and a step between two decisions share one list. */
  const listed = lastOf(
    (filter: Filter) => JSON.stringify([filter, filter.status === undefined ? 0 : history.sequence]),
    (filter) => {
      const { status } = filter;
      if (status === undefined) return passing(filter);
      const fits = (found: Status): boolean => (status === "decided" ? found !== "open" : found === status);
      return passing(filter).filter((item) => fits(statusOf(item)));
    },
  );
  return {
    page(filter, from, count) {
      const list = listed(filter);
      const rows = list.slice(from, from + count).map((item): Row => {
        const { kind, type, text } = items[item - 1]!;
        return { item, kind, type, text: shortened(text), status: statusOf(item) };
      });
      return { total: list.length, from, rows };
    },
    position(filter, item) {
      const list = listed(filter);
      const at = firstFrom(list, item);
      return list[at] === item ? at : undefined;
    },
    step(filter, from, direction, openOnly) {
      const list = openOnly ? passing(filter) : listed(filter);
      const isWanted = (item: number): boolean => !openOnly || statusOf(item) === "open";
      const at = firstFrom(list, from);
      if (direction < 0) {
        for (let i = at - 1; i >= 0; i--) if (isWanted(list[i]!)) return list[i];
        return undefined;
      }
      const start = list[at] === from ? at + 1 : at;
      for (let i = start; i < list.length; i++) if (isWanted(list[i]!)) return list[i];
      if (openOnly) for (let i = 0; i < at; i++) if (isWanted(list[i]!)) return list[i];
      return undefined;
    },
  };
}

/** Keeps the last list, and makes another only when its key is another. */
function lastOf(
  keyOf: (filter: Filter) => string,
  make: (filter: Filter) => readonly number[],
): (filter: Filter) => readonly number[] {
  let known: { readonly key: string; readonly list: readonly number[] } | undefined;
  return (filter) => {
    const key = keyOf(filter);
    if (known?.key !== key) known = { key, list: make(filter) };
    return known.list;
  };
}

function matching(items: readonly Item[], { kind, type, search = "" }: Filter): readonly number[] {
  const wanted = search.trim().toLowerCase();
  const found: number[] = [];
  for (const [i, item] of items.entries()) {
    if (kind !== undefined && item.kind !== kind) continue;
    if (type !== undefined && item.type !== type && item.given?.type !== type) continue;
    if (wanted === "" || isFound(item, wanted)) found.push(i + 1);
  }
  return found;
}

function isFound({ text, document }: Item, wanted: string): boolean {
  return text.toLowerCase().includes(wanted) || String(document).toLowerCase().includes(wanted);
}

/** The first place of a rising list whose number is at least so large. */
function firstFrom(list: readonly number[], least: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

function shortened(text: string): string {
  if (text.length <= longestRow) return text;
  const cut = text.slice(0, longestRow);
  // Not between the halves of a character.
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
