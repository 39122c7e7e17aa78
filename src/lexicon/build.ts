import { findTokens } from "../text/index.ts";
import { InputError } from "../util/errors.ts";
import { compile, entryColumns } from "./compile.ts";
import { type TextFolder, textFolder } from "./fold-text.ts";
import { type Folding, makeFolding } from "./folding.ts";
import { type KeyTable, keyTable } from "./key-table.ts";
import { type Entry, type Matcher, matcherOf } from "./matcher.ts";
import { int32List } from "./typed-list.ts";

export interface BuildOptions {
  readonly folding?: Partial<Folding>;
  /** Surfaces that must not be labelled, folded like the entries: their matches stay unknown. */
  readonly stop?: Iterable<string>;
  /** Surfaces of fewer UTF-16 units, after folding, stay unknown. */
  readonly minimumLength?: number;
  /** Surfaces of more words stay unknown; a Chinese or Japanese character is a word. */
  readonly maximumWords?: number;
}

/** Takes entries one by one, so that a dictionary need not be in memory as objects. */
export interface MatcherBuilder {
  /** Where two entries compete, the one added first has priority. */
  add(entry: Entry): void;
  finish(): Matcher;
}

/** Compiles entries into a matcher. */
export function buildMatcher(entries: Iterable<Entry>, options: BuildOptions = {}): Matcher {
  const builder = matcherBuilder(options);
  for (const entry of entries) builder.add(entry);
  return builder.finish();
}

export function matcherBuilder(options: BuildOptions = {}): MatcherBuilder {
  const { stop = [], minimumLength = 1, maximumWords = Number.MAX_SAFE_INTEGER } = options;
  checkCount("minimum length", minimumLength);
  checkCount("maximum words", maximumWords);
  const folding = makeFolding(options.folding);
  const folder = textFolder(folding);
  const keys = keyTable();
  const types = numbering();
  const dictionaries = numbering();
  const entries = entryColumns();
  const lastOfKey = int32List(); // the entry added last for each key
  const entryBefore = int32List(); // the entry of the same key that was added before it; -1 for none
  const refused = new Set<number>();
  let repeated = 0;
  let vanished = 0;

  const stands = (key: number, type: number, dictionary: number): boolean => {
    for (let entry = lastOfKey.values[key]!; entry >= 0; entry = entryBefore.values[entry]!) {
      if (entries.types.values[entry] === type && entries.dictionaries.values[entry] === dictionary) return true;
    }
    return false;
  };

  return {
    add({ surface, type, dictionary }) {
      const length = foldSurface(folder, surface);
      if (length === 0) {
        vanished++;
        return;
      }
      const key = keys.intern(folder, length);
      if (key === lastOfKey.length) lastOfKey.push(-1);
      const typeNumber = type === undefined ? -1 : types.of(type);
      const dictionaryNumber = dictionaries.of(dictionary);
      if (stands(key, typeNumber, dictionaryNumber)) {
        repeated++;
        return;
      }
      entryBefore.push(lastOfKey.values[key]!);
      lastOfKey.values[key] = entries.keys.length;
      entries.keys.push(key);
      entries.types.push(typeNumber);
      entries.dictionaries.push(dictionaryNumber);
      entries.surfaceStarts.push(entries.surfaces.length);
      if (!isFolded(surface, folder, length)) {
        for (let k = 0; k < surface.length; k++) entries.surfaces.push(surface.charCodeAt(k));
      }
      if (length < minimumLength || isLonger(surface, maximumWords)) refused.add(key);
    },

    finish() {
      if (keys.size === 0) throw new InputError("dictionary: at least one entry is needed, got none");
      entries.surfaceStarts.push(entries.surfaces.length);
      for (const key of keysOf(stop, folder, keys)) refused.add(key);
      const facts = { folding, types: types.names, dictionaries: dictionaries.names, repeated, vanished };
      return matcherOf(compile(keys, entries, refused, facts));
    },
  };
}

function foldSurface(folder: TextFolder, surface: string): number {
  return folder.fold(surface, Int32Array.of(0, surface.length));
}

function isFolded(surface: string, folder: TextFolder, length: number): boolean {
  if (surface.length !== length) return false;
  for (let k = 0; k < length; k++) if (surface.charCodeAt(k) !== folder.units[k]) return false;
  return true;
}

function isLonger(surface: string, maximumWords: number): boolean {
  return surface.length > maximumWords && findTokens(surface).length >> 1 > maximumWords;
}

/** The keys that a list of surfaces names. */
function* keysOf(surfaces: Iterable<string>, folder: TextFolder, keys: KeyTable): Generator<number> {
  for (const surface of surfaces) {
    const key = keys.find(folder, foldSurface(folder, surface));
    if (key >= 0) yield key;
  }
}

/** Numbers for names, in the order in which they come. */
function numbering(): { readonly names: readonly string[]; of(name: string): number } {
  const names: string[] = [];
  const numbers = new Map<string, number>();
  return {
    names,
    of(name) {
      const known = numbers.get(name);
      if (known !== undefined) return known;
      numbers.set(name, names.length);
      return names.push(name) - 1;
    },
  };
}

function checkCount(name: string, value: number): void {
  if (!Number.isInteger(value) || value < 1) {
    throw new InputError(`dictionary: ${name} must be a whole number from 1, got ${value}`);
  }
}
