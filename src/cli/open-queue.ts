import { openClient, type QueueClient, queueAddress } from "../queue/index.ts";

/** How often work on the queue is tried, and before which other work. */
export interface QueueFlags {
  readonly tries?: number | undefined;
  readonly priority?: number | undefined;
}

/** The queue at an address; its password may stand in the environment, where no list of processes shows it. */
export function openQueue(url: string, { tries, priority }: QueueFlags, signal: AbortSignal): Promise<QueueClient> {
  return openClient(queueAddress(url, process.env.LACUNA_QUEUE_PASSWORD), { tries, priority, signal });
}
