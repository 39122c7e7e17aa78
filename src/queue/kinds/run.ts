import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { executeRun, type RunOrders } from "../../studies/index.ts";
import { makeFolder } from "../../util/make-folder.ts";
import type { JobKind } from "./job-kind.ts";

/** A training of a study. Each worker trains in a folder of its own, from which a resumed job of it goes on. */
export const run: JobKind = {
  steady: false,
  async work(given, { signal, worker, tell, assertAllowed }) {
    const { run: planned, options } = given as RunOrders;
    const directory = `${options.directory}@${worker}`;
    await assertAllowed(directory);
    await makeFolder(directory);
    const measured = await executeRun(
      { run: planned, options: { ...options, directory } },
      async (record) => tell(record),
      signal,
    );
    // The first that is over stays; another made the same model.
    if (existsSync(options.directory)) await rm(options.directory, { recursive: true, force: true });
    await rename(directory, options.directory).catch(() => rm(directory, { recursive: true, force: true }));
    return measured;
  },
};
