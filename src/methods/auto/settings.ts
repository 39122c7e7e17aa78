import { z } from "zod";
import type { Settings } from "../../training/index.ts";

export const autoSettings = z.strictObject({
  /** Heads that may be tried; with `head=token` only taggers are. */
  heads: z.enum(["any", "span", "token"]).default("any"),
  /** Encoders to try beside `encoder`, as on the command line. */
  encoders: z.array(z.string()).default([]),
  /** The share of the time that the search has; the rest is the winner's. */
  share: z.number().gt(0).lt(1).default(0.5),
  /** Seconds that an epoch of plain training takes; 0 measures it once. Given, the search does not depend on the machine. */
  epochSeconds: z.number().min(0).default(0),
});
export type AutoSettings = z.output<typeof autoSettings>;
/** The complete settings of a run that searches. */
export type AutoComplete = Settings & { readonly auto: AutoSettings };

/** The head of candidates that are not for a certain one. */
export function headOf({ auto, head }: Pick<AutoComplete, "auto" | "head">): Settings["head"]["name"] {
  return auto.heads === "token" ? "token" : head.name;
}
