import { Tokenizer } from "@huggingface/tokenizers";
import { InputError, quote } from "../util/errors.ts";

/** Words → ids of sub-words. */
export interface SubwordTokeniser {
  /** The `tokenizer.json` to keep with a model. */
  readonly json: string;
  /** Ids that the model expects before and after a text, such as [CLS] and [SEP]. */
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** All ids are below this. */
  readonly size: number;
  /** Capitals make no difference to it. */
  readonly uncased: boolean;
  /** The sub-words of one word, at least one. */
  pieces(word: string): readonly number[];
}

/** Beyond so many words the memory is emptied: texts of any size are read in bounded memory. */
const rememberedWords = 200_000;

/** What is used of the library's tokeniser; its own type declarations do not resolve under Node's rules. */
interface HuggingFaceTokenizer {
  readonly normalizer: { normalize(text: string): string } | null;
  readonly model: { readonly vocab: readonly string[] };
  encode(text: string, options?: { readonly add_special_tokens?: boolean }): { readonly ids: number[] };
  token_to_id(token: string): number | undefined;
}

interface Part {
  readonly type?: string;
  readonly pretokenizers?: readonly Part[];
}

/** A `tokenizer.json`, as far as it is looked at. */
export interface TokeniserJson {
  readonly added_tokens?: readonly { readonly content: string; readonly id: number; readonly special?: boolean }[];
  readonly pre_tokenizer?: Part | null;
  readonly model?: { readonly unk_token?: string | null; readonly unk_id?: number | null };
}

/** Does work of the library, which may throw anything or take for ever. */
export type Guard = <T>(work: () => T) => T;

/**
 * A tokeniser over a parsed `tokenizer.json`. Words are encoded one by one, each as if a space stood before it, so that
 * sub-words belong to words by construction. `file` is named in errors.
 */
export function openTokeniser(json: TokeniserJson, file: string, guard: Guard = (work) => work()): SubwordTokeniser {
  const whole = open(json);
  // A word that is spelt like a special token is a word.
  const added = (json.added_tokens ?? []).filter(({ special }) => !special);
  const plain = open({ ...json, added_tokens: added, pre_tokenizer: spaceBefore(json.pre_tokenizer) });
  const ids = (word: string): number[] => guard(() => plain.encode(word, { add_special_tokens: false }).ids);
  const known = new Map<string, readonly number[]>();
  const unknown = unknownId(json, whole, file);
  const size = whole.model.vocab.length;
  return {
    json: JSON.stringify(json),
    ...specialIds(whole, file),
    size,
    uncased: whole.normalizer?.normalize("A") === "a",
    pieces(word) {
      const remembered = known.get(word);
      if (remembered) return remembered;
      const found = ids(word);
      if (!found.every((id) => Number.isInteger(id) && id >= 0 && id < size))
        throw new InputError(`is not a tokenizer that can be used: no ids for ${quote(word)}`, { file });
      const pieces = found.length > 0 ? found : [unknown];
      if (known.size >= rememberedWords) known.clear();
      known.set(word, pieces);
      return pieces;
    },
  };
}

function open(json: TokeniserJson): HuggingFaceTokenizer {
  return new Tokenizer(json, {}) as unknown as HuggingFaceTokenizer;
}

/** Byte-level tokenisers tell words by the space before them. */
function spaceBefore(part: Part | null | undefined): Part | null {
  if (!part) return null;
  if (part.type === "ByteLevel") return { ...part, add_prefix_space: true } as Part;
  return part.pretokenizers ? { ...part, pretokenizers: part.pretokenizers.map((each) => spaceBefore(each)!) } : part;
}

/** What the post-processor puts around a text, seen from what it does to one. */
function specialIds(tokenizer: HuggingFaceTokenizer, file: string): Pick<SubwordTokeniser, "before" | "after"> {
  const probe = "a";
  const bare = tokenizer.encode(probe, { add_special_tokens: false }).ids;
  const full = tokenizer.encode(probe).ids;
  const at = full.findIndex((_, start) => bare.every((id, i) => full[start + i] === id));
  const [before, after] = [full.slice(0, at), full.slice(at + bare.length)];
  if (before.length === 0 || after.length === 0) {
    throw new InputError("the post-processor must put a special token before and after a text", { file });
  }
  return { before, after };
}

function unknownId({ model, added_tokens = [] }: TokeniserJson, tokenizer: HuggingFaceTokenizer, file: string): number {
  const name = model?.unk_token ?? added_tokens.find(({ content }) => /^[[<]unk[\]>]$/i.test(content))?.content;
  const id = model?.unk_id ?? (name == null ? undefined : tokenizer.token_to_id(name));
  if (id == null) throw new InputError("names no token for unknown words", { file });
  return id;
}
