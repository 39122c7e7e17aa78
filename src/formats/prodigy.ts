import type { Document, Entity, Rejection, Span } from "../text/index.ts";
import { quote } from "../util/errors.ts";
import type { FileFormat, ReadOptions, WriteOptions } from "./format.ts";
import * as limits from "./limits/index.ts";
import { type Fields, idOf, jsonRows, labelOf, listOf, objectOf, type Row, scoreOf, stringOf } from "./rows.ts";
import type { Source } from "./source.ts";
import {
  characterSpans,
  provenanceOf,
  type SpanReader,
  spanReader,
  type TextRecord,
  textDocument,
  tokenBounds,
  tokenRows,
} from "./text-records.ts";

const unit = "code-point";

/**
 * Prodigy tasks. An accepted task labels its spans, and so does one without an answer, which nobody went through. A
 * rejected task with one span says that it is not this entity; with more it does not say which is wrong, so they are
 * undecided, as are the spans of an ignored task. Tasks in a row with one `_input_hash` and session are one document.
 */
export const prodigy: FileFormat = {
  name: "prodigy",
  title: "Prodigy JSON lines",
  shape: '"text" and "spans"',
  storage: "file",
  extensions: [],
  silence:
    "text of an accepted task without a label is unknown unless the caller declares it negative; other tasks leave it unknown always",
  limits: [limits.sentenceBreaks, limits.secondTypes, limits.finishedCompleteness],
  recognises: ({ keys }) =>
    keys?.has("text") === true && !keys.has("ents") && (keys.has("spans") || keys.has("answer")),
  read,
  async *write(documents, options) {
    let number = 0;
    for await (const document of documents) {
      const tasks = tasksOf(document, options);
      number++;
      for (const task of tasks) yield `${JSON.stringify(tasks.length > 1 ? { ...task, _input_hash: number } : task)}\n`;
    }
  },
};

async function* read(source: Source, options: ReadOptions): AsyncGenerator<Document, void, undefined> {
  let group: Row[] = [];
  for await (const row of jsonRows(source, "prodigy")) {
    if (group.length > 0 && !together(group[0]!.fields, row.fields)) {
      yield documentOf(group, options);
      group = [];
    }
    group.push(row);
  }
  if (group.length > 0) yield documentOf(group, options);
}

function together(a: Fields, b: Fields): boolean {
  return (
    a._input_hash !== undefined &&
    a._input_hash === b._input_hash &&
    a._session_id === b._session_id &&
    a.text === b.text
  );
}

function documentOf(rows: readonly Row[], options: ReadOptions): Document {
  const { fields, fail } = rows[0]!;
  const text = stringOf(fields.text, "text", fail);
  const meta = fields.meta === undefined ? {} : objectOf(fields.meta, "meta", fail);
  const relations = rows.flatMap((row) => listOf(row.fields.relations ?? [], "relations", row.fail));
  for (const relation of relations) options.onNotice?.("relations passed over", quote(relation));
  const records = rows.map((row) => answerOf(row, spanReader(text, unit, options, row.fail)));
  const record: TextRecord = {
    id: idOf(meta.id, fail),
    text,
    tokens: fields.tokens === undefined ? undefined : tokensOf(rows[0]!, spanReader(text, unit, {}, fail)),
    entities: records.flatMap(({ entities = [] }) => entities),
    rejected: records.flatMap(({ rejected = [] }) => rejected),
    unsure: records.flatMap(({ unsure = [] }) => unsure),
    finished: records.some(({ finished }) => finished),
  };
  return textDocument(record, options, rows.at(-1)!.fail);
}

function answerOf({ fields, fail }: Row, reader: SpanReader): Omit<TextRecord, "text"> {
  const items = listOf(fields.spans ?? [], "spans", fail).map((item) => objectOf(item, "a span", fail));
  const spans = (): Span[] => items.map((item) => reader.span(item.start, item.end));
  switch (fields.answer) {
    case "reject":
      if (items.length > 1) return { unsure: spans(), finished: false };
      return { rejected: items.map((item) => rejectionOf(item, reader, fail)), finished: false };
    case "ignore":
      return { unsure: spans(), finished: false };
    case "accept":
    case undefined:
    case null:
      return { entities: items.map((item) => entityOf(item, reader, fail)), finished: fields.answer === "accept" };
    default:
      return fail(`the answer must be accept, reject or ignore, got ${quote(fields.answer)}`);
  }
}

function rejectionOf(item: Fields, reader: SpanReader, fail: Row["fail"]): Rejection {
  const span = reader.span(item.start, item.end);
  return item.label === undefined ? span : { ...span, type: labelOf(item.label, fail) };
}

function entityOf(item: Fields, reader: SpanReader, fail: Row["fail"]): Entity {
  const entity = reader.entity(item.start, item.end, item.label);
  return { ...entity, ...scoreOf(item.score, fail), ...provenanceOf(item.source, item.entry) };
}

function tokensOf({ fields, fail }: Row, reader: SpanReader): Int32Array {
  const items = listOf(fields.tokens, "tokens", fail).map((item) => objectOf(item, "a token", fail));
  return tokenBounds(items, reader, fail);
}

function tasksOf(document: Document, { silence }: WriteOptions): object[] {
  const base = { text: document.text, tokens: writeTokens(document) };
  const task = (spans: object[], answer?: string): object => ({
    ...base,
    spans,
    ...(answer === undefined ? {} : { answer }),
    ...(document.id === undefined ? {} : { meta: { id: document.id } }),
  });
  const entities = characterSpans(document, unit, (sentence) => sentence.entities).map(writeEntity);
  const rejected = characterSpans(document, unit, (sentence) => sentence.rejected);
  const unsure = characterSpans(document, unit, (sentence) => sentence.unsure);
  const finished = silence === "negative" && limits.isFinished(document);
  const accepted = finished || (silence !== "negative" && entities.length > 0);
  const rest = [
    ...rejected.map(({ start, end, type }) =>
      task([type === undefined ? { start, end } : { start, end, label: type }], "reject"),
    ),
    ...(unsure.length === 0
      ? []
      : [
          task(
            unsure.map(({ start, end }) => ({ start, end })),
            "ignore",
          ),
        ]),
  ];
  if (accepted) return [task(entities, "accept"), ...rest];
  return entities.length > 0 || rest.length === 0 ? [task(entities), ...rest] : rest;
}

function writeEntity({ start, end, type, score, provenance }: Entity): object {
  return { start, end, label: type, score, ...provenance };
}

function writeTokens(document: Document): object[] {
  return tokenRows(document, unit).map(({ text, start, end, spaced }, id) => ({ text, start, end, id, ws: spaced }));
}
