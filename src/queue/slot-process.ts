/** The process of one slot of a worker: does jobs one after the other. */
import { serveSteadily } from "../util/steady-child.ts";
import { assertAllowed as assertWithinFolders } from "./allowed-folders.ts";
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
}

serveSteadily<SlotOrders, unknown, SlotResult>(async (told, tell, signal) => {
  const { kind, orders, folder, allowed, worker, threads } = told;
  const assertAllowed = (value: unknown): Promise<void> => assertWithinFolders(value, folder, allowed);
  await assertAllowed(orders);
  const { work, steady } = await jobKind(kind);
  return { steady, result: await work(orders, { signal, worker, threads, tell, assertAllowed }) };
});

export interface SlotResult {
  /** Whether the process may go on with another job. */
  readonly steady: boolean;
  readonly result: unknown;
}
