import { stat } from "node:fs/promises";
import type { OpenDocuments, ReadOptions } from "../formats/index.ts";
import { type Block, blockSize, blocksOf, inputFiles } from "../queue/index.ts";
import { inputFile, openDocuments } from "./reading.ts";

/** An input to be read once: document by document, or in the blocks in which several machines would read it. */
export interface Input extends OpenDocuments {
  blocks(): AsyncIterable<Block>;
}

/** The inputs that a flag names: standard input, a file, or all files of a pattern, one after the other. */
export async function openInputs(
  text: string,
  options: ReadOptions,
  fallback?: string,
): Promise<readonly [Input, ...Input[]]> {
  const { path, format } = inputFile(text, options.format);
  const named = { ...options, format };
  const inputs: Input[] = [];
  for (const file of path === "-" ? [path] : await inputFiles(path))
    inputs.push(await openInput(file, named, fallback));
  return inputs as [Input, ...Input[]];
}

async function openInput(file: string, options: ReadOptions, fallback: string | undefined): Promise<Input> {
  const { format, documents } = await openDocuments(file, options, fallback);
  const size = file === "-" ? 0 : await sizeOf(file);
  async function* blocks(): AsyncGenerator<Block, void, undefined> {
    if (size <= blockSize) yield documents;
    else yield* blocksOf({ file, format: format.name, start: 0, end: size }, options);
  }
  return { format, documents, blocks };
}

/** Bytes of a file; of what can be read once, and of what is not there, none. */
async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() ? found.size : 0;
}
