import { existsSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { type SteadyChild, startSteadyChild } from "../util/steady-child.ts";
import { startFolder } from "./allowed-folders.ts";
import type { SlotOrders, SlotResult } from "./slot-process.ts";

export type SlotJob = Pick<SlotOrders, "kind" | "orders" | "folder">;
/** What is the same for all jobs of a worker. */
export type SlotSettings = Pick<SlotOrders, "worker" | "threads" | "allowed" | "address">;

export interface SlotOptions {
  readonly signal: AbortSignal;
  readonly see: (record: unknown) => void;
}

/** Processes that do jobs: as many as there are jobs at a time, kept for the next one. */
export interface Slots {
  perform(job: SlotJob, options: SlotOptions): Promise<{ readonly result: unknown; readonly memory: number }>;
  /** Ends the processes that do nothing, and waits for them. */
  close(): Promise<void>;
}

interface Slot {
  readonly child: SteadyChild;
  readonly folder: string;
}

export function openSlots(settings: SlotSettings): Slots {
  const idle: Slot[] = [];
  const take = (folder: string): Slot => {
    for (let at = idle.length - 1; at >= 0; at--) {
      const slot = idle[at]!;
      if (slot.child.isAlive() && slot.folder !== folder) continue;
      idle.splice(at, 1);
      if (slot.child.isAlive()) return slot;
    }
    // One that was opened elsewhere makes room.
    void idle.shift()?.child.end();
    // A folder that this machine does not have is refused by the process, in words.
    const start = startFolder(folder, settings.allowed);
    const cwd = existsSync(start) ? start : undefined;
    return { child: startSteadyChild(slotScript(), { cwd, nodeFlags: flagsFor(settings) }), folder };
  };
  return {
    async perform(job, options) {
      const slot = take(job.folder);
      let isSteady = false;
      try {
        const told: SlotOrders = { ...job, ...settings };
        const { result, memory } = await slot.child.work<unknown, SlotResult>(told, options);
        isSteady = result.steady;
        return { result: result.result, memory };
      } finally {
        // What failed may have left anything open behind it.
        if (isSteady) idle.push(slot);
        else void slot.child.end();
      }
    },
    async close() {
      await Promise.all(idle.splice(0).map(({ child }) => child.end()));
    },
  };
}

/** Node tidies its memory in threads beside the work; a slot of one thread leaves the other cores to the other slots. */
function flagsFor({ threads }: SlotSettings): readonly string[] {
  return threads === 1 ? ["--single-threaded-gc"] : [];
}

function slotScript(): URL {
  return new URL(`./slot-process${extname(fileURLToPath(import.meta.url))}`, import.meta.url);
}
