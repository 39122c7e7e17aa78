import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type FoldOrders, foldFolder, runFold } from "../../training/index.ts";
import { makeFolder } from "../../util/make-folder.ts";
import type { JobKind } from "./job-kind.ts";

/** The model of a fold and its scores, made in a folder of the worker's own and put in place when they are whole. */
export const fold: JobKind = {
  steady: false,
  async work(given, { signal, worker, tell }) {
    const orders = given as FoldOrders;
    const directory = join(orders.directory, `@${worker}`);
    const [made, place] = [foldFolder(directory, orders.fold), foldFolder(orders.directory, orders.fold)];
    // What is whole already is looked at, and refused if it is of other data.
    const isThere = existsSync(join(place, "scores.safetensors"));
    await makeFolder(directory);
    await runFold(isThere ? orders : { ...orders, directory }, tell, signal);
    if (isThere) return null;
    await rm(place, { recursive: true, force: true });
    await rename(made, place);
    return null;
  },
};
