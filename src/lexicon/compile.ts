import { mix32 } from "../util/random.ts";
import {
  type Automaton,
  type AutomatonArrays,
  automatonBuffer,
  bufferSize,
  filterBits,
  keyBits,
  openAutomaton,
  prefixBits,
  unicodeVersion,
} from "./automaton.ts";
import { breakRule, foldedValue } from "./code-units.ts";
import { hashBase } from "./fold-text.ts";
import type { Folding } from "./folding.ts";
import type { KeyTable } from "./key-table.ts";
import { int32List, type TypedList, uint16List } from "./typed-list.ts";

/** The entries as they were read: one element a list for each, and the texts that differ from their key. */
export interface EntryColumns {
  readonly keys: TypedList<Int32Array>;
  readonly types: TypedList<Int32Array>;
  readonly dictionaries: TypedList<Int32Array>;
  /** Where the surface of each entry starts in `surfaces`, and at the end where the last one ends. */
  readonly surfaceStarts: TypedList<Int32Array>;
  readonly surfaces: TypedList<Uint16Array>;
}

export function entryColumns(): EntryColumns {
  return {
    keys: int32List(),
    types: int32List(),
    dictionaries: int32List(),
    surfaceStarts: int32List(),
    surfaces: uint16List(),
  };
}

type BreakRule = ReturnType<typeof breakRule>;

interface Facts {
  readonly folding: Folding;
  readonly types: readonly string[];
  readonly dictionaries: readonly string[];
  readonly repeated: number;
  readonly vanished: number;
}

/** Puts what was read into the arrays of an automaton. */
export function compile(keys: KeyTable, entries: EntryColumns, refused: Iterable<number>, facts: Facts): Automaton {
  const breaks = breakRule(facts.folding);
  const count = entries.keys.length;
  const longest = longestKey(keys);
  const lengths = {
    filter: filterWords(keys, breaks),
    table: keys.slots.length,
    lengthKeys: longest + 2,
    lengthUnits: longest + 2,
    keyEntries: keys.size + 1,
    entryTypes: count,
    entryDictionaries: count,
    entrySurfaces: count + 1,
    units: keys.units.length,
    surfaces: entries.surfaces.length,
    refused: keys.size,
  };
  const automaton = openAutomaton(
    { unicode: unicodeVersion, ...facts, longest, lengths },
    automatonBuffer(bufferSize(lengths)),
  );
  const { arrays } = automaton;
  const number = numberByLength(arrays, keys);
  for (let slot = 0; slot < keys.slots.length; slot += 2) {
    const key = keys.slots[slot + 1]! - 1;
    if (key < 0) continue;
    arrays.table[slot] = keys.slots[slot]!;
    arrays.table[slot + 1] = number[key]! + 1;
  }
  for (const key of refused) arrays.refused[number[key]!] = 1;
  groupEntries(arrays, entries, number);
  fillFilter(arrays, longest, breaks);
  return automaton;
}

/** Copies the units of all keys, the shortest first, and returns the new number of each key. */
function numberByLength(
  { lengthKeys, lengthUnits, units }: AutomatonArrays,
  { starts, units: source, size }: KeyTable,
): Int32Array {
  const lengthOf = (key: number): number => starts.values[key + 1]! - starts.values[key]!;
  for (let key = 0; key < size; key++) lengthKeys[lengthOf(key) + 1]! += 1;
  for (let length = 1; length < lengthKeys.length; length++) {
    lengthUnits[length] = lengthUnits[length - 1]! + lengthKeys[length]! * (length - 1);
    lengthKeys[length]! += lengthKeys[length - 1]!;
  }
  const next = lengthKeys.slice();
  const number = new Int32Array(size);
  for (let key = 0; key < size; key++) {
    const length = lengthOf(key);
    number[key] = next[length]!++;
    const from = starts.values[key]!;
    const to = lengthUnits[length]! + (number[key]! - lengthKeys[length]!) * length;
    for (let k = 0; k < length; k++) units[to + k] = source.values[from + k]!;
  }
  return number;
}

/** Four to eight bits for each key and each of its prefixes: the filter is asked most often and should stay in the cache. */
function filterWords({ units, size }: KeyTable, breaks: BreakRule): number {
  let states = size;
  for (let k = 1; k < units.length; k++) {
    if (endsPrefix(units.values[k - 1]!, units.values[k]!, breaks)) states++;
  }
  return 2 ** Math.ceil(Math.log2(Math.max(2, states / 8)));
}

function longestKey({ starts }: KeyTable): number {
  let longest = 0;
  for (let key = 1; key < starts.length; key++) {
    longest = Math.max(longest, starts.values[key]! - starts.values[key - 1]!);
  }
  return longest;
}

/** Sorts the entries by key, in the order in which they were added (a counting sort). */
function groupEntries(arrays: AutomatonArrays, entries: EntryColumns, number: Int32Array): void {
  const count = entries.keys.length;
  const { keyEntries } = arrays;
  for (let entry = 0; entry < count; entry++) keyEntries[number[entries.keys.values[entry]!]! + 1]! += 1;
  for (let key = 1; key < keyEntries.length; key++) keyEntries[key]! += keyEntries[key - 1]!;
  const next = keyEntries.slice();
  const order = new Int32Array(count);
  for (let entry = 0; entry < count; entry++) order[next[number[entries.keys.values[entry]!]!]!++] = entry;

  let length = 0;
  for (let place = 0; place < count; place++) {
    const entry = order[place]!;
    arrays.entryTypes[place] = entries.types.values[entry]!;
    arrays.entryDictionaries[place] = entries.dictionaries.values[entry]!;
    arrays.entrySurfaces[place] = length;
    const start = entries.surfaceStarts.values[entry]!;
    const end = entries.surfaceStarts.values[entry + 1]!;
    for (let k = start; k < end; k++) arrays.surfaces[length++] = entries.surfaces.values[k]!;
  }
  arrays.entrySurfaces[count] = length;
}

function fillFilter({ filter, lengthUnits, units }: AutomatonArrays, longest: number, breaks: BreakRule): void {
  const mask = filter.length - 1;
  for (let length = 1; length <= longest; length++) {
    for (let start = lengthUnits[length]!; start < lengthUnits[length + 1]!; start += length) {
      const end = start + length;
      let hash = 0;
      for (let k = start; k < end; k++) {
        hash = (Math.imul(hash, hashBase) + foldedValue(units[k]!)) | 0;
        if (k + 1 < end && !endsPrefix(units[k]!, units[k + 1]!, breaks)) continue;
        const mixed = mix32(hash);
        const bits = filterBits(mixed);
        filter[mixed & mask]! |= k + 1 < end ? prefixBits(bits) : keyBits(bits);
      }
    }
  }
}

/** A prefix that ends in a space is never asked for, because no token ends there. */
function endsPrefix(before: number, after: number, breaks: BreakRule): boolean {
  return before !== 0x20 && breaks(before, after);
}
