import type { Automaton, AutomatonArrays } from "./automaton.ts";

/**
 * What is wrong with the arrays of an automaton from outside, or nothing. Arrays that pass keep every look-up inside
 * its array and let every search end; whether they hold the dictionary that somebody meant is for the checksum.
 */
export function checkArrays({ header, arrays }: Automaton): string | undefined {
  const keys = arrays.keyEntries.length - 1;
  const entries = arrays.entryTypes.length;
  const rules: readonly [boolean, string][] = [
    [keys >= 1 && entries >= keys, `there are ${keys} surfaces and ${entries} entries`],
    [isPowerOfTwo(arrays.filter.length), "the length of the filter is no power of two"],
    [isPowerOfTwo(arrays.table.length) && arrays.table.length >= 2, "the length of the table is no power of two"],
    [arrays.entryDictionaries.length === entries, "the lists of entries differ in length"],
    [arrays.refused.length === keys, "the lists of surfaces differ in length"],
    [hasOrderedLengths(arrays, header.longest, keys), "the surfaces are not ordered by length"],
    [rises(arrays.keyEntries, 1, entries), "the entries of the surfaces are out of order"],
    [rises(arrays.entrySurfaces, 0, arrays.surfaces.length), "the surfaces of the entries are out of order"],
    [arrays.entrySurfaces.length === entries + 1, "the lists of entries differ in length"],
    [isWithin(arrays.entryTypes, -1, header.types.length), "an entry has a type that does not exist"],
    [
      isWithin(arrays.entryDictionaries, 0, header.dictionaries.length),
      "an entry has a dictionary that does not exist",
    ],
    [isTable(arrays.table, keys), "the table of surfaces is damaged"],
  ];
  return rules.find(([holds]) => !holds)?.[1];
}

function isPowerOfTwo(value: number): boolean {
  return value > 0 && (value & (value - 1)) === 0;
}

/** From 0 to `last`, each step at least `step`. */
function rises(values: Int32Array, step: number, last: number): boolean {
  if (values[0] !== 0 || values[values.length - 1] !== last) return false;
  for (let k = 1; k < values.length; k++) if (values[k]! - values[k - 1]! < step) return false;
  return true;
}

function isWithin(values: Int32Array, low: number, high: number): boolean {
  for (const value of values) if (value < low || value >= high) return false;
  return true;
}

function hasOrderedLengths(
  { lengthKeys, lengthUnits, units }: AutomatonArrays,
  longest: number,
  keys: number,
): boolean {
  if (lengthKeys.length !== longest + 2 || lengthUnits.length !== longest + 2 || lengthKeys[1] !== 0) return false;
  if (!rises(lengthKeys, 0, keys) || !rises(lengthUnits, 0, units.length)) return false;
  for (let length = 1; length <= longest; length++) {
    const count = lengthKeys[length + 1]! - lengthKeys[length]!;
    if (lengthUnits[length + 1]! - lengthUnits[length]! !== count * length) return false;
  }
  return true;
}

/** Every slot is free or holds a key, and one at least is free. */
function isTable(table: Int32Array, keys: number): boolean {
  let free = 0;
  for (let slot = 1; slot < table.length; slot += 2) {
    if (table[slot]! < 0 || table[slot]! > keys) return false;
    if (table[slot] === 0) free++;
  }
  return free > 0;
}
