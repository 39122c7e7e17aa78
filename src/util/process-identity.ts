import { createHash, randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/**
 * Names a process so that another one can tell later whether it is still alive: the machine, the process id, and when
 * the process started, because systems use ids again.
 */
export function processIdentity(): string {
  return `${machine()}-${process.pid}-${startOf(process.pid) ?? "0"}`;
}

/** A name for a temporary file or a lock: the process that made it, and something no other name has. */
export function ownName(): string {
  return `${processIdentity()}-${randomBytes(6).toString("hex")}`;
}

/** What `ownName` looks like, for a search in a folder. */
export const ownNamePattern = /[0-9a-f]{8}-\d+-[0-9a-f]+(?:-[0-9a-f]{12})?/;

/** Whether the process that an identity names is alive; `undefined` when it ran on another machine or is no identity. */
export function isAlive(identity: string): boolean | undefined {
  const found = /^([0-9a-f]{8})-(\d{1,10})-([0-9a-f]+)/.exec(identity);
  if (found === null || found[1] !== machine()) return undefined;
  const [id, start] = [Number(found[2]), found[3]!];
  if (!exists(id)) return false;
  const now = startOf(id);
  return now === undefined || start === "0" || now === start;
}

let known: string | undefined;

/** Containers count as machines of their own: the same id means another process there. */
function machine(): string {
  known ??= short(`${hostname()} ${attempt(() => readlinkSync("/proc/self/ns/pid")) ?? ""}`);
  return known;
}

/** When a process started, where the system tells; with the boot, because that time counts from there. */
function startOf(id: number): string | undefined {
  const stat = attempt(() => readFileSync(`/proc/${id}/stat`, "utf8"));
  // The name of the program may hold spaces and brackets; the start is the twentieth field behind it.
  const start = stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  if (start === undefined) return undefined;
  return short(`${start} ${attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")) ?? ""}`);
}

function exists(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    // Somebody else's process is alive too.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function short(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
