import { clusterFolder, foldedTable, foldingTable, KIND, OTHER, SPACE, WIDE } from "./code-units.ts";
import type { Folding } from "./folding.ts";

/**
 * The hash of folded text is the sum of its units, with their kinds, times powers of this base: the hash of any part
 * follows from those of two prefixes.
 */
export const hashBase = 0x2c1b3c6d;

/**
 * Folds the tokens of a sentence into one array of code units, and says where each token starts and ends there. One
 * object serves any number of sentences, one after the other; it keeps its arrays.
 */
export interface TextFolder {
  /** The folded code units of the last sentence. */
  units: Uint16Array;
  /** Where token t starts and ends in `units`; -1 where a boundary parts a character from its marks. */
  starts: Int32Array;
  ends: Int32Array;
  /** The hashes of all units before the start and before the end of token t. */
  startHashes: Int32Array;
  endHashes: Int32Array;
  /** Folds the tokens (start and end in `text`, alternating, ascending) and returns the number of units. */
  fold(text: string, offsets: Int32Array): number;
}

export function textFolder(folding: Folding): TextFolder {
  const table = foldingTable(folding);
  const clusters = clusterFolder(folding, table);
  const spacesKept = spaceRule(folding.whitespace);
  const exact = folding.whitespace === "exact";

  const folder: TextFolder = {
    units: new Uint16Array(0),
    starts: new Int32Array(0),
    ends: new Int32Array(0),
    startHashes: new Int32Array(0),
    endHashes: new Int32Array(0),
    fold(text, offsets) {
      if (offsets.length === 0) return 0;
      const length = run(text, offsets, table.values, table.look);
      if (length >= 0) return length;
      const simple = clusters.settle(text, offsets);
      return run(simple.text, simple.offsets, foldedTable.values, foldedTable.look);
    },
  };

  /** The fast loop over units that fold to one unit each; gives up with -1 at the first that does not. */
  function run(text: string, offsets: Int32Array, values: Int32Array, look: (unit: number) => number): number {
    reserve(folder, offsets);
    const { units, starts, ends, startHashes, endHashes } = folder;
    let hash = 0;
    let length = 0;
    let previous = SPACE;
    let pending = -1; // where the white space before the present unit began
    let position = offsets[0]!;
    for (let boundary = 0; boundary < offsets.length; boundary++) {
      const stop = offsets[boundary]!; // -1 reads nothing, and is noted as it stands
      const token = boundary >> 1;
      const inside = (boundary & 1) === 1;
      while (position < stop) {
        const unit = text.charCodeAt(position);
        let value = values[unit]! || look(unit);
        if (value >= SPACE) {
          if (value >= WIDE) return -1;
          if (pending < 0) pending = position;
          position++;
          continue;
        }
        if (pending >= 0) {
          const opens = inside && starts[token] === length;
          const spaces = length === 0 ? 0 : spacesKept(previous & KIND, value & KIND, position - pending);
          for (let k = 0; k < spaces; k++) {
            const space = exact ? values[text.charCodeAt(pending + k)]! : SPACE | 0x20;
            units[length++] = space;
            hash = (Math.imul(hash, hashBase) + space) | 0;
          }
          if (opens) {
            starts[token] = length;
            startHashes[token] = hash;
          }
          pending = -1;
        }
        do {
          units[length++] = value; // the array keeps the unit and drops the kind
          hash = (Math.imul(hash, hashBase) + value) | 0;
          previous = value;
          if (++position === stop) break;
          value = values[text.charCodeAt(position)]!;
        } while (value > 0 && value < SPACE);
      }
      (inside ? ends : starts)[token] = stop < 0 ? -1 : length;
      (inside ? endHashes : startHashes)[token] = hash;
    }
    return length;
  }

  return folder;
}

/** How many spaces stay of a run of white space between two units of these kinds. */
function spaceRule(whitespace: Folding["whitespace"]): (before: number, after: number, run: number) => number {
  switch (whitespace) {
    case "exact":
      return (_before, _after, run) => run;
    case "single":
      return () => 1;
    case "words":
      return (before, after) => (before < OTHER && after < OTHER ? 1 : 0);
    case "ignore":
      return () => 0;
  }
}

function reserve(folder: TextFolder, offsets: Int32Array): void {
  const length = offsets[offsets.length - 1]! - offsets[0]!;
  if (folder.units.length < length) folder.units = new Uint16Array(2 * length);
  const tokens = offsets.length >> 1;
  if (folder.starts.length >= tokens) return;
  folder.starts = new Int32Array(2 * tokens);
  folder.ends = new Int32Array(2 * tokens);
  folder.startHashes = new Int32Array(2 * tokens);
  folder.endHashes = new Int32Array(2 * tokens);
}
