import type { QueueClient } from "../queue/index.ts";
import { packageVersion } from "../util/version.ts";
import { note } from "./output.ts";
import { grouped, progress } from "./progress.ts";
import { plural } from "./watch.ts";

export interface WatchedWorkers {
  update(done: number, setAside: number): void;
  finish(): void;
}

/** Milliseconds between two looks at the workers. */
const interval = 1000;
/** Milliseconds after which somebody who waits for workers is told that there are none. */
const patience = 5000;

/** Shows how far work on the queue is: jobs, documents in a second, the time left, the workers that are alive. */
export function watchWorkers(
  client: Pick<QueueClient, "workers">,
  { title, unit, total, quiet }: { title: string; unit: string; total: number; quiet: boolean | undefined },
): WatchedWorkers {
  let state: { done: number; setAside: number } | undefined;
  let bar: ReturnType<typeof progress> | undefined;
  let isWarned = false;
  const started = Date.now();
  const show = async (): Promise<void> => {
    const all = await client.workers();
    const own = all.filter(({ version }) => version === packageVersion());
    const rate = own.reduce((sum, worker) => sum + worker.rate, 0);
    const resting = own.filter((worker) => worker.resting !== undefined);
    const { done = 0, setAside = 0 } = state ?? {};
    const details = [
      ...(rate > 0 ? [`${grouped(rate)} documents/s`] : []),
      plural(own.length, "worker"),
      ...(resting.length > 0 ? [`${resting.length} resting (${resting[0]!.resting})`] : []),
      ...(setAside > 0 ? [`${grouped(setAside)} set aside`] : []),
    ];
    bar?.update(done, details.join(", "));
    if (own.length > 0 || quiet || isWarned || Date.now() - started < patience) return;
    isWarned = true;
    const others = all.length > 0 ? ` of this version (${plural(all.length, "worker")} of another)` : "";
    note(`no worker is alive${others}; start some: lacuna worker --queue URL`);
  };
  const timer = setInterval(() => void show().catch(() => {}), interval);
  timer.unref();
  return {
    update(done, setAside) {
      bar ??= progress(title, { unit, total, before: done, quiet });
      state = { done, setAside };
    },
    finish() {
      clearInterval(timer);
      bar?.finish();
    },
  };
}
