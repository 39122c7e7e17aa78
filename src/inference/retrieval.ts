import { z } from "zod";
import type { PartKind, PartSettings } from "../util/parts.ts";

/** How items get their labels: by the model alone, or together with the centroids of the labels. */
export const inferences = {
  plain: { description: "the model alone", settings: z.strictObject({}) },
  retrieval: {
    description: "the model, and how near a span is to the mean of each label",
    settings: z.strictObject({
      /** The weight of what is retrieved, or `dev` to choose it on the dev set after training. */
      alpha: z.union([z.literal("dev"), z.number().min(0).max(1)]).default("dev"),
      /** What is retrieved is mixed with probabilities, or with their logarithms. */
      mix: z.enum(["prob", "log"]).default("prob"),
    }),
  },
} satisfies Readonly<Record<string, PartKind>>;
export type InferenceSettings = PartSettings<typeof inferences>;
