import { InputError, quote } from "../../util/errors.ts";
import type { FileBytes } from "../../util/file-bytes.ts";
import { ByteSource } from "./byte-source.ts";
import { unpickle } from "./pickle.ts";
import type { Pickled } from "./pickle-machine.ts";
import { type Loaded, storageRules } from "./storages.ts";
import type { Storage } from "./tensors.ts";

const magic = 0x1950a86a20f9469cfc6cn;
const protocol = 1001;
const plain = { globals: new Map() };

/**
 * The format before zip archives: pickles of a magic number, a version, the machine and the value, then the keys of all
 * storages, then for each its length and its numbers.
 */
export function readLegacy(file: FileBytes): Loaded {
  const fail = (message: string): never => {
    throw new InputError(`not a PyTorch file that can be read: ${message}`, { file: file.path });
  };
  if (file.size === 0 || file.slice(0, 1)[0] !== 0x80) fail("it is neither a zip archive nor a pickle");
  const source = ByteSource.ofFile(file, 0, file.size);
  if (unpickle(source, plain) !== magic) fail("it does not begin with PyTorch's magic number");
  const version = unpickle(source, plain);
  if (version !== protocol) fail(`its version must be ${protocol}`);
  const machine = unpickle(source, plain);
  if (machine instanceof Map && machine.get("little_endian") === false) fail("numbers must be little-endian");
  const storages = new Map<string, Storage>();
  const admit = ({ key, bytes }: Storage): void => {
    if (bytes > file.size) fail(`storage ${quote(key)} must hold ${bytes} bytes, the file has ${file.size}`);
  };
  const value = unpickle(source, storageRules(storages, admit));
  const starts = placesOf(source, storages, unpickle(source, plain), fail);
  return {
    value,
    bytes({ key }, start, end) {
      const from = starts.get(key) ?? fail(`it has no numbers of storage ${quote(key)}`);
      return file.slice(from + start, from + end);
    },
  };
}

function placesOf(
  source: ByteSource,
  storages: ReadonlyMap<string, Storage>,
  keys: Pickled,
  fail: (message: string) => never,
): Map<string, number> {
  if (!Array.isArray(keys)) return fail("it does not list its storages");
  const starts = new Map<string, number>();
  for (const key of keys as readonly Pickled[]) {
    const storage = typeof key === "string" ? storages.get(key) : undefined;
    if (!storage) return fail("it lists a storage that no tensor has");
    const length = source.long();
    if (length !== storage.length)
      fail(`storage ${quote(storage.key)} must hold ${storage.length} numbers, got ${length}`);
    starts.set(storage.key, source.position);
    source.skip(storage.bytes);
  }
  return starts;
}
