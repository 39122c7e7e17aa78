import { z } from "zod";
import { dictionaryMarks } from "../../inputs/index.ts";
import { readDictionary } from "../../lexicon/index.ts";
import { input } from "../../tensor/index.ts";
import { savedFile } from "../saved-file.ts";
import { named, type Source, type SourceKind } from "./source.ts";

const settings = z.strictObject({
  name: z.literal("dict"),
  /** A dictionary as `lacuna label` takes it. */
  from: z.string({ error: "expected a dictionary file" }).min(1, { error: "expected a dictionary file" }),
  /** The type of its entries, where its lines name none. */
  type: z.string().min(1).nullable().default(null),
  /** Entries match in any case. */
  anyCase: z.boolean().default(false),
});
type Settings = z.output<typeof settings>;

/** Surface and type of an entry; an entry without a type has the type "". */
const knownSchema = z.array(z.tuple([z.string(), z.string()]).readonly()).readonly();
type Known = z.output<typeof knownSchema>;

/**
 * What a dictionary says of each token: for every type, whether a match begins, goes on, ends or is the token alone. The
 * matches are features; they label nothing, and overlapping ones all count.
 */
export const dict = {
  name: "dict",
  usage: "dict:FILE",
  description: "the types and boundaries that a dictionary matches at each token, as features",
  settings,
  async open(given, _, { id }) {
    const options = { type: given.type ?? undefined, anyCase: given.anyCase };
    const entries = await readDictionary(given.from, options);
    return assemble(
      given,
      entries.map(({ surface, type = "" }) => [surface, type]),
      id,
    );
  },
  restore: (given, { id, files }) => assemble(given, savedFile(files, named(id, "json"), knownSchema), id),
} satisfies SourceKind<Settings>;

function assemble(given: Settings, known: Known, id: string): Source {
  const { width, marks } = dictionaryMarks(known, given);
  const name = named(id, "matches");
  return {
    width,
    settings: given,
    tables: [],
    pretrained: [],
    batch: (sentences, time) => ({ lookups: [], feeds: { [name]: marks(sentences, time) } }),
    build() {
      const matches = input(name, "float32", ["batch", "time", width]);
      return { first: matches, last: matches };
    },
    flops: () => 0,
    files: () => ({ [named(id, "json")]: JSON.stringify(known) }),
    portable: async () => ({
      inputs: [{ kind: "dictionary", input: name, file: named(id, "json"), anyCase: given.anyCase }],
    }),
  };
}
