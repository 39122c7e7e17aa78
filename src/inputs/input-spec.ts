/** A list of strings: a JSON file, or the value under a key of it. Entry i has the id i + 2; 0 is padding, 1 is unknown. */
export interface EntryList {
  readonly file: string;
  readonly key?: string;
}

/** How sentences are cut into windows of sub-words. */
export interface SubwordLayout {
  /** A Hugging Face `tokenizer.json`. Words are encoded one by one, as if a space stood before each. */
  readonly tokenizer: string;
  /** Sub-words in a window, beside the special ones before and after. */
  readonly capacity: number;
  /** Sub-words that neighbouring windows share. */
  readonly overlap: number;
}

/** Words of a lexicon: a JSON file with the lists `own` (rows 2, 3 …) and `others` (row 1). */
interface WordLists {
  readonly file: string;
}

/**
 * How some inputs of an exported model are made from sentences: an entry of `inputs` in `lacuna.json`. The names of inputs
 * stand in fields of their own; `B` is sentences, `T` tokens of the longest one.
 */
export type InputSpec =
  /** `[B, T]`: 1 for tokens, 0 for padding. */
  | { readonly kind: "mask"; readonly input: string }
  /** `[B, T]`: the id of each token, in lower case, or of each token with the one behind it ("\n" behind the last). */
  | { readonly kind: "tokens"; readonly input: string; readonly of: "word" | "pair"; readonly entries: EntryList }
  /** `[words, characters]`: the letters of each different word; `[B, T]`: the number of the word at each token. */
  | { readonly kind: "spelling"; readonly characters: string; readonly words: string; readonly entries: EntryList }
  /** `[B, T]`: the number, from 1, of the first pattern that a token matches. */
  | { readonly kind: "shapes"; readonly input: string; readonly patterns: readonly string[] }
  | SubwordSpec
  /** The words of a lexicon at each position: of tokens, or of sub-words in windows. */
  | ({
      readonly kind: "words-at";
      readonly ids: string;
      readonly at: string;
      readonly perToken: number;
      readonly positions: "tokens" | SubwordLayout;
    } & WordLists)
  /** The words of a lexicon at each token in four sets, weighted by how often they occur. */
  | ({ readonly kind: "word-sets"; readonly ids: string; readonly places: string } & WordLists)
  /** Tokens and words of a lexicon as the nodes of a lattice. */
  | ({
      readonly kind: "word-lattice";
      readonly inputs: Readonly<Record<"ids" | "sources" | "visible" | "pairs" | "relations" | "distances", string>>;
      readonly width: number;
      readonly wordsAsk: boolean;
    } & WordLists)
  /** `[B, T, width]`: what a dictionary, a JSON file of pairs of surface and type, marks at each token. */
  | { readonly kind: "dictionary"; readonly input: string; readonly file: string; readonly anyCase: boolean }
  /** The characters of each sentence in both directions, and after which of them the states of words are taken. */
  | {
      readonly kind: "characters";
      readonly inputs: Readonly<Record<"forward" | "backward" | "forwardAt" | "backwardAt", string>>;
      readonly characters: string;
      readonly unknown: number;
      readonly before: string;
      readonly after: string;
    }
  /** `[B, S]`: first and last token of every span up to a width, by start and then by width. */
  | { readonly kind: "spans"; readonly starts: string; readonly ends: string; readonly maxWidth: number };

/** Sub-words in windows, and where the words stand in them. */
export interface SubwordSpec extends SubwordLayout {
  readonly kind: "subwords";
  readonly inputs: Readonly<Record<"ids" | "visible" | "first" | "last" | "mask" | "buckets", string>>;
  /** The id in padding. */
  readonly padding: number;
  /** Classes of distances; 0 for models without. */
  readonly buckets: number;
}

/** The files that an input is made with. */
export function filesOf(spec: InputSpec): readonly string[] {
  switch (spec.kind) {
    case "tokens":
    case "spelling":
      return [spec.entries.file];
    case "subwords":
      return [spec.tokenizer];
    case "words-at":
      return spec.positions === "tokens" ? [spec.file] : [spec.file, spec.positions.tokenizer];
    case "word-sets":
    case "word-lattice":
    case "dictionary":
      return [spec.file];
    case "characters":
      return [spec.characters];
    default:
      return [];
  }
}
