import type { Document, Entity } from "../text/index.ts";
import type { FileFormat, ReadOptions } from "./format.ts";
import * as limits from "./limits/index.ts";
import { type Fields, jsonRows, listOf, objectOf, type Row, stringOf } from "./rows.ts";
import type { Source } from "./source.ts";
import { characterSpans, type SpanReader, spanReader, textDocument, tokenBounds, tokenRows } from "./text-records.ts";

const unit = "code-point";

/** What spaCy's `Doc.to_json` gives, one document a line or all in a list: `text`, `ents`, `tokens` and `sents`. */
export const spacyDoc: FileFormat = {
  name: "spacy-doc",
  title: "spaCy documents as JSON (Doc.to_json)",
  shape: '"text" and "ents"',
  storage: "file",
  extensions: [],
  silence: "text without a label is unknown unless the caller declares it negative",
  limits: [
    limits.ids,
    limits.secondTypes,
    limits.overlaps,
    limits.scores,
    limits.provenance,
    limits.rejections,
    limits.unsure,
    limits.sentenceBreaks,
    limits.silentCompleteness,
  ],
  recognises: ({ keys }) => keys?.has("text") === true && keys.has("ents"),
  read,
  async *write(documents) {
    for await (const document of documents) {
      const ents = characterSpans(document, unit, (sentence) => sentence.entities);
      const row = {
        text: document.text,
        ents: ents.map(({ start, end, type }) => ({ start, end, label: type })),
        tokens: tokenRows(document, unit).map(({ start, end }, id) => ({ id, start, end })),
      };
      yield `${JSON.stringify(row)}\n`;
    }
  },
};

async function* read(source: Source, options: ReadOptions): AsyncGenerator<Document, void, undefined> {
  for await (const row of jsonRows(source, "spacy-doc")) {
    const { fields, fail } = row;
    const text = stringOf(fields.text, "text", fail);
    const reader = spanReader(text, unit, options, fail);
    const entities = objectsOf(row, "ents").map((item): Entity => reader.entity(item.start, item.end, item.label));
    for (const name of spanGroups(row)) options.onNotice?.("span groups passed over", name);
    const record = {
      text,
      entities,
      tokens: fields.tokens === undefined ? undefined : tokenBounds(objectsOf(row, "tokens"), reader, fail),
      sentences: fields.sents === undefined ? undefined : sentenceOffsets(row, reader),
      finished: true,
    };
    yield textDocument(record, { ...options, flat: true }, fail);
  }
}

function sentenceOffsets(row: Row, reader: SpanReader): number[] {
  return objectsOf(row, "sents").map(({ start, end }) => reader.range(start, end).start);
}

function spanGroups({ fields, fail }: Row): string[] {
  const groups = fields.spans === undefined ? {} : objectOf(fields.spans, "spans", fail);
  return Object.entries(groups).flatMap(([name, spans]) => (Array.isArray(spans) && spans.length > 0 ? [name] : []));
}

function objectsOf({ fields, fail }: Row, key: string): Fields[] {
  return listOf(fields[key] ?? [], key, fail).map((item) => objectOf(item, `each of ${key}`, fail));
}
