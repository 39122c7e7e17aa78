import { InputError, quote } from "../../util/errors.ts";
import type { FileBytes } from "../../util/file-bytes.ts";
import { ByteSource } from "./byte-source.ts";
import { unpickle } from "./pickle.ts";
import { type Loaded, storageRules } from "./storages.ts";
import { entryBytes, type ZipEntry, zipEntries } from "./zip.ts";

/** A zip archive, as PyTorch writes since 1.6: `NAME/data.pkl` and a file `NAME/data/KEY` for each storage. */
export function readArchive(file: FileBytes): Loaded {
  const entries = zipEntries(file);
  const pickle = [...entries.values()].find(({ name }) => /^[^/]+\/data\.pkl$/.test(name));
  if (!pickle) return fail(file, "the archive has no data.pkl");
  const folder = pickle.name.slice(0, -"data.pkl".length);
  checkOrder(file, entries.get(`${folder}byteorder`));
  const entryOf = (key: string): ZipEntry =>
    entries.get(`${folder}data/${key}`) ?? fail(file, `the archive has no storage ${quote(key)}`);
  const source = pickle.deflated
    ? ByteSource.ofBytes(entryBytes(file, pickle), file.path)
    : ByteSource.ofFile(file, pickle.start, pickle.end);
  const rules = storageRules(new Map(), ({ key, bytes }) => {
    const { size } = entryOf(key);
    if (bytes > size) fail(file, `storage ${quote(key)} must hold ${bytes} bytes, got ${size}`);
  });
  const value = unpickle(source, rules);
  let unpacked: { key: string; bytes: Uint8Array } | undefined;
  return {
    value,
    bytes({ key }, start, end) {
      const entry = entryOf(key);
      if (!entry.deflated) return file.slice(entry.start + start, entry.start + end);
      if (unpacked?.key !== key) unpacked = { key, bytes: entryBytes(file, entry) };
      return unpacked.bytes.slice(start, end);
    },
  };
}

function checkOrder(file: FileBytes, entry: ZipEntry | undefined): void {
  if (!entry) return;
  const order = entry.size > 16 ? "?" : Buffer.from(entryBytes(file, entry)).toString("latin1");
  if (order !== "little") fail(file, `numbers must be little-endian, got ${quote(order)}`);
}

function fail(file: FileBytes, message: string): never {
  throw new InputError(`not a PyTorch file that can be read: ${message}`, { file: file.path });
}
