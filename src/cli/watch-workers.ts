import type { QueueClient, WorkerStatus } from "../queue/index.ts";
import { packageVersion } from "../util/version.ts";
import { note } from "./output.ts";
import { grouped, type Progress, progress } from "./progress.ts";
import { plural } from "./watch.ts";

export interface WatchedWorkers {
  update(done: number, setAside: number): void;
  finish(): void;
}

/** Milliseconds between two looks at the workers. */
const interval = 1000;
/** Milliseconds after which somebody who waits for workers is told that there are none. */
const patience = 5000;

/** Says once that nobody works, when that has been so for a while; returns what stops looking. */
export function noteWhenAlone(client: Pick<QueueClient, "workers">, quiet: boolean | undefined): () => void {
  if (quiet) return () => {};
  const timer = setTimeout(async () => {
    const all = await client.workers().catch(() => undefined);
    if (all === undefined || all.some(({ version }) => version === packageVersion())) return;
    const others = all.length > 0 ? ` of this version (${plural(all.length, "worker")} of another)` : "";
    note(`no worker is alive${others}; start some: lacuna worker --queue URL`);
  }, patience);
  timer.unref();
  return () => clearTimeout(timer);
}

/** Shows how far work on the queue is: jobs, documents in a second, the time left, the workers that are alive. */
export function watchWorkers(
  client: Pick<QueueClient, "workers">,
  { title, unit, total, quiet }: { title: string; unit: string; total: number; quiet: boolean | undefined },
): WatchedWorkers {
  let state = { done: 0, setAside: 0 };
  let bar: Progress | undefined;
  const show = async (): Promise<void> => {
    const workers = (await client.workers()).filter(({ version }) => version === packageVersion());
    bar?.update(state.done, describeWorkers(workers, state.setAside));
  };
  const timer = setInterval(() => void show().catch(() => {}), interval);
  timer.unref();
  const stopLooking = noteWhenAlone(client, quiet);
  return {
    update(done, setAside) {
      bar ??= progress(title, { unit, total, before: done, quiet });
      state = { done, setAside };
    },
    finish() {
      clearInterval(timer);
      stopLooking();
      bar?.finish();
    },
  };
}

/** `1,200 documents/s, 2 workers, 1 resting (ENOSPC: …), 3 set aside` */
export function describeWorkers(workers: readonly WorkerStatus[], setAside: number): string {
  const rate = workers.reduce((sum, worker) => sum + worker.rate, 0);
  const resting = workers.flatMap((worker) => worker.resting ?? []);
  return [
    ...(rate > 0 ? [`${grouped(rate)} documents/s`] : []),
    plural(workers.length, "worker"),
    ...(resting.length > 0 ? [`${resting.length} resting (${resting[0]})`] : []),
    ...(setAside > 0 ? [`${grouped(setAside)} set aside`] : []),
  ].join(", ");
}
