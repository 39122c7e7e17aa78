import { InputError, quote } from "../util/errors.ts";
import { own } from "../util/own.ts";
import { bilstmSettings } from "./bilstm.ts";
import { encoderInput } from "./command-form.ts";
import { bertWordSettings } from "./lexicon/bert-word.ts";
import { flatSettings } from "./lexicon/flat.ts";
import { lebertSettings } from "./lexicon/lebert.ts";
import { wordSettings } from "./lexicon/words.ts";
import { transformerSettings } from "./transformer/index.ts";

/**
 * Until version 0.1 every encoder had a section of its own beside `encoder`, and a run used some of them. These are the
 * sections, with what they held.
 */
const sections = {
  bilstm: bilstmSettings,
  transformer: transformerSettings,
  words: wordSettings,
  flat: flatSettings.omit({ name: true, words: true }),
  bertWord: bertWordSettings.pick({ units: true, dropout: true }),
  lebert: lebertSettings.pick({ layer: true, dropout: true }),
} as const;
type Section = keyof typeof sections;

/** The sections that an encoder used: one gave its own options, others those of a part. */
const used: Readonly<Record<string, { readonly own: Section; readonly parts: readonly Section[] }>> = {
  bilstm: { own: "bilstm", parts: [] },
  transformer: { own: "transformer", parts: [] },
  flat: { own: "flat", parts: ["words"] },
  "bert-word": { own: "bertWord", parts: ["transformer", "words"] },
  lebert: { own: "lebert", parts: ["transformer", "words"] },
};

/** Settings that the record of a run always holds, and that nobody gives all at once. */
const recorded = ["preset", "seed", "patience", "evaluations", "batchTokens", "decay", "clip", "decode", "device"];

type Given = Readonly<Record<string, unknown>>;

/**
 * Settings in which the options of the encoder stand in `encoder`, from such where they stand in sections beside it. Options
 * of an encoder that the run does not use are an error, but for those in the record of a run, which has all there are.
 */
export function migrateEncoder(given: Given): Given {
  const present = Object.keys(sections).filter((key) => given[key] !== undefined) as Section[];
  const named = encoderInput(given.encoder) ?? {};
  if (!isOptions(named)) throw new InputError(`setting "encoder": expected a name or an object, got ${quote(named)}`);
  const isRecord = recorded.every((key) => key in given);
  const encoder: Given & { readonly name: string } = { name: "bilstm", ...(isRecord ? withWidth(named) : named) };
  if (present.length === 0) return { ...given, encoder };
  const { own: section, parts } = own(used, encoder.name) ?? { own: undefined, parts: [] as readonly Section[] };
  const rest = Object.fromEntries(Object.entries(given).filter(([key]) => !Object.hasOwn(sections, key)));
  let result: Given = encoder;
  for (const key of present) {
    const options = given[key];
    if (!isOptions(options)) throw new InputError(`setting ${quote(key)}: expected object, got ${quote(options)}`);
    if (key === section) result = joined(result, options, key, "encoder");
    else if (parts.includes(key)) {
      const part = joined((result[key] ?? {}) as Given, options, key, `encoder.${key}`);
      result = { ...result, [key]: part };
    } else if (!isRecord && !isDefault(key, options)) {
      const fitting = Object.keys(used).filter((name) => used[name]!.own === key || used[name]!.parts.includes(key));
      throw new InputError(
        `setting ${quote(key)}: options of ${fitting.join(", ")}, but the encoder is ${encoder.name}; leave them out or choose another with --encoder`,
      );
    }
  }
  return { ...rest, encoder: result };
}

/** The settings of an encoder as a saved model has them; older ones have its own options in a section. */
export function migrateSaved(settings: Given): Given {
  const section = ["flat", "bertWord", "lebert"].find((key) => key in settings);
  if (section === undefined) return withWidth(settings);
  const { [section]: options, ...rest } = settings;
  return { ...(options as Given), ...rest };
}

/** What the context of a stack held before vectors could be narrowed. */
const olderContext = ["layers", "units", "dropout", "locked", "wordDropout"];

/** The LSTM of a stack read vectors as they are then, and what was stored does not say so. */
function withWidth(encoder: Given): Given {
  const { context } = encoder;
  const isOlder = isOptions(context) && olderContext.every((key) => key in context) && !("project" in context);
  return isOlder ? { ...encoder, context: { project: 0, ...context } } : encoder;
}

/** Options from a section beside those that `encoder` has already; the same option twice must agree. */
function joined(known: Given, options: Given, section: string, path: string): Given {
  const result: Record<string, unknown> = { ...known };
  for (const [key, value] of Object.entries(options)) {
    if (key in known && JSON.stringify(known[key]) !== JSON.stringify(value)) {
      throw new InputError(
        `setting ${quote(`${path}.${key}`)}: given twice, as ${quote(known[key])} and in ${section}.${key} as ${quote(value)}; keep the first`,
      );
    }
    result[key] = value;
  }
  return result;
}

function isOptions(value: unknown): value is Given {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isDefault(key: Section, options: unknown): boolean {
  const schema = sections[key];
  const parsed = schema.safeParse(options);
  return parsed.success && JSON.stringify(parsed.data) === JSON.stringify(schema.parse({}));
}
