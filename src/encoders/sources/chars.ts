import { z } from "zod";
import { savedFile } from "../saved-file.ts";
import { characterFeatures, characterVocabulary } from "../word-features.ts";
import { named, type Source, type SourceKind } from "./source.ts";

const settings = z.strictObject({
  name: z.literal("chars"),
  /** Width of the vector of a character. */
  width: z.int().min(1).default(30),
  /** Filters of the convolution. */
  filters: z.int().min(1).default(50),
  /** Characters that a filter sees; an odd number. */
  kernel: z
    .int()
    .min(1)
    .refine((kernel) => kernel % 2 === 1, { error: "expected an odd number" })
    .default(3),
});
type Settings = z.output<typeof settings>;

/** A convolution over the characters of each word, so that unknown words differ. */
export const chars = {
  name: "chars",
  usage: "chars",
  description: "a convolution over the characters of each word",
  settings,
  open: async (given, sentences, { id }) => assemble(given, characterVocabulary(sentences).entries, id),
  restore: (given, { id, files }) => assemble(given, savedFile(files, named(id, "json"), z.array(z.string())), id),
} satisfies SourceKind<Settings>;

function assemble(given: Settings, characters: readonly string[], id: string): Source {
  const { width, filters, kernel } = given;
  const features = characterFeatures(`source.${id}`, characters, {
    charWidth: width,
    charFilters: filters,
    charKernel: kernel,
  });
  return {
    width: filters,
    settings: given,
    tables: [],
    pretrained: [],
    batch: (sentences, time) => ({ lookups: [], feeds: features.batch(sentences, time) }),
    build(params) {
      const vectors = features.build(params);
      return { first: vectors, last: vectors };
    },
    flops: ({ feeds }) => 2 * feeds[named(id, "characters")]!.data.length * kernel * width * filters,
    files: () => ({ [named(id, "json")]: JSON.stringify(characters) }),
    portable: async () => ({ inputs: features.specs({ file: named(id, "json") }) }),
  };
}
