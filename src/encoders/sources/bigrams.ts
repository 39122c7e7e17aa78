import { z } from "zod";
import { bigramAt, countedVocabulary, textsOf } from "../../inputs/index.ts";
import { savedFile } from "../saved-file.ts";
import { fillTable } from "../tables.ts";
import { named, type SourceKind } from "./source.ts";
import { type TableSource, tableSource } from "./table-source.ts";

const settings = z.strictObject({
  name: z.literal("bigrams"),
  /** Width of the vector of a pair. */
  width: z.int().min(1).default(50),
  /** Pairs must occur this often in training to get a vector of their own. */
  minimumCount: z.int().min(1).default(2),
});
type Settings = z.output<typeof settings>;

/** A learned vector for each token with the one behind it: for scripts whose tokens are characters. */
export const bigrams = {
  name: "bigrams",
  usage: "bigrams",
  description: "learned vectors of pairs of neighbouring tokens, for scripts whose tokens are characters",
  settings,
  async open(given, sentences, { id, seed }) {
    const { entries } = countedVocabulary(textsOf(sentences, bigramAt), given.minimumCount);
    const source = assemble(given, entries, id);
    fillTable(source.tables[0]!, source.known, seed);
    return source;
  },
  restore: (given, { id, files }) => assemble(given, savedFile(files, named(id, "json"), z.array(z.string())), id),
} satisfies SourceKind<Settings>;

function assemble(given: Settings, entries: readonly string[], id: string): TableSource {
  return tableSource(id, entries, given, { width: given.width, of: "pair" });
}
