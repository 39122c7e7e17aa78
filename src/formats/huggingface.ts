import {
  type Document,
  type Scheme,
  type Sentence,
  schemeDetector,
  type Tag,
  tagReader,
  tokenTexts,
  unknownTags,
  violations,
} from "../text/index.ts";
import { InputError, messageOf, quote } from "../util/errors.ts";
import type { FileFormat, ReadOptions, WriteOptions } from "./format.ts";
import * as limits from "./limits/index.ts";
import { idOf, integerOf, jsonRows, keyOf, listOf, type Row, stringsOf } from "./rows.ts";
import { annotationOfTags, looksFirst, readTagged, tagsOfSentence } from "./tagging.ts";
import { tokenDocument } from "./token-records.ts";

export const tokenKeys = ["tokens", "words", "str_words"];
export const tagKeys = ["ner_tags", "tags", "labels", "ner"];
/** The target that the losses of PyTorch leave out. */
const ignoredTag = -100;

/** Hugging Face rows of `tokens` and `ner_tags`: names, or places in a list of labels. */
export const huggingface: FileFormat = {
  name: "huggingface",
  title: "Hugging Face tokens and tags",
  shape: '"tokens" and "ner_tags"',
  storage: "file",
  extensions: [],
  silence:
    "O is unknown unless the caller declares it negative; in a file with unknown tags (UNK, -, ?, −100), O is asserted and those tokens are unknown",
  limits: [
    limits.documents,
    limits.spacing,
    limits.secondTypes,
    limits.overlaps,
    limits.scores,
    limits.provenance,
    limits.rejections,
    limits.unsure,
    limits.taggedCompleteness,
  ],
  recognises: ({ keys }) => keys !== undefined && hasOne(keys, tokenKeys) && hasOne(keys, tagKeys),
  read: (source, options) =>
    readTagged(source, options, (again) => readTagRows(() => jsonRows(again, "huggingface"), options)),
  async *write(documents, options) {
    for await (const { id, sentences } of documents) {
      const rows = sentences.map((sentence) => ({
        id,
        tokens: tokenTexts(sentence),
        ner_tags: tagsToWrite(sentence, options),
      }));
      for (const row of rows) yield `${JSON.stringify(row)}\n`;
    }
  },
};

function hasOne(keys: ReadonlySet<string>, names: readonly string[]): boolean {
  return names.some((name) => keys.has(name));
}

/** Documents from rows of tokens and tags, which are gone through twice where something must be known of all first. */
export async function* readTagRows(
  rows: () => AsyncIterable<Row>,
  options: ReadOptions,
): AsyncGenerator<Document, void, undefined> {
  const read = rowReader(options);
  const survey = looksFirst(options) ? await look(rows(), read) : undefined;
  const asserted = options.silence === "negative" || survey?.hasUnknown === true;
  const scheme = options.strict ? (options.scheme ?? survey?.scheme) : undefined;
  for await (const row of rows()) {
    const { tokens, tags } = read(row);
    if (scheme !== undefined)
      for (const { token, rule } of violations(tags, scheme)) row.fail(`token ${token}: ${rule}`);
    const annotation = annotationOfTags(tags, tags.length, asserted);
    yield tokenDocument(idOf(row.fields.id, row.fail), [tokens], () => annotation);
  }
}

interface TaggedTokens {
  readonly tokens: readonly string[];
  readonly tags: readonly Tag[];
}

async function look(
  rows: AsyncIterable<Row>,
  read: (row: Row) => TaggedTokens,
): Promise<{ hasUnknown: boolean; scheme: Scheme }> {
  const detector = schemeDetector();
  let hasUnknown = false;
  for await (const row of rows) {
    const { tags } = read(row);
    detector.add(tags);
    hasUnknown ||= tags.some(({ role }) => role === "unknown");
  }
  return { hasUnknown, scheme: detector.scheme() };
}

function rowReader({ labels }: ReadOptions): (row: Row) => TaggedTokens {
  const tagOf = tagReader();
  const nameOf = (value: unknown, { fail }: Row): string => {
    if (typeof value === "string") return value;
    const place = integerOf(value, "a tag", fail);
    if (place === ignoredTag) return unknownTags[0]!;
    if (labels === undefined)
      return fail(`the tag ${place} is a place in a list of labels: give their names in order with --labels`);
    return labels[place] ?? fail(`the tag ${place} is not in the list of ${labels.length} labels`);
  };
  return (row) => {
    const { fields, fail } = row;
    const tokenKey = keyOf(fields, tokenKeys) ?? fail(`a row has no tokens (known keys: ${tokenKeys.join(", ")})`);
    const tagKey = keyOf(fields, tagKeys) ?? fail(`a row has no tags (known keys: ${tagKeys.join(", ")})`);
    const tokens = stringsOf(fields[tokenKey], tokenKey, fail);
    const items = listOf(fields[tagKey], tagKey, fail);
    if (items.length !== tokens.length)
      fail(`expected as many tags as tokens, got ${items.length} for ${tokens.length}`);
    const tags = items.map((item, token) => {
      try {
        return tagOf(nameOf(item, row));
      } catch (error) {
        if (error instanceof InputError && error.place.file !== undefined) throw error;
        return fail(`token ${token}: ${messageOf(error)}`);
      }
    });
    return { tokens, tags };
  };
}

function tagsToWrite(sentence: Sentence, options: WriteOptions): readonly (string | number)[] {
  const tags = tagsOfSentence(sentence, options);
  const { labels } = options;
  if (labels === undefined) return tags;
  const places = new Map(labels.map((label, place) => [label, place]));
  return tags.map((tag) => {
    if (tag === unknownTags[0]) return ignoredTag;
    const place = places.get(tag);
    if (place === undefined) throw new InputError(`huggingface: the tag ${quote(tag)} is not in the list of labels`);
    return place;
  });
}
