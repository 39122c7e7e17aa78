import type { Redis } from "ioredis";
import { InputError, messageOf } from "../util/errors.ts";
import { packageVersion } from "../util/version.ts";
import { type QueueAddress, withoutPassword } from "./address.ts";

/** The packages that make the queue, and how to get connections to its server. */
export interface Engine {
  readonly bullmq: typeof import("bullmq");
  readonly address: QueueAddress;
  /** A connection that is made again whenever it breaks. */
  connect(): Redis;
}

/** Keys of the queue begin with this: rights for a user of Redis can be given by it. */
export const prefix = "lacuna";

/** One queue for each version of this package: two versions may not write the same bytes, and never share work. */
export function queueName(): string {
  return `work-${packageVersion()}`;
}

/** Loads the packages of the queue, which are not needed for anything else, and tries the connection once. */
export async function openEngine(address: QueueAddress): Promise<Engine> {
  const [bullmq, ioredis] = await Promise.all([import("bullmq"), import("ioredis")]).catch((error) => {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new InputError(
      "--queue needs packages that are not installed: npm install --ignore-scripts bullmq@6.7 ioredis@5",
    );
  });
  const { host, port, db, username, password, tls } = address;
  const options = {
    host,
    port,
    db,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls && { tls: { servername: host } }),
    connectionName: prefix,
    maxRetriesPerRequest: null,
  };
  const attempt = new ioredis.Redis({ ...options, lazyConnect: true, retryStrategy: () => null });
  let reason: unknown;
  attempt.on("error", (error) => {
    reason = error;
  });
  try {
    await attempt.connect();
    await attempt.ping();
  } catch (error) {
    throw new InputError(
      `--queue: ${address.shown} cannot be used: ${withoutPassword(messageOf(reason ?? error), address)}`,
    );
  } finally {
    attempt.disconnect();
  }
  return {
    bullmq,
    address,
    connect: () => new ioredis.Redis({ ...options, retryStrategy: (times) => Math.min(100 * times, 2000) }),
  };
}
