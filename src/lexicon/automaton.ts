import type { Folding } from "./folding.ts";

/**
 * The compiled dictionaries: plain arrays over one shared buffer, so that threads share it and a file holds it as it is.
 *
 * The automaton's states are the prefixes of the folded surfaces ("keys") that end where a token may end, known by
 * their hashes. A walk goes on while the hash of what it has read is in the filter of prefixes, and accepts where the
 * table of keys holds the very same units. The filter may say yes in error, which costs a step and never a wrong match.
 * Against a trie this saves the nodes: a step takes a token, whatever its length, and building is one pass over the
 * units.
 */
export interface Automaton {
  readonly header: AutomatonHeader;
  readonly buffer: SharedArrayBuffer;
  readonly arrays: AutomatonArrays;
}

export const unicodeVersion = globalThis.process?.versions.unicode ?? "none";

export interface AutomatonHeader {
  /** The version of Unicode that said what the characters are: folding and hashes depend on it. */
  readonly unicode: string;
  readonly folding: Folding;
  /** Entity types by number. */
  readonly types: readonly string[];
  /** Dictionary names by number, in the order of their priority. */
  readonly dictionaries: readonly string[];
  /** Units of the longest key. */
  readonly longest: number;
  /** Entries left out because an equal one stood before them, or because nothing was left of them after folding. */
  readonly repeated: number;
  readonly vanished: number;
  readonly lengths: Readonly<Record<ArrayName, number>>;
}

/** Name and element of each array, in the order in which they lie in the buffer: wide elements first keeps them aligned. */
export const arrayLayout = {
  /** Whether something may be a key, or go on to be one, in one word for each hash; its length is a power of two. */
  filter: Int32Array,
  /** Slots of two (hash, key + 1) in open addressing, 0 for a free slot; the number of slots is a power of two. */
  table: Int32Array,
  /**
   * Keys are numbered by length: those of n units are `[lengthKeys[n], lengthKeys[n + 1])`, and their units lie one after
   * the other from `lengthUnits[n]` on. So a look-up needs no list of places, and short keys, which are found most often,
   * lie close together.
   */
  lengthKeys: Int32Array,
  lengthUnits: Int32Array,
  /** The entries of key k are `[keyEntries[k], keyEntries[k + 1])`, first declared first. */
  keyEntries: Int32Array,
  /** The type of each entry; -1 when it has none. */
  entryTypes: Int32Array,
  entryDictionaries: Int32Array,
  /** The surface of entry e is `surfaces[entrySurfaces[e], entrySurfaces[e + 1])`; empty when equal to its key. */
  entrySurfaces: Int32Array,
  units: Uint16Array,
  surfaces: Uint16Array,
  /** 1 for a key that a rule (stop list, length) keeps from labelling. */
  refused: Uint8Array,
} as const;

export type ArrayName = keyof typeof arrayLayout;
export type AutomatonArrays = { readonly [N in ArrayName]: InstanceType<(typeof arrayLayout)[N]> };

const names = Object.keys(arrayLayout) as ArrayName[];

export function bufferSize(lengths: Readonly<Record<ArrayName, number>>): number {
  const bytes = names.reduce((sum, name) => sum + lengths[name] * arrayLayout[name].BYTES_PER_ELEMENT, 0);
  return Math.ceil(bytes / 4) * 4;
}

/** Memory that threads share; browsers have such on isolated pages only, and do with plain memory. */
export function automatonBuffer(bytes: number): SharedArrayBuffer {
  if (globalThis.SharedArrayBuffer) return new SharedArrayBuffer(bytes);
  return new ArrayBuffer(bytes) as unknown as SharedArrayBuffer;
}

/** The arrays as views of a buffer. */
export function openAutomaton(header: AutomatonHeader, buffer: SharedArrayBuffer): Automaton {
  let offset = 0;
  const views = names.map((name) => {
    const view = viewOf(name, buffer, offset, header.lengths[name]);
    offset += view.byteLength;
    return [name, view] as const;
  });
  return { header, buffer, arrays: Object.fromEntries(views) as AutomatonArrays };
}

function viewOf(
  name: ArrayName,
  buffer: SharedArrayBuffer,
  offset: number,
  length: number,
): AutomatonArrays[ArrayName] {
  const View = arrayLayout[name] as new (...args: [SharedArrayBuffer, number, number]) => AutomatonArrays[ArrayName];
  return new View(buffer, offset, length);
}

/**
 * Twenty bits for the filter that a hash's low bits, which choose the word, do not decide: five each for the two bits of
 * a key and the two of a prefix.
 */
export function filterBits(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 12;
}

/** The bits by which a word of the filter says that it may hold a key, or the prefix of one. */
export function keyBits(bits: number): number {
  return (1 << (bits & 31)) | (1 << ((bits >>> 5) & 31));
}

export function prefixBits(bits: number): number {
  return (1 << ((bits >>> 10) & 31)) | (1 << (bits >>> 15));
}

/** The folded surface with this number. */
export function keyText({ lengthKeys, lengthUnits, units }: AutomatonArrays, key: number): string {
  let length = 0;
  while (lengthKeys[length + 1]! <= key) length++;
  const start = lengthUnits[length]! + (key - lengthKeys[length]!) * length;
  return textOf(units, start, start + length);
}

/** Code units as a string. */
export function textOf(units: Uint16Array, start: number, end: number): string {
  let text = "";
  for (let k = start; k < end; k++) text += String.fromCharCode(units[k]!);
  return text;
}
