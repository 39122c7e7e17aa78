import { z } from "zod";
import type { Model } from "../heads/index.ts";
import { InputError, unknownName } from "../util/errors.ts";

/**
 * What is added to the score of O before decoding: beside every type, or beside each by its name, where a type that is
 * not named has 0. Missing labels move a model's threshold more than its ranking; a number below 0 moves it back.
 */
export const shiftSchema = z.union([z.number(), z.record(z.string(), z.number())]);
export type Shift = Readonly<z.output<typeof shiftSchema>>;

/** `-2.5`, or `LOC -2, PER -3`. */
export function shiftText(shift: Shift): string {
  if (typeof shift === "number") return rounded(shift);
  return Object.entries(shift)
    .map(([type, value]) => `${type} ${rounded(value)}`)
    .join(", ");
}

/** What a shift adds to the score of each label; nothing where it changes nothing. */
export function labelBiases(
  { types, typeOf, rigid }: Pick<Model, "types" | "typeOf" | "rigid">,
  shift: Shift,
): Float32Array | undefined {
  for (const name of typeof shift === "number" ? [] : Object.keys(shift)) {
    if (!types.includes(name)) throw new InputError(`decode.shift: unknown type ${unknownName(name, types)}`);
  }
  // More for O is as much less for a type: decoding and softmax see differences only.
  const ofType = types.map((type) => -(typeof shift === "number" ? shift : (shift[type] ?? 0)));
  if (ofType.every((bias) => bias === 0)) return undefined;
  if (rigid !== undefined) throw new InputError(`decode.shift: ${rigid}`);
  return Float32Array.from(typeOf, (type) => (type < 0 ? 0 : ofType[type]!));
}

function rounded(value: number): string {
  return String(Math.round(100 * value) / 100);
}
