/** Milliseconds between two words of a job on how far it is: the worker passes them on every two seconds. */
const interval = 500;

/** Tells how many documents have gone through, now and then: a message for each would take longer than short ones do. */
export interface DocumentTeller {
  seen(documents: number): void;
  /** Tells what was not told yet. */
  finish(): void;
}

export function documentTeller(tell: (record: unknown) => void, clock: () => number = Date.now): DocumentTeller {
  let [count, told, last] = [0, 0, clock()];
  const finish = (): void => {
    if (count > told) tell({ documents: count });
    told = count;
  };
  return {
    seen(documents) {
      count = documents;
      const now = clock();
      if (now - last < interval) return;
      last = now;
      finish();
    },
    finish,
  };
}
