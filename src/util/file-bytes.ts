import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { InputError, messageOf } from "./errors.ts";

export type Bytes = Uint8Array | Uint16Array | Float32Array;

/** An open regular file, read from any place on. */
export class FileBytes {
  readonly path: string;
  readonly size: number;
  private readonly file: number;

  private constructor(path: string, file: number, size: number) {
    this.path = path;
    this.file = file;
    this.size = size;
  }

  static open(path: string): FileBytes {
    const file = openWithoutWaiting(path);
    const stats = fstatSync(file);
    if (stats.isFile()) return new FileBytes(path, file, stats.size);
    closeSync(file);
    throw new InputError("expected a file, got a directory, a FIFO or a device", { file: path });
  }

  /** Fills an array from a place of the file on. */
  fill<A extends Bytes>(target: A, from: number): A {
    const bytes = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
    for (let done = 0; done < bytes.length; ) {
      const count = readSync(this.file, bytes, done, Math.min(bytes.length - done, 1 << 30), from + done);
      if (count === 0) {
        throw new InputError(`the file ends at byte ${from + done}, it was cut while it was open`, { file: this.path });
      }
      done += count;
    }
    return target;
  }

  /** The bytes `[start, end)`, which must lie in the file. */
  slice(start: number, end: number): Uint8Array {
    if (start < 0 || end < start || end > this.size) {
      throw new InputError(`the file must reach to byte ${end}, it ends after ${this.size}`, { file: this.path });
    }
    return this.fill(new Uint8Array(end - start), start);
  }

  close(): void {
    closeSync(this.file);
  }
}

/** Opening a FIFO would wait for its writer. */
function openWithoutWaiting(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new InputError(missing ? "no such file" : `cannot be read: ${messageOf(error)}`, { file: path });
  }
}
