import {
  type CompleteRegion,
  type Document,
  type Entity,
  makeSentence,
  type OffsetMap,
  type OffsetUnit,
  offsetMap,
  offsetUnits,
  type Rejection,
  type Sentence,
  type Span,
} from "../text/index.ts";
import { messageOf, quote } from "../util/errors.ts";
import { checkedEntities } from "./entities.ts";
import type { FileFormat, ReadOptions } from "./format.ts";
import {
  type Fail,
  type Fields,
  idOf,
  integerOf,
  jsonRows,
  labelOf,
  listOf,
  objectOf,
  scoreOf,
  stringOf,
  stringsOf,
} from "./rows.ts";
import type { Source } from "./source.ts";
import { provenanceOf } from "./text-records.ts";

const version = 1;

/**
 * Lacuna's own lines: everything a document holds. Tokens are starts and ends in one flat list; all other spans count
 * tokens of their sentence, end excluded. Empty parts are left out.
 */
export const lacuna: FileFormat = {
  name: "lacuna",
  title: "Lacuna JSON lines",
  shape: '"lacuna"',
  storage: "file",
  cut: "object",
  extensions: [".lacuna"],
  silence: "every line says which parts are complete; the rest is unknown, whatever the caller declares",
  limits: [],
  recognises: ({ keys }) => keys?.has("lacuna") === true,
  read,
  async *write(documents) {
    for await (const document of documents) yield documentLine(document);
  },
};

/** Put together by hand: most of it is offsets, which need no copy to be written and no look at what kind they are. */
function documentLine({ id, text, sentences }: Document): string {
  const head = id === undefined ? "" : `"id":${JSON.stringify(id)},`;
  const body = sentences.map(sentenceJson).join(",");
  return `{"lacuna":${version},${head}"text":${JSON.stringify(text)},"offsets":"utf-16","sentences":[${body}]}\n`;
}

function sentenceJson({ offsets, entities, rejected, unsure, complete }: Sentence): string {
  const parts =
    part("entities", entities) +
    part("rejected", rejected) +
    part("unsure", unsure, ({ start, end }) => ({ start, end })) +
    part("complete", complete);
  return `{"tokens":[${offsets.join(",")}]${parts}}`;
}

function part<T>(name: string, items: readonly T[], written: (item: T) => unknown = (item) => item): string {
  return items.length === 0 ? "" : `,"${name}":${JSON.stringify(items.map(written))}`;
}

async function* read(source: Source, options: ReadOptions): AsyncGenerator<Document, void, undefined> {
  for await (const { fields, fail } of jsonRows(source, "lacuna")) {
    if (fields.lacuna !== version)
      fail(`expected version ${version} of the format ("lacuna": ${version}), got ${quote(fields.lacuna)}`);
    const text = stringOf(fields.text, "text", fail);
    const map = offsetMap(text, unitOf(fields, options, fail));
    const sentences = listOf(fields.sentences, "sentences", fail).map((item) =>
      readSentence(objectOf(item, "a sentence", fail), text, map, options, fail),
    );
    const id = idOf(fields.id, fail);
    yield id === undefined ? { text, sentences } : { id, text, sentences };
  }
}

function unitOf(fields: Fields, options: ReadOptions, fail: Fail): OffsetUnit {
  const unit = fields.offsets ?? options.offsets ?? "utf-16";
  return (
    offsetUnits.find((known) => known === unit) ??
    fail(`unknown offsets ${quote(unit)} (known: ${offsetUnits.join(", ")})`)
  );
}

function readSentence(fields: Fields, text: string, map: OffsetMap, options: ReadOptions, fail: Fail): Sentence {
  const offsets = readTokens(fields, map, fail);
  const items = <T>(key: string, make: (item: Fields, span: Span) => T): T[] =>
    listOf(fields[key] ?? [], key, fail).map((value) => {
      const item = objectOf(value, `each of ${key}`, fail);
      return make(item, readSpan(item, offsets.length >> 1, key, fail));
    });
  const entities = items("entities", (item, span): Entity => readEntity(item, span, fail));
  return makeSentence(text, offsets, {
    entities: checkedEntities(entities, { ...options, severalTypes: true }, fail),
    rejected: items(
      "rejected",
      ({ type }, span): Rejection => (type === undefined ? span : { ...span, type: labelOf(type, fail) }),
    ),
    unsure: items("unsure", (_, span) => span),
    complete: items("complete", ({ types }, span): CompleteRegion => {
      return types === undefined ? span : { ...span, types: stringsOf(types, "types", fail) };
    }),
  });
}

function readTokens(fields: Fields, map: OffsetMap, fail: Fail): Int32Array {
  const values = listOf(fields.tokens, "tokens", fail);
  if (values.length % 2 !== 0) fail(`tokens must be pairs of a start and an end, got ${values.length} numbers`);
  const offsets = new Int32Array(values.length);
  for (const [i, value] of values.entries()) {
    const offset = integerOf(value, "an offset", fail);
    try {
      offsets[i] = map.toUtf16(offset);
    } catch (error) {
      fail(messageOf(error));
    }
    if (i > 0 && offsets[i]! < offsets[i - 1]!)
      fail(`tokens must follow one another, got ${quote(value)} after ${quote(values[i - 1])}`);
  }
  return offsets;
}

function readSpan(item: Fields, tokens: number, key: string, fail: Fail): Span {
  const start = integerOf(item.start, "start", fail);
  const end = integerOf(item.end, "end", fail);
  if (start < 0 || end <= start || end > tokens) {
    fail(`${key}: the span [${start}, ${end}) does not lie within the ${tokens} tokens of its sentence`);
  }
  return { start, end };
}

function readEntity(item: Fields, span: Span, fail: Fail): Entity {
  const from = item.provenance === undefined ? {} : objectOf(item.provenance, "provenance", fail);
  return {
    ...span,
    type: labelOf(item.type, fail),
    ...scoreOf(item.score, fail),
    ...provenanceOf(from.source, from.entry),
  };
}
