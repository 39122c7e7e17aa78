import { z } from "zod";
import { type Encoder, type EncoderKind, savedFile } from "../../encoders/index.ts";
import {
  decide,
  declaredDictionary,
  type Entry,
  eachEntry,
  foldingChoices,
  type LabelPolicy,
  type Matcher,
  makePolicy,
  matcherBuilder,
  readSurfaces,
} from "../../lexicon/index.ts";
import { impossible } from "../../nn/index.ts";
import { input } from "../../tensor/index.ts";
import { type Entity, type Sentence, tokenCount, withoutOverlaps } from "../../text/index.ts";
import { InputError, quote } from "../../util/errors.ts";
import { longest } from "../span/grid.ts";
import { tagSet } from "../token/tag-set.ts";

export const dictionarySettings = z.strictObject({
  /** Dictionaries as `lacuna label` takes them, `FILE` or `FILE=TYPE`: what `--dict` gives. */
  files: z.array(z.string().min(1)).default([]),
  /** Files of surfaces that are never entities, one a line. */
  stop: z.array(z.string().min(1)).default([]),
  /** The order of two columns without a head. */
  columns: z.enum(["surface-type", "type-surface"]).default("surface-type"),
  /** Surfaces of fewer characters do not count. */
  minLength: z.int().min(1).default(1),
  /** Surfaces of more words (Chinese: characters) do not count. */
  maxWords: z.int().min(1).default(10),
  /** Entries match in any case. */
  anyCase: z.boolean().default(false),
  /** Full-width and half-width forms are alike. */
  anyWidth: z.boolean().default(false),
  /** Unicode normal form. */
  normalise: z.enum(foldingChoices.normalisation).default("nfc"),
  /** Which white space counts. */
  whitespace: z.enum(foldingChoices.whitespace).default("words"),
  /** How hyphens are compared. */
  hyphens: z.enum(foldingChoices.hyphen).default("exact"),
  /** Which of overlapping matches count. */
  overlaps: z.enum(["longest", "squared", "drop", "priority"]).default("longest"),
  /** A surface with several types is no entity (`drop`), or has the type of the dictionary that was named first. */
  conflicts: z.enum(["drop", "priority"]).default("drop"),
});
export type DictionarySettings = z.output<typeof dictionarySettings>;

const named = z.strictObject({ name: z.literal("dictionary"), ...dictionarySettings.shape });
type Settings = z.output<typeof named>;

const fileName = "dictionary.json";

/** Everything beside the settings that the matcher is made of. */
const knownSchema = z.object({
  entries: z.array(z.object({ surface: z.string(), type: z.string(), dictionary: z.string() })),
  stop: z.array(z.string()),
});
type Known = z.output<typeof knownSchema>;

/** In place of an encoder: the tags that a dictionary gives to tokens. It reads text, and nothing of it is learned. */
export const dictionaryReader: EncoderKind<Settings> = {
  name: "dictionary",
  usage: "dictionary",
  description: "the tags that a dictionary gives to tokens",
  settings: named,
  open: readDictionaries,
  restore: (settings, files) => reader(settings, savedFile(files, fileName, knownSchema)),
};

export interface DictionaryEncoder extends Encoder {
  /** The types of the entries, in the order of the labels. */
  readonly types: readonly string[];
  /** What the dictionary finds in a sentence; no two overlap. */
  entitiesIn(sentence: Sentence): readonly Entity[];
}

/** Reads the files that settings name. */
export async function readDictionaries(settings: DictionarySettings): Promise<DictionaryEncoder> {
  const entries: Known["entries"] = [];
  for (const text of settings.files) {
    const { path, type } = declaredDictionary(text);
    if (path === "" || type === "") throw new InputError(`dictionary: expected FILE=TYPE, got ${quote(text)}`);
    const take = (entry: Entry): void => {
      if (entry.type !== undefined) entries.push({ ...entry, type: entry.type });
    };
    await eachEntry(path, { type, columns: settings.columns, anyCase: settings.anyCase }, take);
  }
  const stop = (await Promise.all(settings.stop.map((path) => readSurfaces(path)))).flat();
  return reader({ ...settings, name: "dictionary" }, { entries, stop });
}

function reader(settings: Settings, known: Known): DictionaryEncoder {
  const matcher = matcherOf(settings, known);
  const types = [...new Set(known.entries.map(({ type }) => type))].sort();
  const tags = tagSet(types, "bio");
  const policy = makePolicy({ overlaps: settings.overlaps, conflicts: settings.conflicts, existing: "replace" });
  const entitiesIn = (sentence: Sentence): readonly Entity[] => withoutOverlaps(chosen(sentence, matcher, policy));
  return {
    name: "dictionary",
    types,
    entitiesIn,
    settings,
    tables: [],
    pretrained: [],
    flops: () => 0,
    size: tokenCount,
    batch(sentences) {
      const time = longest(sentences);
      const data = new Float32Array(sentences.length * time * tags.size).fill(impossible);
      sentences.forEach((sentence, b) => {
        const found = tags.encode(tokenCount(sentence), entitiesIn(sentence));
        for (let token = 0; token < time; token++) data[(b * time + token) * tags.size + (found[token] ?? 0)] = 0;
      });
      return { lookups: [], feeds: { "dictionary.tags": { data, shape: [sentences.length, time, tags.size] } } };
    },
    build() {
      const first = input("dictionary.tags", "float32", ["batch", "time", tags.size]);
      return { first, last: first, mask: input("dictionary.mask", "float32", ["batch", "time"]) };
    },
    files: () => ({ [fileName]: JSON.stringify(known) }),
  };
}

function matcherOf(settings: Settings, { entries, stop }: Known): Matcher {
  const { minLength, maxWords, anyCase, anyWidth, normalise, whitespace, hyphens } = settings;
  const builder = matcherBuilder({
    folding: { case: anyCase, width: anyWidth, normalisation: normalise, whitespace, hyphen: hyphens },
    stop,
    minimumLength: minLength,
    maximumWords: maxWords,
  });
  for (const entry of entries) builder.add(entry);
  return builder.finish();
}

/** The matches that the policy makes entities, each with the type that was declared first. */
function chosen(sentence: Sentence, matcher: Matcher, policy: LabelPolicy): Entity[] {
  const entities: Entity[] = [];
  for (const { start, end, key, outcome } of decide(sentence, matcher, policy))
    if (outcome === "entity") entities.push({ start, end, type: matcher.types(key)[0]! });
  return entities;
}
