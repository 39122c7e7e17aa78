import { classes, classOf, isUnspaced } from "../text/index.ts";
import { type Folding, foldCharacters } from "./folding.ts";

/**
 * What a folded code unit does to the white space beside it, in bits 16 and up of a table whose low bits are the unit.
 * The kinds above SPACE cannot be folded one by one.
 */
/** A letter or digit of which words are made; tokens end between two of them only in a corpus that cuts words. */
const WORD = 1 << 16;
/** A character that is a token of its own in writing that has spaces: Hangul, Thai. */
const SYLLABLE = 2 << 16;
/** Characters beside which white space means nothing: Han, kana, punctuation. */
export const OTHER = 3 << 16;
export const SPACE = 4 << 16;
/** Needs more than one unit to say: half of a pair, or a fold that grows. */
export const WIDE = 5 << 16;
/** Belongs to what stands before it: a mark, a vowel of Hangul. */
const EXTENDS = 6 << 16;
export const KIND = 7 << 16;

/** Folded unit and kind for every code unit, found out when first asked for (0: not yet). */
export interface UnitTable {
  readonly values: Int32Array;
  look(unit: number): number;
}

/** For text as it is, before folding. */
export function foldingTable(folding: Folding): UnitTable {
  return unitTable((unit) => classify(unit, folding));
}

/** For text that is folded already. */
export const foldedTable: UnitTable = unitTable((unit) => unit | plainKind(unit));

/** The unit of a folded text with its kind. */
export function foldedValue(unit: number): number {
  return foldedTable.values[unit]! || foldedTable.look(unit);
}

function unitTable(find: (unit: number) => number): UnitTable {
  const values = new Int32Array(0x10000);
  return {
    values,
    look(unit) {
      const value = find(unit);
      values[unit] = value;
      return value;
    },
  };
}

function plainKind(unit: number): number {
  const found = classOf(unit);
  if (found === classes.space) return SPACE;
  if (found === classes.other || isUnspaced(unit)) return OTHER;
  return found === classes.solitary ? SYLLABLE : WORD;
}

function classify(unit: number, folding: Folding): number {
  const folded = foldCharacters(String.fromCharCode(unit), folding);
  if (composes(unit) || composes(folded.codePointAt(0)!)) return EXTENDS;
  if (folded.length !== 1 || (unit & 0xf800) === 0xd800) return WIDE;
  return folded.charCodeAt(0) | plainKind(folded.charCodeAt(0));
}

function composes(codePoint: number): boolean {
  return classOf(codePoint) === classes.extend;
}

/** Says whether a token may end between two folded units, in any corpus that does not cut words into letters. */
export function breakRule(folding: Folding): (before: number, after: number) => boolean {
  if (folding.whitespace === "ignore") return () => true; // words stand side by side
  const isWord = (unit: number): boolean => (foldedValue(unit) & KIND) === WORD;
  return (before, after) => !isWord(before) || !isWord(after);
}

/** Folds characters together with their marks. */
export interface ClusterFolder {
  /** The text of the tokens, folded but for white space, with offsets to match; -1 for a boundary inside a cluster. */
  settle(text: string, offsets: Int32Array): { readonly text: string; readonly offsets: Int32Array };
}

const maximumRemembered = 1 << 16;

export function clusterFolder(folding: Folding, table: UnitTable): ClusterFolder {
  const remembered = new Map<string, string>();

  const fold = (cluster: string): string => {
    const known = remembered.get(cluster);
    if (known !== undefined) return known;
    const folded = foldCharacters(cluster, folding);
    if (remembered.size === maximumRemembered) remembered.clear();
    remembered.set(cluster, folded);
    return folded;
  };

  const extending = (text: string, position: number): boolean => {
    const unit = text.charCodeAt(position);
    if ((unit & 0xfc00) === 0xd800) return composes(text.codePointAt(position)!);
    return ((table.values[unit]! || table.look(unit)) & KIND) === EXTENDS;
  };

  const clusterEnd = (text: string, start: number, limit: number): number => {
    const step = (position: number): number => position + (text.codePointAt(position)! > 0xffff ? 2 : 1);
    let end = step(start);
    while (end < limit && extending(text, end)) end = step(end);
    return Math.min(end, limit);
  };

  return {
    settle(text, offsets) {
      const moved = new Int32Array(offsets.length);
      const limit = offsets[offsets.length - 1]!;
      let folded = "";
      let boundary = 0;
      let position = offsets[0]!;
      for (;;) {
        for (; boundary < offsets.length && offsets[boundary]! <= position; boundary++) {
          moved[boundary] = offsets[boundary] === position ? folded.length : -1;
        }
        if (position >= limit) return { text: folded, offsets: moved };
        const end = clusterEnd(text, position, limit);
        folded += fold(text.slice(position, end));
        position = end;
      }
    },
  };
}
