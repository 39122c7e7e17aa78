import type { Document, Entity } from "../text/index.ts";
import { quote } from "../util/errors.ts";
import type { FileFormat, ReadOptions } from "./format.ts";
import { jsonValues } from "./json.ts";
import * as limits from "./limits/index.ts";
import { type Fail, failure, idOf, listOf, objectOf, stringOf } from "./rows.ts";
import type { Source } from "./source.ts";
import { characterSpans, spanReader, textDocument } from "./text-records.ts";

const unit = "code-point";
/** Keys of other formats with a `text`. */
const foreignKeys = ["lacuna", "spans", "ents", "answer", "label", "labels", "relations", "data"];
/** Keys of a text that nobody annotated; any other may be an annotation, which must not be lost. */
const plainKeys = new Set(["text", "meta", "id", "_input_hash", "_task_hash"]);

/** spaCy's `{"text", "entities": [[start, end, label]]}` lines, and the older pairs `[text, {"entities": …}]`. */
export const spacy: FileFormat = {
  name: "spacy",
  title: "spaCy JSON lines",
  shape: '"text" and "entities"',
  storage: "file",
  extensions: [],
  silence: "text without a label is unknown unless the caller declares it negative",
  limits: [
    limits.secondTypes,
    limits.overlaps,
    limits.scores,
    limits.provenance,
    limits.rejections,
    limits.unsure,
    limits.tokens,
    limits.silentCompleteness,
  ],
  recognises: ({ head, keys }) =>
    keys !== undefined &&
    !foreignKeys.some((key) => keys.has(key)) &&
    (keys.has("entities") ? keys.has("text") || /^\s*\[+\s*"/.test(head) : isPlainText(keys)),
  read,
  async *write(documents) {
    for await (const document of documents) {
      const entities = characterSpans(document, unit, (sentence) => sentence.entities);
      const row = { text: document.text, entities: entities.map(({ start, end, type }) => [start, end, type]) };
      yield `${JSON.stringify(document.id === undefined ? row : { ...row, meta: { id: document.id } })}\n`;
    }
  },
};

function isPlainText(keys: ReadonlySet<string>): boolean {
  return keys.has("text") && [...keys].every((key) => plainKeys.has(key));
}

async function* read(source: Source, options: ReadOptions): AsyncGenerator<Document, void, undefined> {
  for await (const { value, line } of jsonValues(source)) {
    const fail = failure("spacy", source.name, line);
    const fields = Array.isArray(value)
      ? { ...objectOf(value[1], "the second of a pair", fail), text: value[0] as unknown }
      : objectOf(value, "a record", fail);
    const text = stringOf(fields.text, "text", fail);
    const spans = spanReader(text, unit, options, fail);
    const entities = listOf(fields.entities ?? [], "entities", fail).map((item): Entity => {
      const [start, end, label] = partsOf(item, fail);
      return spans.entity(start, end, label);
    });
    const meta = fields.meta === undefined ? {} : objectOf(fields.meta, "meta", fail);
    const record = { id: idOf(meta.id ?? fields.id, fail), text, entities, finished: true };
    yield textDocument(record, { ...options, flat: true }, fail);
  }
}

function partsOf(item: unknown, fail: Fail): readonly unknown[] {
  if (Array.isArray(item))
    return item.length >= 3 ? item : fail(`an entity must be [start, end, label], got ${quote(item)}`);
  const { start, end, label } = objectOf(item, "an entity", fail);
  return [start, end, label];
}
