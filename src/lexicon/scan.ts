import { mix32 } from "../util/random.ts";
import { type Automaton, filterBits, keyBits, prefixBits } from "./automaton.ts";
import { breakRule } from "./code-units.ts";
import { hashBase, type TextFolder } from "./fold-text.ts";

/** Spans of which the filter says that they may be keys, as columns. */
export interface Candidates {
  count: number;
  firsts: Int32Array;
  lasts: Int32Array;
  hashes: Int32Array;
  keys: Int32Array;
}

/**
 * Walks from every token as long as the filter has the prefix. Whether a candidate is a key is asked later, for all of
 * them in one loop: the memory accesses then overlap, where one after the other they would be most of the time.
 */
export function walker(
  { header, arrays }: Automaton,
  folder: TextFolder,
): (text: string, offsets: Int32Array) => Candidates {
  const { filter } = arrays;
  const mask = filter.length - 1;
  const powers = powersOf(hashBase, header.longest);
  const breaks = breakRule(header.folding);
  const candidates = candidateColumns(0);

  return (text, offsets) => {
    const tokens = offsets.length >> 1;
    const total = folder.fold(text, offsets);
    const { starts, ends, startHashes, endHashes, units } = folder;
    candidates.count = 0;
    for (let first = 0; first < tokens; first++) {
      const start = starts[first]!;
      if (start < 0 || start === ends[first]) continue;
      if (candidates.count + tokens - first > candidates.keys.length) grow(candidates, 2 * tokens);
      const before = startHashes[first]!;
      for (let last = first; last < tokens; last++) {
        const end = ends[last]!;
        if (end < 0 || end === starts[last]) continue;
        const length = end - start;
        if (length > header.longest) break;
        const hash = mix32(endHashes[last]! - Math.imul(before, powers[length]!));
        const word = filter[hash & mask]!;
        const bits = filterBits(hash);
        const asKey = keyBits(bits);
        if ((word & asKey) === asKey) {
          const c = candidates.count++;
          candidates.firsts[c] = first;
          candidates.lasts[c] = last;
          candidates.hashes[c] = hash;
        }
        const asPrefix = prefixBits(bits);
        if ((word & asPrefix) === asPrefix || end === total) continue;
        if (breaks(units[end - 1]!, units[end]!)) break;
      }
    }
    return candidates;
  };
}

function candidateColumns(size: number): Candidates {
  const column = (): Int32Array => new Int32Array(size);
  return { count: 0, firsts: column(), lasts: column(), hashes: column(), keys: column() };
}

function grow(candidates: Candidates, more: number): void {
  const larger = candidateColumns(2 * candidates.keys.length + more);
  for (const name of ["firsts", "lasts", "hashes"] as const) {
    larger[name].set(candidates[name].subarray(0, candidates.count));
    candidates[name] = larger[name];
  }
  candidates.keys = larger.keys;
}

/** Finds the key of each candidate; -1 where there is none. */
export function keyFinder({ arrays }: Automaton, folder: TextFolder): (candidates: Candidates) => void {
  const { table, lengthKeys, lengthUnits, units } = arrays;
  const mask = (table.length >> 1) - 1;

  /** True when a key has the units of the folded sentence from `start` on. */
  const reads = (key: number, start: number, length: number): boolean => {
    const first = lengthKeys[length]!;
    if (key < first || key >= lengthKeys[length + 1]!) return false;
    const from = lengthUnits[length]! + (key - first) * length;
    let k = 0;
    while (k < length && units[from + k] === folder.units[start + k]) k++;
    return k === length;
  };

  return ({ count, firsts, lasts, hashes, keys }) => {
    for (let c = 0; c < count; c++) keys[c] = slotFrom(table, hashes[c]! & mask, hashes[c]!);
    for (let c = 0; c < count; c++) {
      const start = folder.starts[firsts[c]!]!;
      const length = folder.ends[lasts[c]!]! - start;
      let slot = keys[c]!;
      while (slot >= 0 && !reads(table[2 * slot + 1]! - 1, start, length)) {
        slot = slotFrom(table, (slot + 1) & mask, hashes[c]!);
      }
      keys[c] = slot < 0 ? -1 : table[2 * slot + 1]! - 1;
    }
  };
}

/** The first slot with a hash, from one slot on; -1 when a free slot comes before it. */
function slotFrom(table: Int32Array, start: number, hash: number): number {
  const mask = (table.length >> 1) - 1;
  for (let slot = start; ; slot = (slot + 1) & mask) {
    if (table[2 * slot + 1] === 0) return -1;
    if (table[2 * slot] === hash) return slot;
  }
}

/** base⁰ … baseⁿ modulo 2³². */
function powersOf(base: number, n: number): Int32Array {
  const powers = new Int32Array(n + 1);
  powers[0] = 1;
  for (let k = 1; k <= n; k++) powers[k] = Math.imul(powers[k - 1]!, base);
  return powers;
}
