import { z } from "zod";
import { type Shift, shiftSchema } from "./shift.ts";

/** How the candidates of a sentence become its entities. */
export const decodeSettings = z.strictObject({
  /** Which predicted entities may overlap: none (`flat`), one inside the other (`nested`), or any (`all`). */
  overlap: z.enum(["flat", "nested", "all"]).default("flat"),
  /** Entities below this probability are left out. */
  minScore: z.number().min(0).max(1).default(0),
  /**
   * Added to the score of O. `auto` chooses one number on dev, or without dev by how much is estimated to be missing;
   * `by-type` chooses one for each type in the same way.
   */
  shift: z.union([z.enum(["auto", "by-type"]), shiftSchema]).default(0),
});
export type DecodeSettings = z.output<typeof decodeSettings>;

/** The same with nothing left to choose. */
export interface Decoding extends Omit<DecodeSettings, "shift"> {
  readonly shift: Shift;
}

/** What a model does that was told nothing. */
export const plainDecoding: Decoding = { overlap: "flat", minScore: 0, shift: 0 };
