import { formats, openPart, type ReadOptions } from "../formats/index.ts";
import type { Document } from "../text/index.ts";
import { cutShard, type Shard } from "./cut-file.ts";

/** Documents that may go through a model together. */
export type Block = AsyncIterable<Document>;

/**
 * Bytes of a block. The last digit of a score depends on the sentences that go through the model beside it, so these must be
 * the same whatever the shards: models see blocks of files, and shards are made of whole blocks.
 */
export const blockSize = 1 << 16;

/** The documents of a shard, block by block; `origin` is where the file begins in the one that was planned. */
export async function* blocksOf(
  shard: Shard,
  reading: ReadOptions,
  origin = 0,
): AsyncGenerator<Block, void, undefined> {
  for await (const range of cutShard(shard, { size: blockSize, encoding: reading.encoding, origin }))
    yield (await openPart(shard.file, range, formats, { ...reading, format: shard.format })).documents;
}

/** A size of shards that are made of whole blocks. */
export function wholeBlocks(size: number): number {
  return Math.ceil(size / blockSize) * blockSize;
}

/** The documents of all blocks that are to be kept, for work that looks at each by itself. */
export async function* documentsOf(
  blocks: AsyncIterable<Block>,
  isKept: (document: Document) => boolean,
): AsyncGenerator<Document, void, undefined> {
  for await (const block of blocks) for await (const document of block) if (isKept(document)) yield document;
}
