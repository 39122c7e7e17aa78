import { type Sentence, tokenCount } from "../text/index.ts";
import { InputError, messageOf } from "../util/errors.ts";
import { parseJson } from "../util/json.ts";
import { own } from "../util/own.ts";
import { fields, finite, list, optional, record, type Shape, text } from "../util/shape.ts";
import { characterNumbers } from "./character-numbers.ts";
import { type DictionaryEntries, dictionaryMarks } from "./dictionary-marks.ts";
import type { EntryList, InputSpec, SubwordLayout } from "./input-spec.ts";
import type { Feeds, Numbers } from "./numbers.ts";
import { shapesOf } from "./shapes.ts";
import { spelling } from "./spelling.ts";
import { openTokeniser, type SubwordTokeniser } from "./subword-tokeniser.ts";
import { type LayoutOptions, layOut, subwordCount, subwordNumbers } from "./subwords.ts";
import { bigramAt, foldedAt, longestOf, maskOf, tokenIds } from "./tokens.ts";
import { vocabulary } from "./vocabulary.ts";
import { wordFinder } from "./word-finder.ts";
import { wordLattice } from "./word-lattice.ts";
import { type WordMatch, wordNumbers } from "./word-rows.ts";
import { wordSets } from "./word-sets.ts";

/** Makes the inputs of an exported model. */
export interface Feeder {
  feed(sentences: readonly Sentence[]): Feeds;
  /** Places that a sentence takes in a row of a batch. */
  size(sentence: Sentence): number;
}

/** One kind of input at work; `time` is the number of tokens of the longest sentence. */
interface Part {
  feed(sentences: readonly Sentence[], time: number): Feeds;
  size?(sentence: Sentence): number;
}

/** The files of an exported model by name. */
export type Files = Readonly<Record<string, string>>;

type SpecOf<K extends InputSpec["kind"]> = Extract<InputSpec, { readonly kind: K }>;

/** How each kind of input is made; `spans` belong to the head, which knows their number. */
const kinds: { readonly [K in Exclude<InputSpec["kind"], "spans">]: (spec: SpecOf<K>, opened: Opened) => Part } = {
  mask: ({ input }) => ({
    feed: (sentences, time) => ({ [input]: byToken(maskOf(sentences, time), sentences, time) }),
  }),
  tokens({ input, of, entries }, { list }) {
    const known = vocabulary(list(entries));
    const textAt = of === "word" ? foldedAt : bigramAt;
    return {
      feed: (sentences, time) => ({ [input]: byToken(tokenIds(sentences, time, known, textAt), sentences, time) }),
    };
  },
  spelling({ characters, words, entries }, { list }) {
    const known = vocabulary(list(entries));
    return {
      feed(sentences, time) {
        const spelt = spelling(sentences, time, known);
        return { [characters]: spelt.characters, [words]: spelt.words };
      },
    };
  },
  shapes: ({ input }) => ({
    feed: (sentences, time) => ({ [input]: byToken(shapesOf(sentences, time), sentences, time) }),
  }),
  subwords(spec, { layout }) {
    const options = layout(spec);
    return {
      feed: (sentences) => named(spec.inputs, { ...subwordNumbers(layOut(sentences, options), spec) }),
      size: (sentence) => subwordCount(sentence, options.tokeniser),
    };
  },
  "words-at"({ ids, at, file, perToken, positions }, { words, layout }) {
    const find = matchesOf(words(file));
    const options = positions === "tokens" ? undefined : layout(positions);
    return {
      feed(sentences, time) {
        const matches = sentences.map(find);
        const windows = options && layOut(sentences, options).rows;
        const rows = windows
          ? windows.map((row) => ({ matches: matches[row.sentence]!, tokens: row.words }))
          : sentences.map((sentence, b) => ({ matches: matches[b]!, tokens: [...Array(tokenCount(sentence)).keys()] }));
        const length = windows ? windows.reduce((most, row) => Math.max(most, row.ids.length), 1) : time;
        const found = wordNumbers(rows, length, perToken);
        return { [ids]: found.ids, [at]: found.at };
      },
    };
  },
  "word-sets"({ ids, places, file }, { words }) {
    const lists = words(file);
    const find = wordFinder([...lists.own, ...lists.others]);
    const known = vocabulary(lists.own);
    const weightOf = (word: string): number => 1 + (own(lists.counts ?? {}, word) ?? 0);
    return {
      feed(sentences, time) {
        const found = wordSets(sentences, time, find, known, weightOf);
        return { [ids]: found.ids, [places]: found.places };
      },
    };
  },
  "word-lattice"({ inputs, file, ...options }, { words }) {
    const find = matchesOf(words(file));
    return { feed: (sentences, time) => named(inputs, { ...wordLattice(sentences, time, find, options) }) };
  },
  dictionary({ input, file, anyCase }, { json }) {
    const { marks } = dictionaryMarks(json(file, list(list(text, 2))) as DictionaryEntries, { anyCase });
    return { feed: (sentences, time) => ({ [input]: marks(sentences, time) }) };
  },
  characters({ inputs, characters, unknown, before, after }, { json }) {
    const known = json(characters, list(text)) as string[];
    const numbers = characterNumbers({ characters: known, unknown, before, after });
    return { feed: (sentences, time) => named(inputs, { ...numbers(sentences, time) }) };
  },
};

