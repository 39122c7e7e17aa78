import { inflateRawSync } from "node:zlib";
import { InputError, messageOf, quote } from "../../util/errors.ts";
import type { FileBytes } from "../../util/file-bytes.ts";
import { viewOf } from "./byte-source.ts";

/** A file of an archive: `size` bytes, packed into `[start, end)` of the archive. */
export interface ZipEntry {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly size: number;
  readonly deflated: boolean;
}

const signatures = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50, end64: 0x06064b50, locator: 0x07064b50 };
const sizes = { local: 30, central: 46, end: 22, end64: 56, locator: 20, longestComment: 0xffff };
/** Weights hardly shrink: a small entry that becomes a large one is an attack on memory. */
const inflation = { most: 16, always: 1 << 20 };
const mostEntries = 100_000;
const longestDirectory = 1 << 24;

/** The files of a zip archive by name; everything that it says about places and sizes is checked against the file. */
export function zipEntries(file: FileBytes): Map<string, ZipEntry> {
  const { start, end } = directoryOf(file);
  const directory = viewOf(file.slice(start, end));
  const entries = new Map<string, ZipEntry>();
  for (let at = 0; at + sizes.central <= directory.byteLength; ) {
    if (directory.getUint32(at, true) !== signatures.central) break;
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((k) => directory.getUint16(at + k, true));
    const next = at + sizes.central + nameLength! + extraLength! + commentLength!;
    if (next > directory.byteLength) fail(file, "an entry of its directory is cut");
    const name = textOf(directory, at + sizes.central, nameLength!);
    if (entries.size === mostEntries) fail(file, `it holds more than ${mostEntries} entries`);
    if (entries.has(name)) fail(file, `it holds ${quote(name)} twice`);
    entries.set(name, entryAt(file, directory, at, name));
    at = next;
  }
  return entries;
}

/** The bytes of an entry. */
export function entryBytes(file: FileBytes, { name, start, end, size, deflated }: ZipEntry): Uint8Array {
  const packed = file.slice(start, end);
  if (!deflated) return packed;
  try {
    const bytes = new Uint8Array(inflateRawSync(packed, { maxOutputLength: Math.max(1, size) }));
    if (bytes.length === size) return bytes;
  } catch (error) {
    return fail(file, `${quote(name)} cannot be unpacked: ${messageOf(error)}`);
  }
  return fail(file, `${quote(name)} must hold ${size} bytes when unpacked`);
}

/** Where the directory stands, by the record at the end, which a comment may follow. */
function directoryOf(file: FileBytes): { start: number; end: number } {
  const tailStart = Math.max(0, file.size - sizes.end - sizes.longestComment);
  const tail = viewOf(file.slice(tailStart, file.size));
  for (let at = tail.byteLength - sizes.end; at >= 0; at--) {
    if (tail.getUint32(at, true) !== signatures.end) continue;
    const [size, start] = [tail.getUint32(at + 12, true), tail.getUint32(at + 16, true)];
    const large = start === 0xffffffff || size === 0xffffffff;
    const found = large ? directoryOf64(file, tailStart + at) : { start, end: start + size };
    if (found.end > file.size || found.end - found.start > longestDirectory)
      fail(file, "its directory lies outside the file");
    return found;
  }
  return fail(file, "it has no directory at its end; it may be cut");
}

function directoryOf64(file: FileBytes, end: number): { start: number; end: number } {
  const locator = end - sizes.locator;
  const where = locator < 0 ? undefined : viewOf(file.slice(locator, end));
  if (where?.getUint32(0, true) !== signatures.locator) return fail(file, "its directory for large files is missing");
  const record = Number(where.getBigUint64(8, true));
  const found = viewOf(file.slice(record, record + sizes.end64));
  if (found.getUint32(0, true) !== signatures.end64) return fail(file, "its directory for large files is missing");
  const [size, start] = [Number(found.getBigUint64(40, true)), Number(found.getBigUint64(48, true))];
  return { start, end: start + size };
}

function entryAt(file: FileBytes, directory: DataView, at: number, name: string): ZipEntry {
  const what = quote(name);
  const method = directory.getUint16(at + 10, true);
  if (directory.getUint16(at + 8, true) & 1) fail(file, `${what} is encrypted`);
  if (method !== 0 && method !== 8) fail(file, `${what} must be stored or deflated, got method ${method}`);
  const { packed, size, header } = sizesOf(directory, at);
  if (header + sizes.local > file.size) fail(file, `${what} lies outside the file`);
  const local = viewOf(file.slice(header, header + sizes.local));
  if (local.getUint32(0, true) !== signatures.local) fail(file, `${what} is not where the directory says`);
  const start = header + sizes.local + local.getUint16(26, true) + local.getUint16(28, true);
  const end = start + packed;
  if (end > file.size) fail(file, `${what} lies outside the file`);
  if (method === 0 ? size !== packed : size > Math.max(inflation.always, packed * inflation.most)) {
    fail(file, `${what} of ${packed} bytes cannot hold ${size}`);
  }
  return { name, start, end, size, deflated: method === 8 };
}

/** Numbers that do not fit into 32 bits stand, in this order, in an extra field. */
function sizesOf(directory: DataView, at: number): { packed: number; size: number; header: number } {
  const values = { size: 24, packed: 20, header: 42 } as const;
  const found = { size: 0, packed: 0, header: 0 };
  let extra = extraField(directory, at);
  for (const [name, place] of Object.entries(values) as [keyof typeof values, number][]) {
    found[name] = directory.getUint32(at + place, true);
    if (found[name] !== 0xffffffff || !extra || extra.byteLength < 8) continue;
    found[name] = Number(extra.getBigUint64(0, true));
    extra = new DataView(extra.buffer, extra.byteOffset + 8, extra.byteLength - 8);
  }
  return found;
}

function extraField(directory: DataView, at: number): DataView | undefined {
  let place = at + sizes.central + directory.getUint16(at + 28, true);
  const end = place + directory.getUint16(at + 30, true);
  while (place + 4 <= end) {
    const [kind, length] = [directory.getUint16(place, true), directory.getUint16(place + 2, true)];
    if (place + 4 + length > end) return undefined;
    if (kind === 1) return new DataView(directory.buffer, directory.byteOffset + place + 4, length);
    place += 4 + length;
  }
  return undefined;
}

function textOf(view: DataView, start: number, length: number): string {
  return Buffer.from(view.buffer, view.byteOffset + start, length).toString("utf8");
}

function fail(file: FileBytes, message: string): never {
  throw new InputError(`not a zip archive that can be read: ${message}`, { file: file.path });
}
