import type { Redis } from "ioredis";
import { prefix } from "./engine.ts";

/** What a worker says of itself every few seconds. */
export interface WorkerStatus {
  readonly name: string;
  readonly version: string;
  /** Jobs at a time, and how many there are now. */
  readonly slots: number;
  readonly busy: number;
  /** Documents that have gone through since it started, and in a second of late. */
  readonly documents: number;
  readonly rate: number;
  /** Why it takes no jobs at the moment. */
  readonly resting?: string | undefined;
}

/** Seconds after which a worker that says nothing counts as gone. */
const patience = 15;

const names = `${prefix}:workers`;
const statusKey = (name: string): string => `${prefix}:worker:${name}`;
const drainKey = (name: string): string => `${prefix}:drain:${name}`;
/** Stands for all workers. */
const everyone = "*";

export async function report(redis: Redis, status: WorkerStatus): Promise<void> {
  await redis.sadd(names, status.name);
  await redis.set(statusKey(status.name), JSON.stringify(status), "EX", patience);
}

export async function leave(redis: Redis, name: string): Promise<void> {
  await redis.srem(names, name);
  await redis.del(statusKey(name));
}

/** The workers that are alive, of any version. */
export async function workersAlive(redis: Redis): Promise<WorkerStatus[]> {
  const known = await redis.smembers(names);
  if (known.length === 0) return [];
  const texts = await redis.mget(known.map(statusKey));
  const gone = known.filter((_, i) => texts[i] === null);
  if (gone.length > 0) await redis.srem(names, ...gone);
  return texts.flatMap((text) => (text ? [JSON.parse(text) as WorkerStatus] : []));
}

/** Asks a worker, or all that there are now, to finish what they do and end. */
export async function askToDrain(redis: Redis, name = everyone): Promise<void> {
  await redis.set(drainKey(name), await now(redis), "EX", 86_400);
}

/** Whether a worker that started at a time of the server has been asked to end since. */
export async function isAskedToDrain(redis: Redis, name: string, started: number): Promise<boolean> {
  const asked = await redis.mget(drainKey(name), drainKey(everyone));
  return asked.some((time) => time !== null && Number(time) > started);
}

/** Milliseconds by the clock of the server, which is the same for everybody. */
export async function now(redis: Redis): Promise<number> {
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
}
