import {
  compareEntities,
  type Document,
  type Entity,
  type OffsetUnit,
  offsetMap,
  offsetUnits,
  type Span,
  sameSpan,
  spanIndex,
  surface,
} from "../text/index.ts";
import { quote } from "../util/errors.ts";
import type { FileFormat, Limit, ReadOptions } from "./format.ts";
import { isMinimal, minimalAsTasks } from "./label-studio-min.ts";
import { taskOf, unit } from "./label-studio-task.ts";
import * as limits from "./limits/index.ts";
import {
  type Fail,
  type Fields,
  idOf,
  jsonRows,
  listOf,
  objectOf,
  type Row,
  scoreOf,
  stringOf,
  stringsOf,
} from "./rows.ts";
import type { Source } from "./source.ts";
import { provenanceOf, type SpanReader, spanReader, type TextRecord, textDocument } from "./text-records.ts";

/** Predictions of an annotated task are in the file, for people to look at, but no reader takes them for labels unasked. */
const candidates: Limit = {
  what: "entities with a score beside annotations (read them with --candidates)",
  onRequest: true,
  reduce(document, lose, { silence }) {
    const written = isAnnotated(document) && (silence === "negative" || hasLabels(document));
    if (!written) return document;
    for (const sentence of document.sentences) {
      for (const entity of sentence.entities) {
        if (entity.score !== undefined) lose(() => `${entity.type} ${quote(surface(sentence, entity))}`);
      }
    }
    return document;
  },
};

/**
 * Label Studio tasks, and its JSON-MIN with an annotation a row. Annotations that were not cancelled give the entities; where several differ, what only some have
 * is undecided, and so are the spans of a cancelled one. Predictions count where nobody annotated, or when asked for.
 * A region with several labels is an entity for each. Entities with a score are written as predictions, so that a person can review them.
 */
export const labelStudio: FileFormat = {
  name: "label-studio",
  title: "Label Studio JSON",
  shape: '"data" and "annotations", or JSON-MIN',
  storage: "file",
  extensions: [],
  silence:
    "text of an annotated task without a label is unknown unless the caller declares it negative; other tasks leave it unknown always",
  limits: [limits.rejections, limits.tokens, limits.completeness(isAnnotated), candidates],
  recognises: (sample) => {
    const { keys } = sample;
    return (keys?.has("data") === true && !keys.has("label") && !keys.has("labels")) || isMinimal(sample);
  },
  read,
  async *write(documents, options) {
    let separator = "[\n";
    for await (const document of documents) {
      yield `${separator}${JSON.stringify(taskOf(document, options))}`;
      separator = ",\n";
    }
    yield separator === "[\n" ? "[]\n" : "\n]\n";
  },
};

function hasLabels(document: Document): boolean {
  return document.sentences.some(({ entities }) => entities.some(({ score }) => score === undefined));
}

/** Whether a document will be written with an annotation that was not cancelled. */
function isAnnotated(document: Document): boolean {
  return hasLabels(document) || limits.isFinished(document);
}

async function* read(source: Source, options: ReadOptions): AsyncGenerator<Document, void, undefined> {
  for await (const row of minimalAsTasks(jsonRows(source, "label-studio"), options)) {
    const { fields, fail } = row;
    const data = objectOf(fields.data, "data", fail);
    const text = textOf(data, options, fail);
    const reader = spanReader(text, unitOf(row, text, options), options, fail);
    noteOthers(row, options);
    const id = idOf(data.id ?? fields.id, fail);
    const record: TextRecord = { id, text, severalTypes: true, ...annotationOf(row, reader, options) };
    yield textDocument(record, options, fail);
  }
}

/** The text of a task, by the key that its project has chosen. */
function textOf(data: Fields, { textKey = "text" }: ReadOptions, fail: Fail): string {
  if (data[textKey] !== undefined) return stringOf(data[textKey], `data.${textKey}`, fail);
  const strings = Object.entries(data).flatMap(([key, value]) => (typeof value === "string" ? [quote(key)] : []));
  const known = strings.length === 0 ? "it holds no string" : `strings: ${strings.join(", ")}`;
  return fail(`data has no ${quote(textKey)}; name the key that holds the text with --text-key (${known})`);
}

/** Says what of a task is not read as it stands: results that are no labels of text, and regions with several labels. */
function noteOthers(row: Row, { onNotice }: ReadOptions): void {
  if (onNotice === undefined) return;
  const results = ["annotations", "predictions"].flatMap((key) => objectsOf(row, key)).flatMap(({ result }) => result);
  for (const item of results) {
    const { type, from_id: from, to_id: to, value } = Object(item) as Fields;
    if (type === "relation") onNotice("relations passed over", `${quote(from)} → ${quote(to)}`);
    else if (typeof type === "string" && type !== "labels") onNotice(`results "${type}" passed over`, quote(value));
    const { labels } = Object(value) as Fields;
    if (Array.isArray(labels) && new Set(labels).size > 1)
      onNotice("regions with several labels read as an entity for each", quote(labels));
  }
}

