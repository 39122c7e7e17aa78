import { z } from "zod";
import { savedFile } from "../saved-file.ts";
import { fillTable } from "../tables.ts";
import { chooseWords } from "../token-vectors.ts";
import { initialVectors } from "../word-vectors.ts";
import { named, type SourceKind } from "./source.ts";
import { type TableSource, tableSource } from "./table-source.ts";

const settings = z.strictObject({
  name: z.literal("words"),
  /** Pretrained vectors: a file or an installed package. Without them vectors are learned. */
  from: z.string().min(1).nullable().default(null),
  /** Whether training changes pretrained vectors. */
  tune: z.boolean().default(false),
  /** Bring pretrained vectors to length 1. */
  unitLength: z.boolean().default(false),
  /** Width of learned vectors; pretrained ones bring their own. */
  width: z.int().min(1).default(100),
  /** Words must occur this often in training to get a vector of their own. */
  minimumCount: z.int().min(1).default(2),
  /** How many pretrained vectors are kept, the most frequent words first; words of the training set always are. */
  pretrainedWords: z.int().min(0).default(400_000),
});
type Settings = z.output<typeof settings>;

/** Vectors of words, looked up without case: pretrained ones, fixed or tuned, or learned ones. */
export const words = {
  name: "words",
  usage: "words:FILE",
  description: "vectors of words from a GloVe or word2vec file or a package; learned ones without :FILE",
  settings,
  async open(given, sentences, { id, seed }) {
    const vectors = await initialVectors({ vectors: given.from, unitLength: given.unitLength });
    const complete = { ...given, width: vectors?.width ?? given.width };
    const entries = chooseWords(sentences, given, vectors);
    const source = assemble(complete, entries, id);
    fillTable(source.tables[0]!, source.known, seed, vectors);
    return source;
  },
  restore: (given, { id, files }) => assemble(given, savedFile(files, named(id, "json"), z.array(z.string())), id),
} satisfies SourceKind<Settings>;

function assemble(given: Settings, entries: readonly string[], id: string): TableSource {
  const trainable = given.from === null || given.tune;
  return tableSource(id, entries, given, { width: given.width, trainable, of: "word" });
}
