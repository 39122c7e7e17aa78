import { availableParallelism } from "node:os";
import type { Job, Worker } from "bullmq";
import { messageOf } from "../util/errors.ts";
import { packageVersion } from "../util/version.ts";
import { type QueueAddress, withoutPassword } from "./address.ts";
import { type Engine, openEngine, prefix, queueName } from "./engine.ts";
import { isAskedToDrain, leave, now, report, type WorkerStatus } from "./fleet.ts";
import { jobProcessor } from "./process-job.ts";
import { slotCount } from "./slot-count.ts";
import { openSlots } from "./slots.ts";
import { type WorkerTally, workerTally } from "./tally.ts";
import type { WorkerLog } from "./worker-log.ts";

export interface WorkerOptions {
  readonly name: string;
  /** The folders in which jobs may read and write. */
  readonly allowed: readonly string[];
  /** Threads of each job. */
  readonly threads: number;
  /** Jobs at a time; by cores and memory unless given. */
  readonly slots?: number | undefined;
  /** Bytes that all jobs may take together. */
  readonly memory: number;
  /** Seconds after which a worker that says nothing loses its jobs to others. */
  readonly lease: number;
  readonly log: WorkerLog;
}

export interface RunningWorker {
  /** Resolves when it has ended, because it was asked to through the queue or by `stop`. */
  readonly ended: Promise<void>;
  /** Gives back what it is doing, and ends. */
  stop(): void;
  tally(): WorkerTally;
  /** What is on the queue: jobs by state, and workers. */
  queue(): Promise<Readonly<Record<string, number>>>;
}

/** Milliseconds between two words of a worker. */
const beat = 2000;
/** Milliseconds for which the same complaint about the server is not repeated. */
const quietFor = 60_000;
/** How often a job may be started: beyond that it kills workers, or no machine has room for it. */
const mostStarts = 20;

/** Starts to take jobs. They are done in processes of their own, so that no job can keep the worker from saying that it lives. */
export async function startWorker(address: QueueAddress, options: WorkerOptions): Promise<RunningWorker> {
  const { name, threads, lease, log } = options;
  const engine = await openEngine(address);
  const redis = engine.connect();
  redis.on("error", () => {});
  const started = await now(redis);
  const slots = openSlots({ worker: name, threads, allowed: options.allowed, address });
  const tally = workerTally();
  const stopping = new AbortController();
  const slotsNow = (): number =>
    options.slots ?? slotCount({ cores: availableParallelism(), threads, memory: options.memory, peak: tally.peak() });

  let resting: string | undefined;
  /** A machine that cannot write takes no jobs for a while, or it would spoil all of them. */
  const rest = async (reason: string): Promise<void> => {
    if (resting !== undefined) return;
    resting = reason;
    log("warn", "taking no jobs for a while", { reason, seconds: lease });
    await worker.pause(true);
    setTimeout(() => {
      resting = undefined;
      void worker.resume();
    }, 1000 * lease).unref();
  };
  const process = jobProcessor(engine, { name, slots, tally, signal: stopping.signal, log, rest });
  const worker = takeJobs(engine, process, { ...options, slots: slotsNow() });
  worker.on("completed", () => {
    worker.concurrency = slotsNow();
  });
  const counts = new engine.bullmq.Queue(queueName(), { connection: redis, prefix });
  counts.on("error", () => {});

  let finish: () => void = () => {};
  const asked = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const status = (): WorkerStatus => ({
    name,
    version: packageVersion(),
    slots: worker.concurrency,
    ...tally.now(),
    ...(resting !== undefined && { resting }),
  });
  const beating = setInterval(async () => {
    try {
      await report(redis, status());
      if (await isAskedToDrain(redis, name, started)) finish();
    } catch {
      // The next beat tells.
    }
  }, beat);
  await report(redis, status());
  const ended = asked.then(async () => {
    await worker.close();
    clearInterval(beating);
    await slots.close();
    await leave(redis, name).catch(() => {});
    redis.disconnect();
  });
  return {
    ended,
    stop() {
      stopping.abort(new Error("stopped"));
      finish();
    },
    tally: () => tally.all(),
    queue: () => counts.getJobCounts(),
  };
}

function takeJobs(
  { bullmq, address, connect }: Engine,
  process: (job: Job, token?: string) => Promise<unknown>,
  { name, slots, lease, log }: Pick<WorkerOptions, "name" | "lease" | "log"> & { readonly slots: number },
): Worker {
  const worker = new bullmq.Worker(queueName(), process, {
    connection: connect(),
    prefix,
    name,
    concurrency: slots,
    lockDuration: 1000 * lease,
    stalledInterval: 500 * lease,
    maxStalledCount: mostStarts,
    maxStartedAttempts: mostStarts,
    drainDelay: 2,
    runRetryDelay: 1000,
  });
  const said = new Map<string, number>();
  worker.on("error", (error) => {
    const reason = withoutPassword(messageOf(error), address);
    // A server that is away is tried again several times a second.
    if (Date.now() - (said.get(reason) ?? 0) < quietFor) return;
    said.set(reason, Date.now());
    log("warn", "queue", { reason });
  });
  worker.on("stalled", (id) => log("warn", "job of a worker that went silent is back on the queue", { job: id }));
  return worker;
}
