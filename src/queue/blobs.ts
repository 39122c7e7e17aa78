import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { Redis } from "ioredis";
import { InputError } from "../util/errors.ts";
import { prefix } from "./engine.ts";

/** Bytes that go through the server of the queue, by their hash: for machines that share no folder. */
export interface Blobs {
  put(bytes: Buffer): Promise<string>;
  get(hash: string): Promise<Buffer>;
  remove(hash: string): Promise<void>;
}

/** All that is sent at once is in the server's memory. */
const largest = 64 << 20;
/** Seconds for which bytes are kept that nobody removes. */
const remembered = 86_400;

export function blobStore(redis: Redis): Blobs {
  const keyOf = (hash: string): string => `${prefix}:blob:${hash}`;
  return {
    async put(bytes) {
      if (bytes.length > largest)
        throw new InputError(
          `--upload: at most ${largest} bytes are sent in one piece, got ${bytes.length}; share a folder`,
        );
      const hash = createHash("sha256").update(bytes).digest("hex");
      await redis.set(keyOf(hash), await promisify(gzip)(bytes, { level: 1 }), "EX", remembered);
      return hash;
    },
    async get(hash) {
      const packed = await redis.getBuffer(keyOf(hash));
      if (packed === null) throw new InputError(`--upload: the bytes ${hash} are not on the queue any more; plan anew`);
      const bytes = await promisify(gunzip)(packed, { maxOutputLength: largest });
      if (createHash("sha256").update(bytes).digest("hex") === hash) return bytes;
      throw new InputError(`--upload: the bytes ${hash} are damaged`);
    },
    async remove(hash) {
      await redis.del(keyOf(hash));
    },
  };
}
