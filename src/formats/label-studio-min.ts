import { quote } from "../util/errors.ts";
import type { ReadOptions, Sample } from "./format.ts";
import type { Fields, Row } from "./rows.ts";

/** Whether a file begins like JSON-MIN: the data of a task and one of its annotations in one flat row. */
export function isMinimal({ keys, head }: Sample): boolean {
  if (keys === undefined || keys.has("data") || keys.has("lacuna")) return false;
  return keys.has("annotation_id") || (keys.has("label") && /"label"\s*:\s*\[\s*\{[^{}]*"labels"\s*:\s*\[/.test(head));
}

/** What JSON-MIN says of the annotation itself. */
const own = new Set(["id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "completed_by"]);

/** Rows of JSON-MIN as tasks; those in a row with one id and text are annotations of one task. Tasks pass as they are. */
export async function* minimalAsTasks(
  rows: AsyncIterable<Row>,
  options: ReadOptions,
): AsyncGenerator<Row, void, undefined> {
  let held: { row: Row; data: Fields; annotations: Fields[] } | undefined;
  const task = ({ row, data, annotations }: NonNullable<typeof held>): Row => ({
    ...row,
    fields: { id: row.fields.id, data, annotations },
  });
  for await (const row of rows) {
    if (row.fields.data !== undefined) {
      if (held !== undefined) yield task(held);
      held = undefined;
      yield row;
      continue;
    }
    const { data, result } = parts(row.fields, options);
    if (held !== undefined && row.fields.id !== undefined && same(held, row.fields.id, data)) {
      held.annotations.push({ result });
      continue;
    }
    if (held !== undefined) yield task(held);
    held = { row, data, annotations: [{ result }] };
  }
  if (held !== undefined) yield task(held);
}

function same(held: { row: Row; data: Fields }, id: unknown, data: Fields): boolean {
  return held.row.fields.id === id && JSON.stringify(held.data) === JSON.stringify(data);
}

/** A flat row taken apart: strings are data, lists of regions are labels, whatever else was annotated is passed over. */
function parts(fields: Fields, { onNotice }: ReadOptions): { data: Fields; result: readonly object[] } {
  const data: Record<string, unknown> = {};
  const result: object[] = [];
  for (const [key, value] of Object.entries(fields)) {
    if (own.has(key)) continue;
    if (typeof value === "string") data[key] = value;
    else if (Array.isArray(value) && value.every(isRegion)) result.push(...value.map((region) => ({ value: region })));
    else if (value !== null && typeof value === "object") onNotice?.(`results "${key}" passed over`, quote(value));
  }
  return { data, result };
}

function isRegion(item: unknown): boolean {
  const { labels, start } = Object(item) as Fields;
  return Array.isArray(labels) && start !== undefined;
}
