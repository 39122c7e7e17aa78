import type { EventEmitter } from "node:events";
import { setTimeout } from "node:timers/promises";
import type { Job } from "bullmq";
import { messageOf } from "../util/errors.ts";
import { type QueueAddress, withoutPassword } from "./address.ts";
import { type Blobs, blobStore } from "./blobs.ts";
import { openEngine, prefix, queueName } from "./engine.ts";
import { type WorkerStatus, workersAlive } from "./fleet.ts";
import { JobFailure, type QueuedJob } from "./job.ts";

export interface ClientOptions {
  /** When it is aborted, jobs that have not begun are taken back, and all that are waited for fail with its reason. */
  readonly signal: AbortSignal;
  /** Failures after which a job is set aside. */
  readonly tries?: number | undefined;
  /** 1 goes first. */
  readonly priority?: number | undefined;
}

/** The side of a command: puts jobs on the queue and waits for what becomes of them. */
export interface QueueClient {
  /**
   * Resolves with what the job returns; fails with `JobFailure` when it is set aside. A job that is on the queue already,
   * from a command that was killed, is waited for. `see` hears what the worker tells while it works.
   */
  perform<Told, Result>(job: QueuedJob, see?: (record: Told) => void): Promise<Result>;
  workers(): Promise<WorkerStatus[]>;
  /** Bytes on the queue, for machines that share no folder. */
  readonly blobs: Blobs;
  close(): Promise<void>;
}

interface Pending {
  readonly job: QueuedJob;
  readonly see: (record: unknown) => void;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Milliseconds between two looks at jobs of which nothing was heard: a restarted server forgets to tell. */
const lookInterval = 2000;
/** Seconds for which the server remembers what became of a job. */
const remembered = { completed: 3600, failed: 86_400 };

export async function openClient(
  address: QueueAddress,
  { signal, tries = 3, priority = 10 }: ClientOptions,
): Promise<QueueClient> {
  const { bullmq, connect } = await openEngine(address);
  const [redis, listening] = [connect(), connect()];
  const queue = new bullmq.Queue(queueName(), { connection: redis, prefix });
  const events = new bullmq.QueueEvents(queueName(), { connection: listening, prefix });
  // Connections come back by themselves; what was missed meanwhile is looked up.
  for (const each of [queue, events, redis, listening]) (each as EventEmitter).on("error", () => {});
  const pending = new Map<string, Pending>();

  const settle = (id: string, outcome: (job: Pending) => void): void => {
    const found = pending.get(id);
    if (found === undefined) return;
    pending.delete(id);
    outcome(found);
  };
  const failure = (reason: string): JobFailure => new JobFailure(withoutPassword(reason, address));
  events.on("completed", ({ jobId, returnvalue }) => settle(jobId, ({ resolve }) => resolve(returnvalue)));
  events.on("failed", ({ jobId, failedReason }) => settle(jobId, ({ reject }) => reject(failure(failedReason))));
  events.on("progress", ({ jobId, data }) => pending.get(jobId)?.see(data));

  const add = async (id: string, { kind, orders, folder }: QueuedJob): Promise<void> => {
    await queue.add(
      kind,
      { orders, folder },
      {
        jobId: id,
        attempts: tries,
        backoff: { type: "fixed", delay: 1000 },
        priority,
        removeOnComplete: { age: remembered.completed },
        removeOnFail: { age: remembered.failed },
      },
    );
  };
  /** What became of jobs while nobody told: done, set aside, or gone with a server that kept nothing. */
  const look = async (): Promise<void> => {
    for (const [id, { job }] of [...pending]) {
      const found = (await bullmq.Job.fromId(queue, id)) as Job | undefined;
      if (!pending.has(id)) continue;
      if (found === undefined) await add(id, job);
      else if (found.finishedOn && found.failedReason && (await found.isFailed()))
        settle(id, ({ reject }) => reject(failure(found.failedReason)));
      else if (found.finishedOn && (await found.isCompleted())) settle(id, ({ resolve }) => resolve(found.returnvalue));
    }
  };
  let isClosed = false;
  const keepLooking = async (): Promise<void> => {
    while (!isClosed) {
      await setTimeout(lookInterval, undefined, { ref: false });
      if (!isClosed) await look().catch(() => {});
    }
  };
  void keepLooking();

  /** What has begun is not taken away: its output serves the next command. */
  const takeBack = async (): Promise<void> => {
    const jobs = [...pending];
    pending.clear();
    await Promise.all(
      jobs.map(async ([id, { reject }]) => {
        const found = (await bullmq.Job.fromId(queue, id).catch(() => undefined)) as Job | undefined;
        await found?.remove().catch(() => {});
        reject(signal.reason);
      }),
    );
  };
  signal.addEventListener("abort", takeBack, { once: true });

  return {
    async perform<Told, Result>(job: QueuedJob, see: (record: Told) => void = () => {}) {
      const id = `${job.kind}-${job.key}`;
      const before = (await bullmq.Job.fromId(queue, id)) as Job | undefined;
      // What an earlier command was told is over; what is under way is this work.
      if (before?.finishedOn) await before.remove().catch(() => {});
      signal.throwIfAborted();
      return new Promise<Result>((resolve, reject) => {
        const waiting = { job, see, resolve, reject };
        pending.set(id, waiting as unknown as Pending);
        add(id, job).catch((error) =>
          settle(id, () => reject(failure(`it could not be put on the queue: ${messageOf(error)}`))),
        );
      });
    },
    workers: () => workersAlive(redis),
    blobs: blobStore(redis),
    async close() {
      isClosed = true;
      signal.removeEventListener("abort", takeBack);
      await Promise.allSettled([queue.close(), events.close()]);
      redis.disconnect();
      listening.disconnect();
    },
  };
}
