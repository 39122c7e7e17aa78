import { z } from "zod";
import type { Settings } from "../../training/index.ts";
import type { Method } from "../method.ts";
import { markPhrases } from "./phrases.ts";

const path = z.string().min(1);

export const autonerMethodSettings = z.strictObject({
  /** A file, or files, with phrases that may be entities of any type: gaps that touch one are unknown. */
  full: z.union([path, z.array(path)]).default([]),
  /** Phrases are found in any case. */
  ignoreCase: z.boolean().default(false),
});
export type AutonerMethodSettings = z.output<typeof autonerMethodSettings>;

/** AutoNER (Shang et al. 2018): tie or break between tokens, types of what lies between breaks, and phrases that stay open. */
export const autoner: Method<{ readonly autoner: AutonerMethodSettings }> = {
  name: "autoner",
  description:
    "ties or breaks between tokens, and types between breaks; phrases of a dictionary without types stay open",
  settings: { sampler: "all", objective: "cross-entropy", head: { name: "autoner" } },
  presets: {
    paper: {
      head: { hidden: 300, dropout: 0.5, gapLoss: "hinge" },
      optimiser: "sgd",
      rate: 0.05,
      epochs: 50,
    },
  },
  sections: { autoner: autonerMethodSettings.prefault({}) },
  stages(settings: Settings & { readonly autoner: AutonerMethodSettings }) {
    if (settings.autoner.full.length === 0) return [{ name: "train", settings }];
    return [{ name: "train", settings, prepare: ({ data }) => markPhrases(data.train, settings.autoner) }];
  },
};
