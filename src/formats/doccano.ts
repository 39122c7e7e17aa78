import type { Document, Entity } from "../text/index.ts";
import { quote } from "../util/errors.ts";
import type { FileFormat, ReadOptions } from "./format.ts";
import { isMinimal } from "./label-studio-min.ts";
import * as limits from "./limits/index.ts";
import { type Fail, idOf, jsonRows, keyOf, listOf, objectOf, stringOf } from "./rows.ts";
import type { Source } from "./source.ts";
import { characterSpans, spanReader, textDocument } from "./text-records.ts";

/** doccano's page counts as JavaScript does; exports of versions before 1.5 counted code points. */
const unit = "utf-16";

/** doccano's `{"text", "label": [[start, end, label]]}` lines, and `entities` with `start_offset`, `end_offset`, `label`. */
export const doccano: FileFormat = {
  name: "doccano",
  title: "doccano JSON lines",
  shape: '"text" and "label"',
  storage: "file",
  cut: "object",
  extensions: [],
  silence: "text without a label is unknown unless the caller declares it negative",
  limits: [
    limits.scores,
    limits.provenance,
    limits.rejections,
    limits.unsure,
    limits.tokens,
    limits.secondTypes,
    limits.silentCompleteness,
  ],
  recognises: (sample) => {
    const { head, keys } = sample;
    if (isMinimal(sample)) return false;
    if (keys === undefined || !(keys.has("text") || keys.has("data"))) return false;
    if (keys.has("label") || keys.has("labels")) return true;
    return keys.has("entities") && (keys.has("relations") || head.includes('"start_offset"'));
  },
  read,
  async *write(documents) {
    for await (const document of documents) {
      const entities = characterSpans(document, unit, (sentence) => sentence.entities);
      const row = { text: document.text, label: entities.map(({ start, end, type }) => [start, end, type]) };
      yield `${JSON.stringify(document.id === undefined ? row : { id: document.id, ...row })}\n`;
    }
  },
};

async function* read(source: Source, options: ReadOptions): AsyncGenerator<Document, void, undefined> {
  for await (const { fields, fail } of jsonRows(source, "doccano")) {
    const text = stringOf(fields.text ?? fields.data, "text", fail);
    const spans = spanReader(text, unit, options, fail);
    const relations = listOf(fields.relations ?? [], "relations", fail);
    for (const relation of relations) options.onNotice?.("relations passed over", quote(relation));
    const key = keyOf(fields, ["label", "labels", "entities"]);
    const entities = listOf(key === undefined ? [] : fields[key], key ?? "label", fail).map((item): Entity => {
      const [start, end, label] = partsOf(item, fail);
      return spans.entity(start, end, label);
    });
    yield textDocument({ id: idOf(fields.id, fail), text, entities, finished: true }, options, fail);
  }
}

function partsOf(item: unknown, fail: Fail): readonly unknown[] {
  if (Array.isArray(item))
    return item.length === 3 ? item : fail(`a label must be [start, end, label], got ${quote(item)}`);
  const { start_offset: start, end_offset: end, label } = objectOf(item, "an entity", fail);
  return [start, end, label];
}
