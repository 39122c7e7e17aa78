import type { FileHandle } from "node:fs/promises";
import { writeAtomically } from "./atomic.ts";
import { InputError, quote, unknownName } from "./errors.ts";
import { type Bytes, FileBytes } from "./file-bytes.ts";
import { floatsToHalves, largestHalf } from "./half.ts";
import { isNumberType, numberTypes } from "./number-types.ts";
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
  private readonly file: FileBytes;
  private readonly header: Header;
  private readonly dataStart: number;

  private constructor(file: FileBytes, header: Header, dataStart: number) {
    this.file = file;
    this.header = header;
    this.dataStart = dataStart;
  }

  static open(path: string): SafetensorsFile {
    const file = FileBytes.open(path);
    try {
      const dataStart = 8 + headerLength(file);
      const text = file.slice(8, dataStart);
      return new SafetensorsFile(file, parseHeader(text, file.size - dataStart, path), dataStart);
    } catch (error) {
      file.close();
      throw error;
    }
  }

  get path(): string {
    return this.file.path;
  }

  /** In bytes. */
  get size(): number {
    return this.file.size;
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

  /** The type of its numbers, as the format calls it. */
  type(name: string): string {
    return this.stored(name).dtype;
  }

  /** The numbers of a tensor as float32. */
  read(name: string): Float32Array {
    const { dtype, start, end } = this.stored(name);
    if (!isNumberType(dtype)) {
      const known = `readable: ${Object.keys(numberTypes).join(", ")}`;
      return fail(this.path, `tensor ${quote(name)} of type ${dtype} cannot be read (${known})`);
    }
    const { buffer } = this.file.fill(new Uint8Array(end - start), this.dataStart + start);
    return numberTypes[dtype].floats(buffer);
  }

  close(): void {
    this.file.close();
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

function headerLength(file: FileBytes): number {
  const { path, size } = file;
  if (size < 8) fail(path, `the file ends after ${size} bytes, before its header`);
  const length = Number(new DataView(file.slice(0, 8).buffer).getBigUint64(0, true));
  if (length > longestHeader) fail(path, `the header must not exceed ${longestHeader} bytes, got ${length}`);
  if (length > size - 8) fail(path, `the header takes ${length} bytes, the file ends after ${size - 8} of them`);
  return length;
}

function fail(file: string, message: string): never {
  throw new InputError(`safetensors: ${message}`, { file });
}
