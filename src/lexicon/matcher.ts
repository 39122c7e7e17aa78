import type { Sentence, Span } from "../text/document.ts";
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
  /** What the dictionaries say of a key. */
  key(key: number): Key;
}

/** A surface of the dictionaries, after folding. */
export interface Key {
  /** Its lines, first declared first. */
  readonly entries: readonly Entry[];
  /** Their types, each once, first declared first. */
  readonly types: readonly string[];
  /** The number of the first dictionary that has it: lower numbers go first. */
  readonly rank: number;
  /** True when a rule (stop list, length) keeps it from labelling, so that its matches stay unknown. */
  readonly refused: boolean;
}

/** A matcher over a compiled automaton; a match starts where a token starts and ends where a token ends. */
export function matcherOf(automaton: Automaton): Matcher {
  const folder = textFolder(automaton.header.folding);
  const walk = walker(automaton, folder);
  const lookUp = keyFinder(automaton, folder);
  const remembered = new Map<number, Key>();
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
    key(number) {
      let key = remembered.get(number);
      if (key === undefined) {
        key = readKey(automaton, number);
        if (remembered.size === maximumRemembered) remembered.clear();
        remembered.set(number, key);
      }
      return key;
    },
  };
}

const maximumRemembered = 1 << 16;

function readKey({ header, arrays }: Automaton, key: number): Key {
  const entries: Entry[] = [];
  for (let entry = arrays.keyEntries[key]!; entry < arrays.keyEntries[key + 1]!; entry++) {
    const start = arrays.entrySurfaces[entry]!;
    const end = arrays.entrySurfaces[entry + 1]!;
    const surface = end > start ? textOf(arrays.surfaces, start, end) : keyText(arrays, key);
    const type = header.types[arrays.entryTypes[entry]!];
    const dictionary = header.dictionaries[arrays.entryDictionaries[entry]!]!;
    entries.push(type === undefined ? { surface, dictionary } : { surface, type, dictionary });
  }
  const types = entries.flatMap(({ type }) => (type === undefined ? [] : [type]));
  return {
    entries,
    types: [...new Set(types)],
    rank: arrays.entryDictionaries[arrays.keyEntries[key]!]!,
    refused: arrays.refused[key] === 1,
  };
}
