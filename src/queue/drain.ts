import type { QueueAddress } from "./address.ts";
import { openEngine } from "./engine.ts";
import { askToDrain, workersAlive } from "./fleet.ts";

/** Asks a worker, or all, to finish what they do and end; the names of those that were asked. */
export async function drainWorkers(address: QueueAddress, name?: string | undefined): Promise<string[]> {
  const { connect } = await openEngine(address);
  const redis = connect();
  try {
    const alive = (await workersAlive(redis)).map((worker) => worker.name);
    await askToDrain(redis, name);
    return name === undefined ? alive : alive.filter((each) => each === name);
  } finally {
    redis.disconnect();
  }
}
