import { z } from "zod";
import { openTokeniser, type SubwordTokeniser, type TokeniserJson } from "../../inputs/index.ts";
import { InputError, messageOf, quote } from "../../util/errors.ts";
import { expectation } from "../../util/expectation.ts";
import { TimeExceeded, withinTime } from "../../util/within-time.ts";
import { parseObject } from "./config.ts";

/**
 * Reads a `tokenizer.json` of unknown origin: its parts are checked, its patterns are stopped when they take too long, and
 * truncation and padding, which some files switch on, are off.
 */
export function subwordTokeniser(text: string, file: string): SubwordTokeniser {
  const given = parseObject(text, file);
  const json = { ...checkedParts(given, file), truncation: null, padding: null } as TokeniserJson;
  const guarded = hasPatterns(given);
  return usable(file, () =>
    openTokeniser(json, file, (work) => usable(file, () => (guarded ? withinTime(patience, work) : work()))),
  );
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
