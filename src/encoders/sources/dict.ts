import { z } from "zod";
import { buildMatcher, type Entry, readDictionary } from "../../lexicon/index.ts";
import { input } from "../../tensor/index.ts";
import type { Sentence } from "../../text/index.ts";
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

/** Where a token stands in a match. */
const roles = ["begins", "inside", "ends", "alone"] as const;

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
  const entries = known.map(([surface, type]): Entry => ({ surface, type, dictionary: id }));
  const matcher = buildMatcher(entries, { folding: { case: given.anyCase } });
  const types = [...new Set(known.map(([, type]) => type))].sort();
  const width = types.length * roles.length;
  const name = named(id, "matches");
  const mark = (row: Float32Array, sentence: Sentence): void => {
    for (const { start, end, key } of matcher.find(sentence)) {
      for (const type of matcher.types(key)) {
        const at = types.indexOf(type) * roles.length;
        for (let i = start; i < end; i++) row[i * width + at + roleOf(i, start, end)] = 1;
      }
    }
  };
  return {
    width,
    settings: given,
    tables: [],
    pretrained: [],
    batch(sentences, time) {
      const data = new Float32Array(sentences.length * time * width);
      sentences.forEach((sentence, b) => {
        mark(data.subarray(b * time * width, (b + 1) * time * width), sentence);
      });
      return { lookups: [], feeds: { [name]: { data, shape: [sentences.length, time, width] } } };
    },
    build() {
      const matches = input(name, "float32", ["batch", "time", width]);
      return { first: matches, last: matches };
    },
    flops: () => 0,
    files: () => ({ [named(id, "json")]: JSON.stringify(known) }),
  };
}

function roleOf(token: number, start: number, end: number): number {
  if (end - start === 1) return roles.indexOf("alone");
  return roles.indexOf(token === start ? "begins" : token === end - 1 ? "ends" : "inside");
}
