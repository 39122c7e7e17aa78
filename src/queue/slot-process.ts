/** The process of one slot of a worker: does jobs one after the other. */
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import type { Redis } from "ioredis";
import { serveSteadily } from "../util/steady-child.ts";
import { forget, scratchName } from "../util/temporary.ts";
import type { QueueAddress } from "./address.ts";
import { assertAllowed as assertWithinFolders } from "./allowed-folders.ts";
import { type Blobs, blobStore } from "./blobs.ts";
import { openEngine } from "./engine.ts";
import { jobKind } from "./kinds/index.ts";

/** What a slot is told to do. */
export interface SlotOrders {
  readonly kind: string;
  readonly orders: unknown;
  /** The folder in which relative paths begin. */
  readonly folder: string;
  /** The folders in which files may be read and written. */
  readonly allowed: readonly string[];
  readonly worker: string;
  readonly threads: number;
  /** The queue, for what comes over it beside the orders. */
  readonly address: QueueAddress;
}

let redis: Redis | undefined;
let folderOfOwn: string | undefined;

async function blobsAt(address: QueueAddress): Promise<Blobs> {
  redis ??= (await openEngine(address)).connect();
  return blobStore(redis);
}

async function scratch(): Promise<string> {
  if (folderOfOwn === undefined) {
    folderOfOwn = await scratchName(tmpdir());
    await mkdir(folderOfOwn, { mode: 0o700 });
  }
  return folderOfOwn;
}

// An open connection would keep the process alive when nobody needs it.
process.once("disconnect", () => {
  redis?.disconnect();
  if (folderOfOwn !== undefined) void forget(folderOfOwn);
});

serveSteadily<SlotOrders, unknown, SlotResult>(async (told, tell, signal) => {
  const { kind, orders, folder, allowed, worker, threads, address } = told;
  const assertAllowed = (value: unknown): Promise<void> => assertWithinFolders(value, folder, allowed);
  const blobs = (): Promise<Blobs> => blobsAt(address);
  await assertAllowed(orders);
  const { work, steady } = await jobKind(kind);
  return { steady, result: await work(orders, { signal, worker, threads, tell, assertAllowed, scratch, blobs }) };
});

export interface SlotResult {
  /** Whether the process may go on with another job. */
  readonly steady: boolean;
  readonly result: unknown;
}
