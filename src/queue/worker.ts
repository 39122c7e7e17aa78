import { availableParallelism } from "node:os";
import type { Job, Worker } from "bullmq";
import { messageOf } from "../util/errors.ts";
import { machineErrors } from "../util/output-target.ts";
import { packageVersion } from "../util/version.ts";
import { type QueueAddress, withoutPassword } from "./address.ts";
import { forbidden } from "./allowed-folders.ts";
import { openEngine, prefix, queueName } from "./engine.ts";
import { isAskedToDrain, leave, now, report, type WorkerStatus } from "./fleet.ts";
import { slotCount } from "./slot-count.ts";
import { openSlots } from "./slots.ts";
import { type WorkerTally, workerTally } from "./tally.ts";

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

export type WorkerLog = (
  level: "info" | "warn" | "error",
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void;

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
  const { bullmq, connect } = await openEngine(address);
  const redis = connect();
  redis.on("error", () => {});
  const slots = openSlots({ worker: name, threads, allowed: options.allowed, address });
  const tally = workerTally();
  const stopping = new AbortController();
  const concurrency = (): number =>
    options.slots ?? slotCount({ cores: availableParallelism(), threads, memory: options.memory, peak: tally.peak() });
  let resting: string | undefined;

  const perform = async (job: Job, token?: string): Promise<unknown> => {
    const { orders, folder } = job.data as { readonly orders: unknown; readonly folder: string };
    const counted = tally.begin(job.name);
    const see = (record: unknown): void => {
      counted.see(record);
      if (!isCount(record)) job.updateProgress(record as object).catch(() => {});
    };
    try {
      const { result, memory } = await slots.perform(
        { kind: job.name, orders, folder },
        { signal: stopping.signal, see },
      );
      counted.end("done", memory);
      worker.concurrency = concurrency();
      return result;
    } catch (error) {
      return await giveUp(error, job, token, counted);
    }
  };
  /** A job that failed is tried again; one that could not be done here for no fault of its own goes back as it was. */
  const giveUp = async (
    error: unknown,
    job: Job,
    token: string | undefined,
    counted: ReturnType<typeof tally.begin>,
  ) => {
    const reason = withoutPassword(messageOf(error), address);
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (stopping.signal.aborted) {
      counted.end("returned");
      await job.moveToDelayed(Date.now(), token);
      throw new bullmq.DelayedError();
    }
    if (machineErrors.has(code)) {
      counted.end("returned");
      await rest(`${code}: ${reason}`);
      await job.moveToDelayed(Date.now() + 1000, token);
      throw new bullmq.DelayedError();
    }
    counted.end("failed");
    log("error", "job failed", { job: job.id, attempt: job.attemptsMade + 1, reason });
    const said = new Error(`worker ${name}: ${reason}`);
    throw code === forbidden ? new bullmq.UnrecoverableError(said.message) : said;
  };
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

  const started = await now(redis);
  const worker: Worker = new bullmq.Worker(queueName(), perform, {
    connection: connect(),
    prefix,
    name,
    concurrency: concurrency(),
    lockDuration: 1000 * lease,
    stalledInterval: 500 * lease,
    maxStalledCount: mostStarts,
    maxStartedAttempts: mostStarts,
    drainDelay: 2,
    runRetryDelay: 1000,
  });
  worker.on("error", (error) => tellOnce(withoutPassword(messageOf(error), address)));
  worker.on("stalled", (id) => log("warn", "job of a worker that went silent is back on the queue", { job: id }));

  /** A server that is away is tried again several times a second. */
  const said = new Map<string, number>();
  const tellOnce = (reason: string): void => {
    if (Date.now() - (said.get(reason) ?? 0) < quietFor) return;
    said.set(reason, Date.now());
    log("warn", "queue", { reason });
  };
  const counts = new bullmq.Queue(queueName(), { connection: redis, prefix });
  counts.on("error", () => {});

  const status = (): WorkerStatus => ({
    name,
    version: packageVersion(),
    slots: worker.concurrency,
    ...tally.now(),
    ...(resting !== undefined && { resting }),
  });
  let finish: () => void = () => {};
  const asked = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const beating = setInterval(async () => {
    try {
      await report(redis, status());
      if (await isAskedToDrain(redis, name, started)) {
        log("info", "asked to finish and end");
        finish();
      }
    } catch {
      // The next beat tells.
    }
  }, beat);
  await report(redis, status());
  const ended = asked.then(async () => {
    clearInterval(beating);
    await worker.close();
    slots.close();
    await counts.close();
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

/** Word of how many documents have gone through, which stays with the worker. */
function isCount(record: unknown): record is { readonly documents: number } {
  return typeof (record as { documents?: unknown } | null)?.documents === "number";
}
