import { stat } from "node:fs/promises";
import { formats, type OpenDocuments, openPart, type ReadOptions } from "../formats/index.ts";
import { cutFile, inputFiles } from "../queue/index.ts";
import { inputFile, openDocuments } from "./reading.ts";
import { defaultShardSize } from "./sharding.ts";

/**
 * The inputs that a flag names: standard input, a file, or all files of a pattern, one after the other. A large file comes
 * in the shards that several machines would do, so that it does not matter to the output how many there are.
 */
export async function openInputs(
  text: string,
  options: ReadOptions,
  fallback?: string,
): Promise<readonly [OpenDocuments, ...OpenDocuments[]]> {
  if (text === "-") return [await openDocuments(text, options, fallback)];
  const { path, format } = inputFile(text, options.format);
  const opened: OpenDocuments[] = [];
  for (const file of await inputFiles(path)) {
    const named = { ...options, format };
    if (!(await isLarge(file))) opened.push(await openDocuments(file, named, fallback));
    else
      for (const shard of await cutFile(file, { ...named, fallback, size: defaultShardSize }))
        opened.push(await openPart(file, shard, formats, { ...named, format: shard.format }));
  }
  return opened as [OpenDocuments, ...OpenDocuments[]];
}

async function isLarge(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() === true && found.size > defaultShardSize;
}
