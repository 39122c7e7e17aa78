import { mix32 } from "../util/random.ts";
import type { TextFolder } from "./fold-text.ts";
import { int32List, type TypedList, uint16List } from "./typed-list.ts";

/** The distinct folded surfaces ("keys") of the dictionaries while they are read, found by hash. */
export interface KeyTable {
  readonly units: TypedList<Uint16Array>;
  /** Where each key starts in `units`, and at the end where the last one ends. */
  readonly starts: TypedList<Int32Array>;
  /** Pairs (hash, key + 1) in open addressing, as in the automaton. */
  readonly slots: Int32Array;
  readonly size: number;
  /** The number of the key that the folder holds as its only token, of `length` units; -1 when it is not here. */
  find(folder: TextFolder, length: number): number;
  /** The same; a key that is not here is added under the next number. */
  intern(folder: TextFolder, length: number): number;
}

export function keyTable(): KeyTable {
  const units = uint16List();
  const starts = int32List();
  starts.push(0);
  let slots = new Int32Array(2 * 1024);

  /** The slot of these units, or the free slot where they belong. */
  function slotOf(hash: number, folder: TextFolder, length: number): number {
    const mask = (slots.length >> 1) - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const key = slots[2 * slot + 1]! - 1;
      if (key < 0) return slot;
      if (slots[2 * slot] !== hash) continue;
      const from = starts.values[key]!;
      if (starts.values[key + 1]! - from !== length) continue;
      let k = 0;
      while (k < length && units.values[from + k] === folder.units[k]) k++;
      if (k === length) return slot;
    }
  }

  function grow(): void {
    const old = slots;
    slots = new Int32Array(2 * old.length);
    const mask = (slots.length >> 1) - 1;
    for (let from = 0; from < old.length; from += 2) {
      if (old[from + 1] === 0) continue;
      let slot = old[from]! & mask;
      while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & mask;
      slots[2 * slot] = old[from]!;
      slots[2 * slot + 1] = old[from + 1]!;
    }
  }

  return {
    units,
    starts,
    get slots() {
      return slots;
    },
    get size() {
      return starts.length - 1;
    },
    find(folder, length) {
      return slots[2 * slotOf(mix32(folder.endHashes[0]!), folder, length) + 1]! - 1;
    },
    intern(folder, length) {
      const hash = mix32(folder.endHashes[0]!);
      const slot = slotOf(hash, folder, length);
      const known = slots[2 * slot + 1]! - 1;
      if (known >= 0) return known;
      units.append(folder.units.subarray(0, length));
      starts.push(units.length);
      slots[2 * slot] = hash;
      slots[2 * slot + 1] = starts.length - 1;
      if (4 * (starts.length - 1) > slots.length) grow();
      return starts.length - 2;
    },
  };
}
