import type { Pickled, PickleRules } from "./pickle-machine.ts";
import { pytorchGlobals, Storage, typeOf } from "./tensors.ts";

/** What a file holds, and where the bytes of a storage are. */
export interface Loaded {
  readonly value: Pickled;
  /** Bytes `[start, end)` of a storage. */
  bytes(storage: Storage, start: number, end: number): Uint8Array;
}

/**
 * The rules of a file's pickle: what it may name, and storages for ("storage", type, key, place, length, …). One key is
 * one storage, so that tensors that share it are known to.
 */
export function storageRules(known: Map<string, Storage>, admit: (storage: Storage) => void): PickleRules {
  return {
    globals: pytorchGlobals,
    persistent(id, fail) {
      const [kind, global, key, , length, view = null] = (Array.isArray(id) ? id : []) as (Pickled | undefined)[];
      const type = typeOf(global);
      if (kind !== "storage" || type === undefined || typeof key !== "string" || !isLength(length)) {
        return fail("what stands outside of the pickle must be a storage with type, key and length");
      }
      if (view !== null) return fail("storages that are parts of others are too old a form; save the file again");
      const found = known.get(key);
      if (found) {
        return found.type === type && found.length === length ? found : fail(`storage ${key} has two forms`);
      }
      const storage = new Storage(key, type, length);
      admit(storage);
      known.set(key, storage);
      return storage;
    },
  };
}

function isLength(value: Pickled | undefined): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
