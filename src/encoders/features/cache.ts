import { randomUUID } from "node:crypto";
import type { Dirent } from "node:fs";
import { readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { InputError, quote } from "../../util/errors.ts";
import { makeFolder } from "../../util/make-folder.ts";
import { cacheFolder } from "../word-vectors.ts";
import { type Place, Segment, type SegmentEntry, writeSegment } from "./segment.ts";

/** A file of the cache. */
export interface CachedFile {
  readonly path: string;
  /** The part whose values it holds, as its folder is called. */
  readonly part: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly lastUse: number;
}

const ending = ".features";
const usualSize = 20e9;

/** Files that this process reads: it never removes them to make room. */
const inUse = new Set<string>();

/** Below this folder each part has one of its own. */
export function featureFolder(): string {
  return join(cacheFolder(), "features");
}

/** The most bytes that values of frozen parts may take on disk, from `LACUNA_CACHE_SIZE`; 0 keeps them in memory. */
export function cacheLimit(text = process.env.LACUNA_CACHE_SIZE): number {
  if (text === undefined || text === "") return usualSize;
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?) ?([KMGT]?B?)$/i.exec(text.trim()) ?? [];
  if (number === undefined)
    throw new InputError(`LACUNA_CACHE_SIZE: expected a size such as 500MB or 20GB, got ${quote(text)}`);
  return Number(number) * 1000 ** " KMGT".indexOf(unit.charAt(0).toUpperCase().replace(/B|^$/, " "));
}

/** All files of the cache, least recently used first. */
export async function cachedFiles(): Promise<CachedFile[]> {
  const files: CachedFile[] = [];
  for (const part of await entriesOf(featureFolder())) {
    if (!part.isDirectory()) continue;
    for (const { name } of await entriesOf(join(featureFolder(), part.name))) {
      const path = join(featureFolder(), part.name, name);
      const found = await stat(path).catch(() => undefined);
      if (found) files.push({ path, part: part.name, bytes: found.size, lastUse: found.mtimeMs });
    }
  }
  return files.sort((a, b) => a.lastUse - b.lastUse || (a.path < b.path ? -1 : 1));
}

/** Removes everything. Processes that are at work keep what they have open. */
export async function clearCache(): Promise<void> {
  await rm(featureFolder(), { recursive: true, force: true });
}

/**
 * The values of one part on disk. Every process writes files of its own, each as a whole, and finds those of the others. Of a
 * damaged file what is whole is saved.
 */
export class PartCache {
  private readonly folder: string;
  private readonly segments = new Map<string, Segment>();
  private readonly known = new Map<string, Place>();

  /** `name` is that of the part's folder. */
  constructor(name: string) {
    this.folder = join(featureFolder(), name);
  }

  /** Finds files that have come since the last time. */
  async refresh(): Promise<void> {
    const entries = await entriesOf(this.folder).catch((error) => {
      throw describeFailure(error, this.folder);
    });
    for (const entry of entries) {
      const path = join(this.folder, entry.name);
      if (!entry.isFile() || !entry.name.endsWith(ending) || this.segments.has(path)) continue;
      const segment = Segment.open(path);
      if (segment) this.add(segment);
      else await rm(path, { force: true });
    }
  }

  /** Where the values of a key are, if the file that has them is whole. */
  async find(key: string): Promise<Place | undefined> {
    for (let place = this.known.get(key); place !== undefined; place = this.known.get(key)) {
      if (place.segment.readWhole(place)) {
        inUse.add(place.segment.path);
        return place;
      }
      await this.repair(place.segment);
    }
    return undefined;
  }

  read(key: string, target?: Uint16Array): Uint16Array {
    const place = this.known.get(key)!;
    return place.segment.read(place, target);
  }

  has(key: string): boolean {
    return this.known.has(key);
  }

  /** Writes values, after making room for them. */
  async write(entries: readonly SegmentEntry[]): Promise<void> {
    const bytes = entries.reduce((total, { values }) => total + values.byteLength, 0);
    const path = join(this.folder, `${randomUUID()}${ending}`);
    await this.makeRoom(bytes);
    try {
      await makeFolder(this.folder);
      await writeSegment(path, entries);
      inUse.add(path);
      const segment = Segment.open(path);
      if (!segment)
        throw new InputError("feature cache: it was cleared while it was filled; run it again", { file: path });
      this.add(segment.hold());
    } catch (error) {
      throw describeFailure(error, this.folder);
    }
  }

  /** Says that some keys were of use: what others need least goes first when the cache is full. */
  async touch(keys: Iterable<string>): Promise<void> {
    const used = new Set<string>();
    for (const key of keys) used.add(this.known.get(key)!.segment.path);
    const now = new Date();
    for (const path of used) await utimes(path, now, now).catch(() => {});
  }

  close(): void {
    for (const segment of this.segments.values()) {
      segment.close();
      inUse.delete(segment.path);
    }
    this.segments.clear();
    this.known.clear();
  }

  private add(segment: Segment): void {
    this.segments.set(segment.path, segment);
    for (const [key, place] of segment.places) if (!this.known.has(key)) this.known.set(key, place);
  }

  /** Moves what is whole in a damaged file to a new one. */
  private async repair(segment: Segment): Promise<void> {
    await rm(segment.path, { force: true });
    this.segments.delete(segment.path);
    inUse.delete(segment.path);
    const whole: SegmentEntry[] = [];
    for (const [key, place] of segment.places) {
      if (this.known.get(key) !== place) continue;
      this.known.delete(key);
      const values = segment.readWhole(place);
      if (values) whole.push({ key, values });
    }
    segment.close();
    if (whole.length > 0) await this.write(whole);
    // Another file may have the values that are lost.
    for (const other of this.segments.values()) this.add(other);
  }

  /** Removes what was used longest ago, but nothing that this process reads. */
  private async makeRoom(bytes: number): Promise<void> {
    const limit = cacheLimit();
    const files = await cachedFiles();
    let total = files.reduce((sum, file) => sum + file.bytes, bytes);
    for (const { path, bytes: freed } of files) {
      if (total <= limit) return;
      if (inUse.has(path)) continue;
      await rm(path, { force: true }).catch(() => {});
      total -= freed;
    }
    if (total > limit) {
      throw new InputError(
        `feature cache: this data needs more than the ${describeBytes(limit)} that LACUNA_CACHE_SIZE allows; raise it, or set it to 0 to hold everything in memory`,
        { file: featureFolder() },
      );
    }
  }
}

/** `640 MB` */
export function describeBytes(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

function describeFailure(error: unknown, folder: string): unknown {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (["ENOSPC", "EDQUOT", "EFBIG"].includes(code)) {
    return new InputError(
      "feature cache: no space left; what was written stays and counts when you run it again. Free some space (lacuna cache --clear) or set LACUNA_CACHE to a folder on another disk",
      { file: folder },
    );
  }
  if (["EACCES", "EROFS", "EPERM", "ENOTDIR"].includes(code)) {
    return new InputError(
      `feature cache: cannot be used (${code}); set LACUNA_CACHE to a folder of your own, or LACUNA_CACHE_SIZE=0 to hold everything in memory`,
      { file: folder },
    );
  }
  return error;
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
