/** Work for one worker, as it stands on the queue. */
export interface QueuedJob {
  /** A name of the table of job kinds. */
  readonly kind: string;
  /** What tells it from any other work: the same work is never on the queue twice. */
  readonly key: string;
  /** Plain JSON; every path in it is absolute, or begins in `folder`. */
  readonly orders: unknown;
  /** The folder that the command was given in; empty where all paths are absolute. */
  readonly folder: string;
}

/** Work that was set aside: it failed too often, or no worker may do it. */
export class JobFailure extends Error {}