/** Opens what descriptions name. */
export function feeder(specs: readonly InputSpec[], files: Files): Feeder {
  const opened = openFiles(files);
  const parts = specs.flatMap((spec): Part[] => {
    if (spec.kind === "spans") return [];
    const make = kinds[spec.kind] as (spec: InputSpec, opened: Opened) => Part;
    return [make(spec, opened)];
  });
  return {
    feed(sentences) {
      const time = longestOf(sentences);
      return Object.assign({}, ...parts.map((part) => part.feed(sentences, time))) as Feeds;
    },
    size: (sentence) => parts.reduce((most, part) => Math.max(most, part.size?.(sentence) ?? 0), tokenCount(sentence)),
  };
}

interface WordLists {
  readonly own: readonly string[];
  readonly others: readonly string[];
  readonly counts?: Readonly<Record<string, number>>;
}

const wordLists = fields({ own: list(text), others: list(text), counts: optional(record(finite)) });

/** The files of a model, each read once; what they hold is checked. */
interface Opened {
  json(file: string, shape: Shape): unknown;
  list(entries: EntryList): readonly string[];
  words(file: string): WordLists;
  layout(spec: SubwordLayout): LayoutOptions;
}

function openFiles(files: Files): Opened {
  const parsed = new Map<string, unknown>();
  const json = (file: string, shape: Shape): unknown => {
    const content = own(files, file);
    if (content === undefined) throw new InputError("the exported model lacks this file; export it again", { file });
    if (!parsed.has(file)) parsed.set(file, parseJson(content, "JSON", { file }));
    const fault = shape(parsed.get(file), "");
    if (fault !== undefined) throw new InputError(fault, { file });
    return parsed.get(file);
  };
  const tokenisers = new Map<string, SubwordTokeniser>();
  return {
    json,
    list: ({ file, key }) =>
      key === undefined
        ? (json(file, list(text)) as string[])
        : (json(file, fields({ [key]: list(text) })) as Record<string, string[]>)[key]!,
    words: (file) => json(file, wordLists) as WordLists,
    layout({ tokenizer, capacity, overlap }) {
      const known = tokenisers.get(tokenizer);
      const tokeniser = known ?? tokeniserOf(json(tokenizer, fields({})) as object, tokenizer);
      tokenisers.set(tokenizer, tokeniser);
      return { tokeniser, capacity, overlap };
    },
  };
}

/** A tokenizer whose parts do not fit together fails in the library, with errors that name no file. */
function tokeniserOf(json: object, file: string): SubwordTokeniser {
  const usable = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (error instanceof InputError) throw error;
      throw new InputError(`is not a tokenizer that can be used: ${messageOf(error)}`, { file });
    }
  };
  return usable(() => openTokeniser(json, file, usable));
}

/** The words of a lexicon in a sentence, with the rows of those that have one. */
function matchesOf({ own: known, others }: WordLists): (sentence: Sentence) => WordMatch[] {
  const find = wordFinder([...known, ...others]);
  const rows = vocabulary(known);
  return (sentence) => find(sentence).map(({ start, end, word }) => ({ start, end, row: rows.id(word) }));
}

function byToken(data: Numbers["data"], sentences: readonly Sentence[], time: number): Numbers {
  return { data, shape: [sentences.length, time] };
}

/** Numbers under the names of the inputs. */
function named(names: Readonly<Record<string, string>>, numbers: Readonly<Record<string, Numbers | undefined>>): Feeds {
  return Object.fromEntries(
    Object.entries(numbers).flatMap(([part, value]) => (value && own(names, part) ? [[names[part]!, value]] : [])),
  );
}
