import { Tokenizer } from "@huggingface/tokenizers";
import { z } from "zod";
import { InputError, messageOf, quote } from "../../util/errors.ts";
import { expectation } from "../../util/expectation.ts";
import { TimeExceeded, withinTime } from "../../util/within-time.ts";
import { parseObject } from "./config.ts";

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

interface TokeniserJson {
  readonly added_tokens?: readonly { readonly content: string; readonly id: number; readonly special?: boolean }[];
  readonly pre_tokenizer?: Part | null;
  readonly model?: { readonly unk_token?: string | null; readonly unk_id?: number | null };
}

/**
 * Reads a `tokenizer.json`. Words are encoded one by one, each as if a space stood before it, so that sub-words belong
 * to words by construction; truncation and padding, which some files switch on, are off.
 */
export function subwordTokeniser(text: string, file: string): SubwordTokeniser {
  const given = parseObject(text, file);
  const json = { ...checkedParts(given, file), truncation: null, padding: null } as TokeniserJson;
  return usable(file, () => makeTokeniser(json, file, hasPatterns(given)));
}

function makeTokeniser(json: TokeniserJson, file: string, guarded: boolean): SubwordTokeniser {
  const whole = open(json);
  // A word that is spelt like a special token is a word.
  const added = (json.added_tokens ?? []).filter(({ special }) => !special);
  const plain = open({ ...json, added_tokens: added, pre_tokenizer: spaceBefore(json.pre_tokenizer) });
  const encode = (word: string): number[] => plain.encode(word, { add_special_tokens: false }).ids;
  const ids = (word: string): number[] =>
    usable(file, () => (guarded ? withinTime(patience, () => encode(word)) : encode(word)));
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

/** Longer, a pattern of the file never comes to an end. */
const patience = 500;

const partSchema = z.looseObject({ type: z.string() });

/** What the library and we take for granted of a file; the rest it checks itself. */
const jsonSchema = z.looseObject({
  added_tokens: z
    .array(
      z.looseObject({
        content: z.string(),
        id: z
          .int()
          .min(0)
          .max(2 ** 24),
        special: z.boolean().optional(),
      }),
    )
    .optional(),
  pre_tokenizer: partSchema.nullish(),
  normalizer: partSchema.nullish(),
  post_processor: partSchema.nullish(),
  decoder: partSchema.nullish(),
  model: z.looseObject({ unk_token: z.string().nullish(), unk_id: z.int().min(0).nullish() }),
});

function checkedParts(given: unknown, file: string): TokeniserJson {
  const parsed = jsonSchema.safeParse(given);
  if (parsed.success) {
    assertVocabulary(parsed.data.model.vocab, file);
    return parsed.data as unknown as TokeniserJson;
  }
  const [issue] = parsed.error.issues;
  throw new InputError(`is not a tokenizer that can be used: ${issue!.path.join(".")}: ${expectation(issue!)}`, {
    file,
  });
}

/** More ids than any table has rows. */
const largestId = 2 ** 24;

/** Sub-words with their ids, or in a list with their scores. */
function assertVocabulary(vocabulary: unknown, file: string): void {
  const isList = Array.isArray(vocabulary);
  const isId = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) < largestId;
  const isScored = (value: unknown): boolean =>
    Array.isArray(value) && typeof value[0] === "string" && typeof value[1] === "number";
  const wrong = Object.entries(Object(vocabulary)).find(([, value]) => !(isList ? isScored(value) : isId(value)));
  if (typeof vocabulary !== "object" || vocabulary === null || wrong !== undefined) {
    const got = wrong === undefined ? quote(vocabulary) : `${quote(wrong[0])}: ${quote(wrong[1])}`;
    throw new InputError(`is not a tokenizer that can be used: expected sub-words with ids or scores, got ${got}`, {
      file,
    });
  }
}

/** Whether a file brings patterns of its own, which may backtrack for ever. */
function hasPatterns(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, inner]) => key === "Regex" || (key !== "vocab" && hasPatterns(inner)));
}

function open(json: TokeniserJson): HuggingFaceTokenizer {
  return new Tokenizer(json, {});
}

/** Does something with a tokeniser; whatever goes wrong, the file is to blame. */
function usable<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof InputError) throw error;
    const reason = error instanceof TimeExceeded ? "a pattern takes too long to match a word" : messageOf(error);
    throw new InputError(`is not a tokenizer that can be used: ${reason}`, { file });
  }
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
