import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { writeAtomically } from "./atomic.ts";
import { InputError, messageOf, quote, unknownName } from "./errors.ts";
import { brainFloatsToFloats, floatsToHalves, halvesToFloats, largestHalf } from "./half.ts";
import { type Header, parseHeader, type StoredTensor } from "./safetensors-header.ts";

/** Numbers with their shape, as files hold them. */
export interface NumberArray {
  readonly data: Float32Array;
  readonly shape: readonly number[];
}

/** The limit of the format's first implementation; a larger header is an attack or an accident. */
const longestHeader = 100_000_000;

/** An open safetensors file. The header is checked as a whole when it is opened; numbers are read when asked for. */
export class SafetensorsFile {
  readonly path: string;
  private readonly file: number;
  private readonly header: Header;
  private readonly dataStart: number;

  private constructor(path: string, file: number, header: Header, dataStart: number) {
    this.path = path;
    this.file = file;
    this.header = header;
    this.dataStart = dataStart;
  }

  static open(path: string): SafetensorsFile {
    const file = openFile(path);
    try {
      const length = headerLength(path, file);
      const text = readBytes(path, file, new Uint8Array(length), 8);
      const dataStart = 8 + length;
      return new SafetensorsFile(path, file, parseHeader(text, fstatSync(file).size - dataStart, path), dataStart);
    } catch (error) {
      closeSync(file);
      throw error;
    }
  }

  get names(): string[] {
    return [...this.header.tensors.keys()];
  }

  get metadata(): Readonly<Record<string, string>> {
    return this.header.metadata;
  }

  shape(name: string): readonly number[] {
    return this.stored(name).shape;
  }

  /** The numbers of a tensor as float32. */
  read(name: string): Float32Array {
    const { dtype, start, end } = this.stored(name);
    const fill = <A extends Bytes>(target: A): A => readBytes(this.path, this.file, target, this.dataStart + start);
    switch (dtype) {
      case "F32":
        return fill(new Float32Array((end - start) / 4));
      case "F16":
        return halvesToFloats(fill(new Uint16Array((end - start) / 2)));
      case "BF16":
        return brainFloatsToFloats(fill(new Uint16Array((end - start) / 2)));
      default:
        return fail(this.path, `tensor ${quote(name)} of type ${dtype} cannot be read (readable: F32, F16, BF16)`);
    }
  }

  close(): void {
    closeSync(this.file);
  }

  private stored(name: string): StoredTensor {
    return this.header.tensors.get(name) ?? fail(this.path, `no tensor ${unknownName(name, this.names)}`);
  }
}

/** All tensors of a file. */
export function readSafetensors(path: string): Map<string, NumberArray> {
  const file = SafetensorsFile.open(path);
  try {
    return new Map(file.names.map((name) => [name, { data: file.read(name), shape: file.shape(name) }]));
  } finally {
    file.close();
  }
}

export interface WriteOptions {
  readonly metadata?: Readonly<Record<string, string>>;
  /** F16 halves the file and keeps about three digits. */
  readonly dtype?: "F32" | "F16";
}

/** Writes tensors in the order given; the file is there as a whole or not at all. */
export async function writeSafetensors(
  path: string,
  tensors: Readonly<Record<string, NumberArray>>,
  { metadata = {}, dtype = "F32" }: WriteOptions = {},
): Promise<void> {
  const header = encodeHeader(tensors, metadata, dtype);
  await writeAtomically(path, async (file) => {
    await writeFully(file, header);
    for (const [name, { data }] of Object.entries(tensors)) {
      await writeFully(file, dtype === "F32" ? data : checkedHalves(name, data));
    }
  });
}

/** The length and the header, filled up with spaces so that the numbers begin at a multiple of 8. */
function encodeHeader(
  tensors: Readonly<Record<string, NumberArray>>,
  metadata: Readonly<Record<string, string>>,
  dtype: "F32" | "F16",
): Uint8Array {
  const bytesEach = dtype === "F32" ? 4 : 2;
  const entries: [string, unknown][] = Object.keys(metadata).length > 0 ? [["__metadata__", metadata]] : [];
  let start = 0;
  for (const [name, { data, shape }] of Object.entries(tensors)) {
    if (name === "__metadata__") throw new RangeError('safetensors: no tensor can be called "__metadata__"');
    if (shape.reduce((product, size) => product * size, 1) !== data.length) {
      throw new RangeError(`safetensors: tensor ${quote(name)} of shape ${quote(shape)} got ${data.length} numbers`);
    }
    const end = start + data.length * bytesEach;
    entries.push([name, { dtype, shape, data_offsets: [start, end] }]);
    start = end;
  }
  const json = new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)));
  const length = Math.ceil(json.length / 8) * 8;
  const bytes = new Uint8Array(8 + length).fill(0x20, 8 + json.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length), true);
  bytes.set(json, 8);
  return bytes;
}

function checkedHalves(name: string, data: Float32Array): Uint16Array {
  const beyond = data.find((number) => Number.isFinite(number) && Math.abs(number) > largestHalf);
  if (beyond !== undefined) {
    throw new InputError(
      `safetensors: tensor ${quote(name)} holds ${beyond}, which F16 cannot (limit ${largestHalf}); write F32`,
    );
  }
  return floatsToHalves(data);
}

async function writeFully(file: FileHandle, data: Bytes): Promise<void> {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, Math.min(bytes.length - done, 1 << 30))).bytesWritten;
  }
}

type Bytes = Uint8Array | Uint16Array | Float32Array;

function openFile(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new InputError(missing ? "no such file" : `cannot be read: ${messageOf(error)}`, { file: path });
  }
}

function headerLength(path: string, file: number): number {
  const stat = fstatSync(file);
  if (!stat.isFile()) fail(path, "expected a file, got a directory or a device");
  if (stat.size < 8) fail(path, `the file ends after ${stat.size} bytes, before its header`);
  const { buffer } = readBytes(path, file, new Uint8Array(8), 0);
  const length = Number(new DataView(buffer).getBigUint64(0, true));
  if (length > longestHeader) fail(path, `the header must not exceed ${longestHeader} bytes, got ${length}`);
  if (length > stat.size - 8)
    fail(path, `the header takes ${length} bytes, the file ends after ${stat.size - 8} of them`);
  return length;
}

/** Fills an array from a place of the file on. */
function readBytes<A extends Bytes>(path: string, file: number, target: A, from: number): A {
  const bytes = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
  for (let done = 0; done < bytes.length; ) {
    const count = readSync(file, bytes, done, Math.min(bytes.length - done, 1 << 30), from + done);
    if (count === 0) fail(path, `the file ends at byte ${from + done}, it was cut while it was open`);
    done += count;
  }
  return target;
}

function fail(file: string, message: string): never {
  throw new InputError(`safetensors: ${message}`, { file });
}
