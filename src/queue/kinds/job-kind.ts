import type { Blobs } from "../blobs.ts";

/** What a job is told beside its orders. */
export interface JobContext {
  readonly signal: AbortSignal;
  /** The worker's name: work that two workers may do at once, because one was taken for dead, keeps apart by it. */
  readonly worker: string;
  readonly threads: number;
  tell(record: unknown): void;
  /** Bytes that went over the queue. */
  blobs(): Promise<Blobs>;
  /** A folder of this process, gone when it ends. */
  scratch(): Promise<string>;
  /** Refuses what names files outside the folders that the worker was given; the orders themselves have passed. */
  assertAllowed(value: unknown): Promise<void>;
}

/**
 * A kind of work that a worker can do. Whatever it does is done again when a worker dies, and may be done by two workers at
 * once: it must end with the same files.
 */
export interface JobKind {
  /** Whether a process may go on with another job of this kind: trainings leave memory behind. */
  readonly steady: boolean;
  work(orders: unknown, context: JobContext): Promise<unknown>;
}
