import { alone } from "../util/lock.ts";
import { execute, type Measured } from "./execute.ts";
import type { RunOrders, ToldRecord } from "./run-study.ts";

/** Does a run in its folder, alone, and tells how it goes. */
export function executeRun(
  { run, options }: RunOrders,
  tell: (record: ToldRecord) => Promise<void>,
  signal: AbortSignal,
): Promise<Measured> {
  const watched = async (): Promise<Measured> => {
    const running = execute(run, { ...options, signal });
    for (;;) {
      const { done, value } = await running.next();
      if (done) return value;
      if (value.kind !== "step") await tell(value);
    }
  };
  return alone(options.directory, watched, { signal });
}
