import { localTagger } from "./local-tagger.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { processTagger } from "./process-tagger.ts";
import { type ModelOptions, ModelUnavailable, type Tagged, type Tagger, type TagJob } from "./tagger.ts";

export interface ServedModelOptions extends ModelOptions {
  readonly name: string;
  /** Processes that have the model open; 0 puts it into the process of the server. */
  readonly workers: number;
}

/** A model that requests can name, with everything that tags for it. */
export interface ServedModel {
  readonly name: string;
  types(): readonly string[];
  /** How many of its workers are ready. */
  ready(): number;
  tag(job: TagJob, signal: AbortSignal): Promise<Tagged>;
  /** Opens the model anew; requests go to the old one until the new one is ready. Throws, and changes nothing, if it is not. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds before a worker that died is started again: longer each time it does not come up. */
const restartAfter = { first: 500, most: 30_000 } as const;

/** Opens a model. Throws when it cannot be opened. */
export async function serveModel(options: ServedModelOptions, log: Log, metrics: Metrics): Promise<ServedModel> {
  const { name, workers } = options;
  let taggers: readonly Tagger[] = [];
  let types: readonly string[] = [];
  let isClosed = false;
  const dead = new WeakSet<Tagger>();
  const retired = new Set<Promise<void>>();

  async function openAll(): Promise<Tagger[]> {
    const opened = await Promise.allSettled(Array.from({ length: Math.max(1, workers) }, open));
    const ready = opened.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    const failure = opened.find((each) => each.status === "rejected");
    if (failure === undefined) return ready;
    await Promise.all(ready.map((tagger) => tagger.close()));
    throw failure.reason;
  }

  async function open(): Promise<Tagger> {
    const batch = metrics.batchOf(name);
    if (workers === 0) return localTagger(options, batch);
    let tagger: Tagger | undefined;
    const lost = (ending: string): void => {
      if (isClosed) return;
      log.error("a worker died", { model: name, ending });
      if (tagger !== undefined) bury(tagger);
    };
    tagger = await processTagger(options, { batch, lost });
    return tagger;
  }

  function use(fresh: readonly Tagger[]): void {
    taggers = fresh;
    types = fresh[0]!.types;
    // One may have died while others were opened.
    for (const tagger of fresh) if (dead.has(tagger)) bury(tagger);
  }

  function bury(tagger: Tagger): void {
    dead.add(tagger);
    if (!taggers.includes(tagger)) return;
    taggers = taggers.filter((each) => each !== tagger);
    startAgain(restartAfter.first);
  }

  function startAgain(delay: number): void {
    setTimeout(async () => {
      if (isClosed || taggers.length >= workers) return;
      try {
        const tagger = await open();
        if (isClosed || taggers.length >= workers) return await tagger.close();
        taggers = [...taggers, tagger];
        log.info("a worker was started again", { model: name });
      } catch {
        log.error("a worker cannot be started again", { model: name, again: Math.min(restartAfter.most, 2 * delay) });
        startAgain(Math.min(restartAfter.most, 2 * delay));
      }
    }, delay).unref();
  }

  use(await openAll());
  return {
    name,
    types: () => types,
    ready: () => taggers.length,
    tag(job, signal) {
      if (taggers.length === 0) return Promise.reject(new ModelUnavailable());
      return taggers.reduce((least, each) => (each.load < least.load ? each : least)).tag(job, signal);
    },
    async reload() {
      const fresh = await openAll();
      const old = taggers;
      use(fresh);
      const closed = Promise.all(old.map((tagger) => tagger.close())).then(() => {});
      retired.add(closed);
      closed.finally(() => retired.delete(closed));
    },
    async close() {
      isClosed = true;
      await Promise.all([...taggers.map((tagger) => tagger.close()), ...retired]);
    },
  };
}
