/** The process of one run: gets its orders from the process of the study, tells how it goes, and ends with a result. */
import { serveParent } from "../util/child-process.ts";
import { alone } from "../util/lock.ts";
import { execute, type Measured } from "./execute.ts";
import type { RunOrders, ToldRecord } from "./run-study.ts";

serveParent<RunOrders, ToldRecord, Measured>(({ run, options }, tell, signal) => {
  const watched = async (): Promise<Measured> => {
    const running = execute(run, { ...options, signal });
    for (;;) {
      const { done, value } = await running.next();
      if (done) return value;
      if (value.kind !== "step") await tell(value);
    }
  };
  return alone(options.directory, watched, { signal });
});
