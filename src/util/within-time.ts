import { createContext, Script } from "node:vm";

const script = new Script("work()");

/** The work took too long and was stopped. */
export class TimeExceeded extends Error {}

/** Does work that may take for ever, such as matching a pattern from a file, and stops it after so many milliseconds. */
export function withinTime<T>(milliseconds: number, work: () => T): T {
  let result: { readonly value: T } | undefined;
  const context = createContext({
    work() {
      result = { value: work() };
    },
  });
  try {
    script.runInContext(context, { timeout: milliseconds });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") throw new TimeExceeded();
    throw error;
  }
  return result!.value;
}
