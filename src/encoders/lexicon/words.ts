import { z } from "zod";
import { countedVocabulary, vocabulary, type WordMatch, wordFinder } from "../../inputs/index.ts";
import type { Sentence } from "../../text/index.ts";
import { InputError } from "../../util/errors.ts";
import type { Table } from "../encoder.ts";
import { savedFile } from "../saved-file.ts";
import { emptyTable, fillTable } from "../tables.ts";
import { initialVectors, type WordVectors } from "../word-vectors.ts";
import { isWord, readWordList, usualList } from "./word-list.ts";

export const wordSettings = z.strictObject({
  /** The words to look for: a file with one on each line, or a package; when null those of `vectors`, or else of `@node-rs/jieba`. */
  lexicon: z.string().nullable().default(null),
  /** Pretrained vectors of words: a file or an installed package. */
  vectors: z.string().nullable().default(null),
  /** Bring pretrained vectors to length 1. */
  unitLength: z.boolean().default(true),
  /** Width of learned vectors; pretrained ones bring their own. */
  width: z.int().min(1).default(50),
  /** Words without a pretrained vector must be found this often in training to get one of their own. */
  minimumCount: z.int().min(1).default(2),
  /** How many pretrained vectors are kept, the most frequent words first; words found in training always are. */
  pretrainedWords: z.int().min(0).default(200_000),
  /** How many words count at one token, the longest first; a lattice takes all of them. */
  perToken: z.int().min(1).default(5),
});
export type WordSettings = z.output<typeof wordSettings>;

/** The words that an encoder sees in a text, and their vectors. */
export interface Words {
  readonly settings: WordSettings;
  readonly table: Table;
  /** All words of the lexicon in a sentence, also those that overlap, by start and then by end. */
  find(sentence: Pick<Sentence, "text" | "offsets">): WordMatch[];
  files(): Readonly<Record<string, string>>;
}

/** Words with a vector of their own, and those that share one: of the latter only their place in the text is known. */
interface KnownWords {
  readonly own: readonly string[];
  readonly others: readonly string[];
}

/** The file that holds the words. */
export const wordsFile = "words.json";

/** Reads the lexicon and the vectors that settings name. */
export async function openWords(sentences: readonly Sentence[], settings: WordSettings, seed: number): Promise<Words> {
  const vectors = await initialVectors(settings);
  const listed = settings.lexicon ?? (vectors ? null : usualList);
  return makeWords(sentences, settings, {
    seed,
    vectors,
    list: listed === null ? undefined : await readWordList(listed),
  });
}

/** The same from what was read: a list, vectors or both. */
export function makeWords(
  sentences: readonly Sentence[],
  settings: WordSettings,
  { seed, vectors, list }: { seed: number; vectors?: WordVectors | undefined; list?: readonly string[] | undefined },
): Words {
  const candidates = list ?? vectors?.words.filter(isWord) ?? [];
  if (candidates.length === 0) throw new InputError("words: neither the lexicon nor the vectors have any word");
  const known = chooseWords(sentences, candidates, settings, vectors);
  const complete = { ...settings, width: vectors?.width ?? settings.width };
  // A list is meant in full. A file of vectors may hold millions of words, of which only those that get their vector count.
  const words = assemble(complete, list ? known : { ...known, others: [] });
  fillTable(words.table, vocabulary(known.own), seed, vectors);
  return words;
}

/** The words of a saved model; their vectors are zero until the weights are read. */
export function restoreWords(settings: WordSettings, files: Readonly<Record<string, string>>): Words {
  const known = z.object({ own: z.array(z.string()), others: z.array(z.string()) });
  return assemble(settings, savedFile(files, wordsFile, known));
}

function assemble(settings: WordSettings, known: KnownWords): Words {
  const own = vocabulary(known.own);
  const finder = wordFinder([...known.own, ...known.others]);
  return {
    settings,
    table: emptyTable("words", own, settings.width),
    find: (sentence) => finder(sentence).map(({ start, end, word }) => ({ start, end, row: own.id(word) })),
    files: () => ({ [wordsFile]: JSON.stringify(known) }),
  };
}

function chooseWords(
  sentences: readonly Sentence[],
  candidates: readonly string[],
  settings: WordSettings,
  vectors: WordVectors | undefined,
): KnownWords {
  const find = wordFinder(candidates);
  const found = sentences.flatMap((sentence) => find(sentence).map(({ word }) => word));
  const own = new Set(countedVocabulary(found, settings.minimumCount).entries);
  if (vectors) {
    const wanted = new Set(candidates);
    for (const word of new Set(found)) if (vectors.row(word) !== undefined) own.add(word);
    for (const word of vectors.words.slice(0, settings.pretrainedWords)) if (wanted.has(word)) own.add(word);
  }
  return { own: [...own], others: candidates.filter((word) => !own.has(word)) };
}
