import type { Sentence, Span } from "../text/index.ts";
import { type Automaton, keyText, textOf } from "./automaton.ts";
import { textFolder } from "./fold-text.ts";
import { keyFinder, walker } from "./scan.ts";

/** One line of a dictionary. Without a type it says "maybe an entity". */
export interface Entry {
  readonly surface: string;
  readonly type?: string;
  readonly dictionary: string;
}

/** A span of tokens that reads, after folding, like a surface of the dictionaries. */
export interface Match extends Span {
  /** The number of that surface. */
  readonly key: number;
}

/** Finds dictionary surfaces in sentences. Not for two threads at once: give each its own, over the same automaton. */
export interface Matcher {
  readonly automaton: Automaton;
  /** All matches, also those that overlap, by start and then by end. */
  find(sentence: Pick<Sentence, "text" | "offsets">): Match[];
  /** The lines of the dictionaries that have a surface, first declared first. */
  entries(key: number): Entry[];
  /** Their types, each once, first declared first. */
  types(key: number): readonly string[];
  /** The number of the first dictionary that has the surface: lower numbers go first. */
  rank(key: number): number;
  /** True when a rule (stop list, length) keeps a surface from labelling, so that its matches stay unknown. */
  isRefused(key: number): boolean;
}

/** A matcher over a compiled automaton; a match starts where a token starts and ends where a token ends. */
export function matcherOf(automaton: Automaton): Matcher {
  const { header, arrays } = automaton;
  const { keyEntries, entryTypes, entryDictionaries } = arrays;
  const folder = textFolder(header.folding);
  const walk = walker(automaton, folder);
  const lookUp = keyFinder(automaton, folder);
  const single: readonly (readonly string[])[] = header.types.map((type) => [type]);
  return {
    automaton,
    find({ text, offsets }) {
      const matches: Match[] = [];
      const candidates = walk(text, offsets);
      lookUp(candidates);
      for (let c = 0; c < candidates.count; c++) {
        const key = candidates.keys[c]!;
        if (key >= 0) matches.push({ start: candidates.firsts[c]!, end: candidates.lasts[c]! + 1, key });
      }
      return matches;
    },
    entries: (key) => readEntries(automaton, key),
    types(key) {
      const from = keyEntries[key]!;
      const end = keyEntries[key + 1]!;
      if (end - from === 1) return single[entryTypes[from]!] ?? [];
      const numbers = new Set(entryTypes.subarray(from, end).filter((type) => type >= 0));
      return Array.from(numbers, (type) => header.types[type]!);
    },
    rank: (key) => entryDictionaries[keyEntries[key]!]!,
    isRefused: (key) => arrays.refused[key] === 1,
  };
}

function readEntries({ header, arrays }: Automaton, key: number): Entry[] {
  const entries: Entry[] = [];
  for (let entry = arrays.keyEntries[key]!; entry < arrays.keyEntries[key + 1]!; entry++) {
    const start = arrays.entrySurfaces[entry]!;
    const end = arrays.entrySurfaces[entry + 1]!;
    const surface = end > start ? textOf(arrays.surfaces, start, end) : keyText(arrays, key);
    const type = header.types[arrays.entryTypes[entry]!];
    const dictionary = header.dictionaries[arrays.entryDictionaries[entry]!]!;
    entries.push(type === undefined ? { surface, dictionary } : { surface, type, dictionary });
  }
  return entries;
}
