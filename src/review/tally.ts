import type { Item, Status } from "./model.ts";

/** How many suspicions have each status, and the sum of their scores. */
export interface Tally {
  readonly counts: Readonly<Record<Status, number>>;
  readonly scores: Readonly<Record<Status, number>>;
  /** Lets the statuses of some items change, and counts them anew: the others cost nothing. */
  during(concerned: readonly number[], change: () => void): void;
}

export function tally(items: readonly Item[], statusOf: (item: number) => Status): Tally {
  const counts = { open: 0, accept: 0, reject: 0, unsure: 0 };
  const scores = { open: 0, accept: 0, reject: 0, unsure: 0 };
  const count = (item: number, by: 1 | -1): void => {
    const status = statusOf(item);
    counts[status] += by;
    scores[status] += by * items[item - 1]!.score;
  };
  for (let item = 1; item <= items.length; item++) count(item, 1);
  return {
    counts,
    scores,
    during(concerned, change) {
      for (const item of concerned) count(item, -1);
      try {
        change();
      } finally {
        for (const item of concerned) count(item, 1);
      }
    },
  };
}
