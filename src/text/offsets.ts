import { InputError } from "../util/errors.ts";

/** How a file counts characters. Inside Lacuna every offset is in UTF-16 code units, as JavaScript strings are indexed. */
export type OffsetUnit = "utf-16" | "code-point" | "byte";

export const offsetUnits: readonly OffsetUnit[] = ["utf-16", "code-point", "byte"];

/** Converts offsets of one text. Both directions refuse an offset outside the text or inside a character. */
export interface OffsetMap {
  /** The length of the text in the unit. */
  readonly length: number;
  toUtf16(offset: number): number;
  fromUtf16(offset: number): number;
}

/** Prepares a text for conversion: linear in its length once, logarithmic for each offset. */
export function offsetMap(text: string, unit: OffsetUnit): OffsetMap {
  const weigh = weights[unit];
  const table = new Int32Array(text.length + 1); // offset in the unit at each UTF-16 offset; −1 inside a pair
  let total = 0;
  for (let i = 0; i < text.length; ) {
    const codePoint = text.codePointAt(i)!;
    table[i++] = total;
    if (codePoint > 0xffff) table[i++] = -1;
    total += weigh(codePoint);
  }
  table[text.length] = total;
  return {
    length: total,
    toUtf16(offset) {
      if (!Number.isInteger(offset) || offset < 0 || offset > total)
        refuse(offset, unit, `outside the text (0 to ${total})`);
      const found = locate(table, offset);
      if (found < 0) refuse(offset, unit, "inside a character");
      return found;
    },
    fromUtf16(offset) {
      const found = table[offset];
      if (found === undefined) refuse(offset, "utf-16", `outside the text (0 to ${text.length})`);
      if (found < 0) refuse(offset, "utf-16", "inside a character");
      return found;
    },
  };
}

const weights: { readonly [Unit in OffsetUnit]: (codePoint: number) => number } = {
  "utf-16": (codePoint) => (codePoint > 0xffff ? 2 : 1),
  "code-point": () => 1,
  byte: (codePoint) => (codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4),
};

/** Binary search in a table that rises but for the −1 in the middle of pairs; −1 when the offset is no entry of it. */
function locate(table: Int32Array, offset: number): number {
  let low = 0;
  let high = table.length - 1;
  while (low <= high) {
    let middle = (low + high) >> 1;
    if (table[middle]! < 0) middle--;
    const value = table[middle]!;
    if (value === offset) return middle;
    if (value < offset) low = table[middle + 1]! < 0 ? middle + 2 : middle + 1;
    else high = middle - 1;
  }
  return -1;
}

function refuse(offset: number, unit: OffsetUnit, rule: string): never {
  throw new InputError(`the ${unit} offset ${offset} is ${rule}`);
}
