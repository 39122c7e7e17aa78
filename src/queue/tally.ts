type Ending = "done" | "failed" | "returned";

/** What a worker has done since it started. */
export interface WorkerTally {
  /** Jobs by kind and how they ended. */
  readonly jobs: readonly { readonly kind: string; readonly ending: Ending; readonly count: number }[];
  readonly documents: number;
  readonly busy: number;
  readonly seconds: number;
  readonly peak: number;
}

/** One job while it is done. */
export interface Counted {
  /** Hears what the job tells; whether it was a number of documents, which is counted and goes no further. */
  see(record: unknown): boolean;
  end(ending: Ending, memory?: number): void;
}

export interface Tally {
  begin(kind: string): Counted;
  /** Most bytes that the process of a job has taken. */
  peak(): number;
  /** For the others: jobs at hand, documents so far and in a second since the last call. */
  now(): { readonly busy: number; readonly documents: number; readonly rate: number };
  all(): WorkerTally;
}

export function workerTally(clock: () => number = Date.now): Tally {
  const jobs = new Map<string, { kind: string; ending: Ending; count: number }>();
  let [documents, busy, peak, milliseconds] = [0, 0, 0, 0];
  let last = { documents: 0, time: clock() };
  return {
    begin(kind) {
      const started = clock();
      let seen = 0;
      busy++;
      return {
        see(record) {
          const count = (record as { readonly documents?: unknown } | null)?.documents;
          if (typeof count !== "number") return false;
          documents += count - seen;
          seen = count;
          return true;
        },
        end(ending, memory = 0) {
          busy--;
          milliseconds += clock() - started;
          peak = Math.max(peak, memory);
          const key = `${kind} ${ending}`;
          const found = jobs.get(key) ?? { kind, ending, count: 0 };
          found.count++;
          jobs.set(key, found);
        },
      };
    },
    peak: () => peak,
    now() {
      const time = clock();
      const rate = Math.round((1000 * (documents - last.documents)) / Math.max(1, time - last.time));
      last = { documents, time };
      return { busy, documents, rate };
    },
    all: () => ({ jobs: [...jobs.values()], documents, busy, seconds: milliseconds / 1000, peak }),
  };
}
