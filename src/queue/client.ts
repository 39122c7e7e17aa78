import type { EventEmitter } from "node:events";
import { setTimeout } from "node:timers/promises";
import type { Job, Queue, QueueEvents } from "bullmq";
import type { Redis } from "ioredis";
import { messageOf } from "../util/errors.ts";
import { type QueueAddress, withoutPassword } from "./address.ts";
import { type Blobs, blobStore } from "./blobs.ts";
import { type Engine, openEngine, prefix, queueName } from "./engine.ts";
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

interface Pending {
  readonly job: QueuedJob;
  readonly see: (record: unknown) => void;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Milliseconds between two looks at jobs of which nothing was heard, since a restarted server forgets to tell; and for each
 * job, since looking at thousands of them every other moment would be most of what the server does.
 */
const lookInterval = { least: 2000, each: 5 };
/** Seconds for which the server remembers what became of a job. */
const remembered = { completed: 3600, failed: 86_400 };

export async function openClient(address: QueueAddress, options: ClientOptions): Promise<QueueClient> {
  return new QueueClient(await openEngine(address), options);
}

/** The side of a command: puts jobs on the queue and waits for what becomes of them. */
export class QueueClient {
  /** Bytes on the queue, for machines that share no folder. */
  readonly blobs: Blobs;
  private readonly engine: Engine;
  private readonly options: ClientOptions;
  private readonly connections: readonly [Redis, Redis];
  private readonly queue: Queue;
  private readonly events: QueueEvents;
  private readonly pending = new Map<string, Pending>();
  private readonly takeBack = (): void => void this.takeAllBack();
  private isClosed = false;

  constructor(engine: Engine, options: ClientOptions) {
    this.engine = engine;
    this.options = options;
    this.connections = [engine.connect(), engine.connect()];
    const [connection, listening] = this.connections;
    this.queue = new engine.bullmq.Queue(queueName(), { connection, prefix });
    this.events = new engine.bullmq.QueueEvents(queueName(), { connection: listening, prefix });
    this.blobs = blobStore(connection);
    // Connections come back by themselves; what was missed meanwhile is looked up.
    for (const each of [this.queue, this.events, ...this.connections]) (each as EventEmitter).on("error", () => {});
    this.events.on("completed", ({ jobId, returnvalue }) => this.settle(jobId)?.resolve(returnvalue));
    this.events.on("failed", ({ jobId, failedReason }) => this.settle(jobId)?.reject(this.failure(failedReason)));
    this.events.on("progress", ({ jobId, data }) => this.pending.get(jobId)?.see(data));
    options.signal.addEventListener("abort", this.takeBack, { once: true });
    void this.keepLooking();
  }

  /**
   * Resolves with what the job returns; fails with `JobFailure` when it is set aside. A job that is on the queue already,
   * from a command that was killed, is waited for. `see` hears what the worker tells while it works.
   */
  async perform<Told, Result>(job: QueuedJob, see: (record: Told) => void = () => {}): Promise<Result> {
    const id = `${job.kind}-${job.key}`;
    const before = await this.find(id);
    // What an earlier command was told is over; what is under way is this work.
    if (before?.finishedOn) await before.remove().catch(() => {});
    this.options.signal.throwIfAborted();
    return new Promise<Result>((resolve, reject) => {
      this.pending.set(id, { job, see, resolve, reject } as unknown as Pending);
      this.add(id, job).catch((error) =>
        this.settle(id)?.reject(this.failure(`it could not be put on the queue: ${messageOf(error)}`)),
      );
    });
  }

  /** The workers that are alive, of any version. */
  workers(): Promise<WorkerStatus[]> {
    return workersAlive(this.connections[0]);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.options.signal.removeEventListener("abort", this.takeBack);
    await Promise.allSettled([this.queue.close(), this.events.close()]);
    for (const connection of this.connections) connection.disconnect();
  }

  private async add(id: string, { kind, orders, folder }: QueuedJob): Promise<void> {
    const { tries = 3, priority = 10 } = this.options;
    const data = { orders, folder };
    await this.queue.add(kind, data, {
      jobId: id,
      attempts: tries,
      backoff: { type: "fixed", delay: 1000 },
      priority,
      removeOnComplete: { age: remembered.completed },
      removeOnFail: { age: remembered.failed },
    });
  }

  private async find(id: string): Promise<Job | undefined> {
    return (await this.engine.bullmq.Job.fromId(this.queue, id)) as Job | undefined;
  }

  /** The job is not waited for any more. */
  private settle(id: string): Pending | undefined {
    const found = this.pending.get(id);
    this.pending.delete(id);
    return found;
  }

  private failure(reason: string): JobFailure {
    return new JobFailure(withoutPassword(reason, this.engine.address));
  }

  private async keepLooking(): Promise<void> {
    while (!this.isClosed) {
      const { least, each } = lookInterval;
      await setTimeout(Math.max(least, each * this.pending.size), undefined, { ref: false });
      if (!this.isClosed) await this.look().catch(() => {});
    }
  }

  /** What became of jobs while nobody told: done, set aside, or gone with a server that kept nothing. */
  private async look(): Promise<void> {
    for (const [id, { job }] of [...this.pending]) {
      const found = await this.find(id);
      if (!this.pending.has(id)) continue;
      if (found === undefined) await this.add(id, job);
      else if (found.finishedOn && (await found.isFailed())) this.settle(id)?.reject(this.failure(found.failedReason));
      else if (found.finishedOn && (await found.isCompleted())) this.settle(id)?.resolve(found.returnvalue);
    }
  }

  /** What has begun is not taken away: its output serves the next command. */
  private async takeAllBack(): Promise<void> {
    const jobs = [...this.pending];
    this.pending.clear();
    await Promise.all(
      jobs.map(async ([id, { reject }]) => {
        const found = await this.find(id).catch(() => undefined);
        await found?.remove().catch(() => {});
        reject(this.options.signal.reason);
      }),
    );
  }
}
