import { readFileSync } from "node:fs";

/**
 * Seconds that a process and its children have worked, where the system tells. Beside other work on the machine this is
 * what can be compared: the time that passes also says who had more threads in the queue.
 */
export function workOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean);
    // User and system time, in hundredths of a second.
    const own = (Number(fields[11]) + Number(fields[12])) / 100;
    return children.reduce((sum, child) => sum + workOf(Number(child)), own);
  } catch {
    return Number.NaN;
  }
}