function annotationOf(row: Row, reader: SpanReader, options: ReadOptions): Omit<TextRecord, "text"> {
  const { fail } = row;
  const annotations = objectsOf(row, "annotations");
  const finished = annotations.filter((annotation) => annotation.was_cancelled !== true);
  const truths = finished.filter((annotation) => annotation.ground_truth === true);
  const opinions = (truths.length > 0 ? truths : finished).map((each) => entitiesOf(each, reader, fail));
  const undecided = annotations.filter((annotation) => annotation.was_cancelled === true);
  const { agreed, disputed } = compare(opinions);
  const taken = finished.length === 0 || options.candidates === true;
  const predicted = taken ? objectsOf(row, "predictions").flatMap((each) => entitiesOf(each, reader, fail)) : [];
  return {
    entities: [...agreed, ...predicted],
    unsure: [
      ...disputed,
      ...undecided.flatMap((each) => resultsOf(each, fail).map(({ value }) => reader.span(value.start, value.end))),
    ],
    finished: finished.length > 0,
  };
}

/** What all annotators say, and what only some of them do. */
function compare(opinions: readonly (readonly Entity[])[]): { agreed: Entity[]; disputed: Span[] } {
  const agreed: Entity[] = [];
  const disputed: Span[] = [];
  for (const entity of opinions.flat().sort(compareEntities)) {
    const [before, doubted] = [agreed.at(-1), disputed.at(-1)];
    if (before !== undefined && compareEntities(before, entity) === 0) continue;
    const isShared = (opinion: readonly Entity[]): boolean =>
      spanIndex(opinion)
        .at(entity)
        .some(({ type }) => type === entity.type);
    if (opinions.every(isShared)) agreed.push(entity);
    else if (doubted === undefined || !sameSpan(doubted, entity))
      disputed.push({ start: entity.start, end: entity.end });
  }
  return { agreed, disputed };
}

interface Result {
  readonly value: Fields;
  readonly region: Fields;
}

function resultsOf(annotation: Fields, fail: Fail): Result[] {
  return listOf(annotation.result ?? [], "result", fail)
    .map((item) => objectOf(item, "a result", fail))
    .filter((region) => region.type === undefined || region.type === "labels")
    .map((region) => ({ region, value: objectOf(region.value, "the value of a result", fail) }));
}

function entitiesOf(annotation: Fields, reader: SpanReader, fail: Fail): Entity[] {
  return resultsOf(annotation, fail).flatMap(({ value, region }) => {
    const meta = region.meta === undefined ? {} : objectOf(region.meta, "the meta of a result", fail);
    const more = { ...scoreOf(region.score, fail), ...provenanceOf(meta.source, meta.entry) };
    const labels = stringsOf(value.labels, "the labels of a result", fail);
    if (labels.length === 0) fail("a result has no label");
    return [...new Set(labels)].map((label) => ({ ...reader.entity(value.start, value.end, label), ...more }));
  });
}

/**
 * How a task counts: versions differ, but results carry the text they cover, which tells. Code points when all units
 * fit; an error when none does.
 */
function unitOf(row: Row, text: string, options: ReadOptions): OffsetUnit {
  if (options.offsets !== undefined) return options.offsets;
  const values = ["annotations", "predictions"]
    .flatMap((key) => objectsOf(row, key))
    .flatMap((annotation) => resultsOf(annotation, row.fail))
    .map(({ value }) => value)
    .filter((value) => typeof value.text === "string");
  const fits = (candidate: OffsetUnit): boolean => {
    const map = offsetMap(text, candidate);
    return values.every((value) => covered(text, map.toUtf16, value) === value.text);
  };
  if (values.length === 0 || fits(unit)) return unit;
  const found = offsetUnits.find(fits);
  if (found !== undefined) return found;
  const wrong = values.find((value) => covered(text, offsetMap(text, unit).toUtf16, value) !== value.text)!;
  return row.fail(
    `the result [${quote(wrong.start)}, ${quote(wrong.end)}) does not cover its text ${quote(wrong.text)}`,
  );
}

function covered(text: string, toUtf16: (offset: number) => number, value: Fields): string | undefined {
  try {
    return text.slice(toUtf16(Number(value.start)), toUtf16(Number(value.end)));
  } catch {
    return undefined;
  }
}

function objectsOf({ fields, fail }: Row, key: string): readonly Fields[] {
  return listOf(fields[key] ?? [], key, fail).map((item) => objectOf(item, `each of ${key}`, fail));
}
