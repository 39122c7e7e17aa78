import { mkdir, readdir, readFile, realpath, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { writeTextAtomically } from "../util/atomic.ts";
import { InputError } from "../util/errors.ts";
import { withTemporary } from "../util/temporary.ts";

const markName = "demo.json";

/** What the demo leaves in its folder. */
const names = [markName, "report.md", "figure.svg", "figure.png", "plain", "model", "complete"];

/**
 * Lets work fill a folder that takes its name when all is done, and is gone when the work fails. An earlier
 * result of the demo in this place is replaced; anything else is left alone, and refused before the work begins.
 */
export async function inDemoFolder<T>(path: string, work: (folder: string) => Promise<T>): Promise<T> {
  await assertReplaceable(path);
  const target = await realpath(path).catch(() => resolve(path));
  return withTemporary(target, async (temporary) => {
    await mkdir(temporary).catch((error) => {
      const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
      throw missing ? new InputError(`the folder ${dirname(path)} does not exist`, { file: path }) : error;
    });
    const result = await work(temporary);
    await assertReplaceable(path);
    await rm(target, { recursive: true, force: true });
    await rename(temporary, target);
    return result;
  });
}

/** The figures of a demo as JSON; by this file its folder is known again. */
export function writeDemoMark(folder: string, figures: object): Promise<void> {
  return writeTextAtomically(
    join(folder, markName),
    `${JSON.stringify({ made: "lacuna demo", ...figures }, null, 2)}\n`,
  );
}

async function assertReplaceable(path: string): Promise<void> {
  const found = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    if (error.code === "ENOTDIR") throw new InputError("expected a folder to write, got a file", { file: path });
    throw error;
  });
  if (found.length === 0) return;
  const foreign = (await isDemo(path)) ? found.find((name) => !names.includes(name)) : found[0];
  if (foreign === undefined) return;
  throw new InputError(
    `the folder holds files that are not the demo's, such as ${foreign}; choose another with --out`,
    {
      file: path,
    },
  );
}

async function isDemo(path: string): Promise<boolean> {
  const text = await readFile(join(path, markName), "utf8").catch(() => "");
  return text.startsWith('{\n  "made": "lacuna demo"');
}
