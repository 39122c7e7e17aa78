import { InputError } from "../../util/errors.ts";
import type { FileBytes } from "../../util/file-bytes.ts";

const windowSize = 1 << 16;

/** Bytes read one after the other from a part of a file, through a window. */
export class ByteSource {
  readonly path: string;
  private readonly end: number;
  private readonly load: (start: number, end: number) => Uint8Array;
  private window: Uint8Array = new Uint8Array();
  private windowStart = 0;
  private at: number;

  private constructor(path: string, start: number, end: number, load: (start: number, end: number) => Uint8Array) {
    this.path = path;
    this.at = start;
    this.end = end;
    this.load = load;
  }

  static ofFile(file: FileBytes, start: number, end: number): ByteSource {
    return new ByteSource(file.path, start, end, (from, to) => file.slice(from, to));
  }

  static ofBytes(bytes: Uint8Array, path: string): ByteSource {
    return new ByteSource(path, 0, bytes.length, (from, to) => bytes.subarray(from, to));
  }

  get position(): number {
    return this.at;
  }

  byte(): number {
    const offset = this.at - this.windowStart;
    if (offset >= 0 && offset < this.window.length) {
      this.at++;
      return this.window[offset]!;
    }
    return this.take(1)[0]!;
  }

  /** The next bytes; asked for more than there are, nothing is allocated. */
  take(count: number): Uint8Array {
    if (count > this.end - this.at) {
      const rule = `it asks for ${count} bytes at byte ${this.at}, ${this.end - this.at} are left`;
      throw new InputError(`not a PyTorch file that can be read: ${rule}`, { file: this.path });
    }
    const start = this.at - this.windowStart;
    if (start < 0 || start + count > this.window.length) {
      this.window = this.load(this.at, Math.min(this.end, this.at + Math.max(count, windowSize)));
      this.windowStart = this.at;
    }
    const offset = this.at - this.windowStart;
    this.at += count;
    return this.window.slice(offset, offset + count);
  }

  skip(count: number): void {
    if (count > this.end - this.at) this.take(count);
    this.at += count;
  }

  /** Text up to a line feed. */
  line(most: number): string {
    const codes: number[] = [];
    for (let code = this.byte(); code !== 0x0a; code = this.byte()) {
      if (codes.length === most) {
        const rule = `a line at byte ${this.at} has more than ${most} bytes`;
        throw new InputError(`not a PyTorch file that can be read: ${rule}`, { file: this.path });
      }
      codes.push(code);
    }
    return Buffer.from(codes).toString("utf8");
  }

  uint(size: 1 | 2 | 4): number {
    const bytes = this.take(size);
    return size === 1 ? bytes[0]! : size === 2 ? viewOf(bytes).getUint16(0, true) : viewOf(bytes).getUint32(0, true);
  }

  int32(): number {
    return viewOf(this.take(4)).getInt32(0, true);
  }

  /** A length of 64 bits; one that no file can have fails in whoever uses it. */
  long(): number {
    return Number(viewOf(this.take(8)).getBigUint64(0, true));
  }

  /** Big-endian, as pickles have it. */
  double(): number {
    return viewOf(this.take(8)).getFloat64(0, false);
  }
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
