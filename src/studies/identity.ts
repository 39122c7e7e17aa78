import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Settings } from "../training/index.ts";
import type { DataFiles, Masking } from "./grid.ts";

/** What makes two runs the same one, apart from the content of the data. */
export interface Identified {
  readonly settings: Settings;
  readonly files: DataFiles;
  readonly masking: Masking | null;
}

/** SHA-256 of the files of a run. */
export interface DataHashes {
  readonly train: readonly string[];
  readonly dev: string;
  readonly test: string;
}

/** Tells runs apart by what they are asked to do. Threads are left out: results do not depend on them. */
export function identityOf({ settings: { threads, ...settings }, files, masking }: Identified): string {
  return digest(
    JSON.stringify([
      settings,
      files.train.map(({ file, silence, types, part }) => [file, silence, ...(types || part ? [types, part] : [])]),
      files.dev,
      files.test,
      masking && [masking.by, masking.rate, masking.seed],
    ]),
  );
}

/** Tells runs apart also by the content of their data. */
export function keyOf(run: Identified, { train, dev, test }: DataHashes): string {
  return digest(JSON.stringify([identityOf(run), train, dev, test]));
}

/** The hashes of data files, each file read once. */
export class DataHasher {
  private readonly folder: string;
  private readonly known = new Map<string, Promise<string>>();

  constructor(folder: string) {
    this.folder = folder;
  }

  async hashes({ train, dev, test }: DataFiles): Promise<DataHashes> {
    return {
      train: await Promise.all(train.map(({ file }) => this.hash(file))),
      dev: await this.hash(dev),
      test: await this.hash(test),
    };
  }

  private hash(file: string): Promise<string> {
    const known = this.known.get(file) ?? hashFile(join(this.folder, file));
    this.known.set(file, known);
    return known;
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
