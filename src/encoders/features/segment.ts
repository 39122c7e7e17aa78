import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { writeAtomically } from "../../util/atomic.ts";

/** An entry of a segment: what was computed for one key. */
export interface SegmentEntry {
  /** 32 hexadecimal digits. */
  readonly key: string;
  readonly values: Uint16Array;
}

/** Where the values of a key are. */
export interface Place {
  readonly segment: Segment;
  readonly start: number;
  readonly bytes: number;
  readonly checksum: string;
}

const magic = Buffer.from("LACUNAF1");
const rowBytes = 16 + 8 + 4 + 8;
const headerBytes = magic.length + 4 + 8;

/**
 * Writes a segment: a mark, the number of entries, a checksum of the index; the index, with key, place, length and checksum
 * of each entry; then the values. The file is there as a whole or not at all.
 */
export async function writeSegment(path: string, entries: readonly SegmentEntry[]): Promise<void> {
  const index = Buffer.alloc(entries.length * rowBytes);
  let start = headerBytes + index.length;
  const blocks = entries.map(({ key, values }, i) => {
    const block = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
    const row = i * rowBytes;
    index.write(key, row, "hex");
    index.writeBigUInt64LE(BigInt(start), row + 16);
    index.writeUInt32LE(block.length, row + 24);
    index.write(checksumOf(block), row + 28, "hex");
    start += block.length;
    return block;
  });
  const header = Buffer.alloc(headerBytes);
  magic.copy(header);
  header.writeUInt32LE(entries.length, magic.length);
  header.write(checksumOf(index), magic.length + 4, "hex");
  await writeAtomically(path, async (file) => {
    await file.writev([header, index]);
    for (const block of blocks) await file.writeFile(block);
  });
}

/**
 * A file of values. From the first value that is read it stays open, so that the others can be read even when another
 * process has removed it.
 */
export class Segment {
  readonly path: string;
  readonly places: ReadonlyMap<string, Place>;
  private file: number | undefined;

  private constructor(path: string) {
    this.path = path;
    this.places = this.readIndex();
    this.close();
  }

  /** Undefined for a file that is not there any more, or is not a whole segment. */
  static open(path: string): Segment | undefined {
    return orUndefined(() => new Segment(path));
  }

  /** Keeps the file open from now on. */
  hold(): this {
    this.file ??= openSync(this.path, "r");
    return this;
  }

  /** Values, into the beginning of an array where one is given. */
  read({ start, bytes }: Place, target: Uint16Array = new Uint16Array(bytes / 2)): Uint16Array {
    this.fill(new Uint8Array(target.buffer, target.byteOffset, bytes), start);
    return target;
  }

  /** The values of an entry, if they are there as they were written. */
  readWhole(place: Place): Uint16Array | undefined {
    const values = orUndefined(() => this.read(place));
    return values && checksumOf(new Uint8Array(values.buffer)) === place.checksum ? values : undefined;
  }

  close(): void {
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }

  private readIndex(): Map<string, Place> {
    this.file = openSync(this.path, "r");
    const { size } = fstatSync(this.file);
    const damaged = (): never => {
      this.close();
      throw new DamagedSegment();
    };
    if (size < headerBytes) damaged();
    const header = Buffer.alloc(headerBytes);
    this.fill(header, 0);
    const count = header.readUInt32LE(magic.length);
    if (!header.subarray(0, magic.length).equals(magic) || headerBytes + count * rowBytes > size) damaged();
    const index = Buffer.alloc(count * rowBytes);
    this.fill(index, headerBytes);
    if (checksumOf(index) !== header.toString("hex", magic.length + 4)) damaged();
    const places = new Map<string, Place>();
    for (let row = 0; row < index.length; row += rowBytes) {
      const start = Number(index.readBigUInt64LE(row + 16));
      const bytes = index.readUInt32LE(row + 24);
      if (bytes % 2 !== 0 || start + bytes > size) damaged();
      const checksum = index.toString("hex", row + 28, row + rowBytes);
      places.set(index.toString("hex", row, row + 16), { segment: this, start, bytes, checksum });
    }
    return places;
  }

  private fill(target: Uint8Array, start: number): void {
    this.hold();
    for (let at = 0; at < target.length; ) {
      const count = readSync(this.file!, target, at, target.length - at, start + at);
      if (count === 0) throw new DamagedSegment();
      at += count;
    }
  }
}

/** Nothing where a file is gone or damaged. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof DamagedSegment || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

class DamagedSegment extends Error {}

function checksumOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}
