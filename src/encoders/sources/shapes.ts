import { z } from "zod";
import { shapeFeatures } from "../word-features.ts";
import type { Source, SourceKind } from "./source.ts";

const settings = z.strictObject({
  name: z.literal("shapes"),
  /** Width of the vector of a shape. */
  width: z.int().min(1).default(10),
});
type Settings = z.output<typeof settings>;

/** How a word is written: lower case, capitalised, digits … */
export const shapes = {
  name: "shapes",
  usage: "shapes",
  description: "how each word is written: lower case, capitalised, digits and so on",
  settings,
  open: async (given, _, { id }) => assemble(given, id),
  restore: (given, { id }) => assemble(given, id),
} satisfies SourceKind<Settings>;

function assemble(given: Settings, id: string): Source {
  const features = shapeFeatures(`source.${id}`, given.width);
  return {
    width: given.width,
    settings: given,
    tables: [],
    pretrained: [],
    batch: (sentences, time) => ({ lookups: [], feeds: features.batch(sentences, time) }),
    build(params) {
      const vectors = features.build(params);
      return { first: vectors, last: vectors };
    },
    flops: () => 0,
    files: () => ({}),
    portable: async () => ({ inputs: features.specs({ file: "" }) }),
  };
}
