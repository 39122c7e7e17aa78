import { type Document, tokenCount, tokenTexts } from "../text/index.ts";
import type { FileFormat, Limit, ReadOptions } from "./format.ts";
import * as limits from "./limits/index.ts";
import { idOf, jsonRows, listOf, stringsOf } from "./rows.ts";
import type { Source } from "./source.ts";
import { entityAnnotation, inclusiveEntity, tokenDocument } from "./token-records.ts";

const silence = "text without a label is unknown unless the caller declares it negative";

const spanLimits: readonly Limit[] = [
  limits.spacing,
  limits.secondTypes,
  limits.scores,
  limits.provenance,
  limits.rejections,
  limits.unsure,
  limits.silentCompleteness,
];

/** The list of the ds_ner code: `{"tokens", "entities": [[first, last, type]]}` for each sentence, all on one line. */
export const dsNer: FileFormat = {
  name: "ds-ner",
  title: "ds_ner JSON",
  shape: '"tokens" and "entities"',
  storage: "file",
  extensions: [],
  silence,
  limits: [limits.ids, limits.documents, ...spanLimits],
  recognises: ({ keys }) => keys?.has("tokens") === true && keys.has("entities"),
  read: readSentences,
  async *write(documents) {
    let separator = "[";
    for await (const { sentences } of documents) {
      for (const sentence of sentences) {
        const entities = sentence.entities.map(({ start, end, type }) => [start, end - 1, type]);
        yield `${separator}${JSON.stringify({ tokens: tokenTexts(sentence), entities })}`;
        separator = ", ";
      }
    }
    yield separator === "[" ? "[]\n" : "]\n";
  },
};

async function* readSentences(source: Source, options: ReadOptions): AsyncGenerator<Document, void, undefined> {
  for await (const { fields, fail } of jsonRows(source, "ds-ner")) {
    const tokens = stringsOf(fields.tokens, "tokens", fail);
    const items = listOf(fields.entities, "entities", fail);
    const entities = items.map((item) => inclusiveEntity(listOf(item, "an entity", fail), tokens.length, fail));
    yield tokenDocument(undefined, [tokens], () => entityAnnotation(tokens.length, entities, options, fail));
  }
}

/** PURE's lines: `{"doc_key", "sentences", "ner": [[[first, last, type]]]}`, tokens counted through the document. */
export const pure: FileFormat = {
  name: "pure",
  title: "PURE JSON lines",
  shape: '"sentences" and "ner"',
  storage: "file",
  extensions: [],
  silence,
  limits: spanLimits,
  recognises: ({ keys }) => keys?.has("sentences") === true && keys.has("ner"),
  read: readDocuments,
  async *write(documents) {
    for await (const { id = null, sentences } of documents) {
      let shift = 0;
      const ner = sentences.map((sentence) => {
        const entities = sentence.entities.map(({ start, end, type }) => [start + shift, end - 1 + shift, type]);
        shift += tokenCount(sentence);
        return entities;
      });
      const row = { doc_key: id, sentences: sentences.map(tokenTexts), ner, relations: sentences.map(() => []) };
      yield `${JSON.stringify(row)}\n`;
    }
  },
};

async function* readDocuments(source: Source, options: ReadOptions): AsyncGenerator<Document, void, undefined> {
  for await (const { fields, fail } of jsonRows(source, "pure")) {
    const sentences = listOf(fields.sentences, "sentences", fail).map((item) => stringsOf(item, "a sentence", fail));
    const ner = listOf(fields.ner, "ner", fail);
    if (ner.length !== sentences.length)
      fail(`expected a list of entities for each sentence, got ${ner.length} for ${sentences.length}`);
    let shift = 0;
    const annotations = sentences.map((tokens, i) => {
      const entities = listOf(ner[i], "the entities of a sentence", fail).map((item) =>
        inclusiveEntity(listOf(item, "an entity", fail), tokens.length, fail, shift),
      );
      shift += tokens.length;
      return entityAnnotation(tokens.length, entities, options, fail);
    });
    yield tokenDocument(idOf(fields.doc_key, fail), sentences, (i) => annotations[i]!);
  }
}
