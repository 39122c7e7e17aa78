import { z } from "zod";
import { countedVocabulary, vocabulary, wordFinder, wordSetCount, wordSets } from "../../inputs/index.ts";
import { input, matmul, reshape, times } from "../../tensor/index.ts";
import type { Sentence, Span } from "../../text/index.ts";
import { own as ownOf } from "../../util/own.ts";
import { idsOf } from "../encoder.ts";
import { readWordList, usualList } from "../lexicon/word-list.ts";
import { savedFile } from "../saved-file.ts";
import { emptyTable, fillTable, rowsOf } from "../tables.ts";
import { initialVectors } from "../word-vectors.ts";
import { named, type Source, type SourceKind } from "./source.ts";

const settings = z.strictObject({
  name: z.literal("softlexicon"),
  /** The words to look for: a file with one on each line, or a package; when null those of `vectors`, or else of `@node-rs/jieba`. */
  from: z.string().min(1).nullable().default(null),
  /** Pretrained vectors of words: a file or an installed package. */
  vectors: z.string().nullable().default(null),
  /** Bring pretrained vectors to length 1. */
  unitLength: z.boolean().default(true),
  /** Whether training changes pretrained vectors. */
  tune: z.boolean().default(true),
  /** Width of learned vectors; pretrained ones bring their own. */
  width: z.int().min(1).default(50),
  /** Words without a pretrained vector must be found this often in training to get one of their own. */
  minimumCount: z.int().min(1).default(2),
});
type Settings = z.output<typeof settings>;

/** Words with a vector of their own, the others, and how often words occur in training. */
const knownSchema = z.object({
  own: z.array(z.string()).readonly(),
  others: z.array(z.string()).readonly(),
  counts: z.record(z.string(), z.int().min(0)).readonly(),
});
type Known = z.output<typeof knownSchema>;

/**
 * SoftLexicon (Ma et al. 2020): the words of a lexicon at each token, in four sets by the place of the token in them. The
 * vector of a set is the sum of its words' vectors, weighted by how often they occur in training; the weights of all four
 * sets sum up to 4.
 */
export const softlexicon = {
  name: "softlexicon",
  usage: "softlexicon:FILE",
  description: "the words of a lexicon that begin, contain, end or are each token; @node-rs/jieba without :FILE",
  settings,
  async open(given, sentences, { id, seed }) {
    const vectors = await initialVectors(given);
    const listed = given.from ?? (vectors ? null : usualList);
    const lexicon = listed === null ? vectors!.words : await readWordList(listed, { single: true });
    const found = sentences.flatMap(longestWords(lexicon));
    const seen = countedVocabulary(found).entries;
    const own = new Set(countedVocabulary(found, given.minimumCount).entries);
    if (vectors) for (const word of lexicon) if (vectors.row(word) !== undefined) own.add(word);
    const counts = new Map(seen.map((word) => [word, 0]));
    for (const word of found) counts.set(word, counts.get(word)! + 1);
    const known = {
      own: [...own],
      others: lexicon.filter((word) => !own.has(word)),
      counts: Object.fromEntries(counts),
    };
    const source = assemble({ ...given, width: vectors?.width ?? given.width }, known, id);
    fillTable(source.tables[0]!, vocabulary(known.own), seed, vectors);
    return source;
  },
  restore: (given, { id, files }) => assemble(given, savedFile(files, named(id, "json"), knownSchema), id),
} satisfies SourceKind<Settings>;

function assemble(given: Settings, known: Known, id: string): Source {
  const own = vocabulary(known.own);
  const find = wordFinder([...known.own, ...known.others]);
  // A word that training does not have still counts.
  const weightOf = (word: string): number => 1 + (ownOf(known.counts, word) ?? 0);
  const { width } = given;
  const table = emptyTable(named(id, "vectors"), own, width, given.vectors === null || given.tune);
  const places = named(id, "places");
  return {
    width: wordSetCount * width,
    settings: given,
    tables: [table],
    pretrained: [],
    batch(sentences, time) {
      const { ids, places: weights } = wordSets(sentences, time, find, own, weightOf);
      const lookup = { table, input: table.name, rows: ids.data };
      return { lookups: [lookup], feeds: { [table.name]: rowsOf(lookup, ids.shape), [places]: weights } };
    },
    build() {
      const vectors = input(table.name, "float32", ["batch", `${id} words`, width]);
      const weights = input(places, "float32", ["batch", "time", wordSetCount, `${id} words`]);
      const rows = reshape(weights, ["batch", times(wordSetCount, "time"), `${id} words`]);
      const joined = reshape(matmul(rows, vectors), ["batch", "time", wordSetCount * width]);
      return { first: joined, last: joined };
    },
    flops: ({ feeds }) => 2 * feeds[places]!.data.length * width,
    files: () => ({ [named(id, "json")]: JSON.stringify(known) }),
    portable: async () => ({
      inputs: [{ kind: "word-sets", ids: idsOf(table.name), places, file: named(id, "json") }],
    }),
  };
}

/** Of the words in a sentence those that lie in no longer one: else a short word would seem as frequent as all that contain it. */
function longestWords(lexicon: readonly string[]): (sentence: Sentence) => string[] {
  const find = wordFinder(lexicon);
  return (sentence) => {
    const matches = find(sentence);
    const length = ({ start, end }: Span): number => end - start;
    const covered = (a: Span): boolean =>
      matches.some((b) => b.start <= a.start && b.end >= a.end && length(b) > length(a));
    return matches.filter((match) => !covered(match)).map(({ word }) => word);
  };
}
