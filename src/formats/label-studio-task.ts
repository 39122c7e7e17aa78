import { type Document, type Entity, offsetMap, type Span } from "../text/index.ts";
import type { WriteOptions } from "./format.ts";
import * as limits from "./limits/index.ts";
import { characterSpans } from "./text-records.ts";

/** Label Studio counts code points. */
export const unit = "code-point";

/** A document as a task: labels as an annotation, candidates as predictions, the undecided as a cancelled annotation. */
export function taskOf(document: Document, { silence }: WriteOptions): object {
  const { id, text } = document;
  const entities = characterSpans(document, unit, (sentence) => sentence.entities);
  const labelled = entities.filter(({ score }) => score === undefined);
  const candidates = entities.filter(({ score }) => score !== undefined);
  const unsure = characterSpans(document, unit, (sentence) => sentence.unsure);
  const region = regionWriter(text);
  const annotated = labelled.length > 0 || (silence === "negative" && limits.isFinished(document));
  return {
    data: id === undefined ? { text } : { text, id },
    annotations: [
      ...(annotated ? [{ result: labelled.map(region), was_cancelled: false }] : []),
      ...(unsure.length > 0 ? [{ result: unsure.map(region), was_cancelled: true }] : []),
    ],
    predictions: candidates.length > 0 ? [{ model_version: "lacuna", result: candidates.map(region) }] : [],
  };
}

function regionWriter(text: string): (span: Span | Entity) => object {
  const map = offsetMap(text, unit);
  let number = 0;
  return (span) => {
    const { start, end, type, score, provenance } = span as Partial<Entity> & Span;
    const value = {
      start,
      end,
      text: text.slice(map.toUtf16(start), map.toUtf16(end)),
      labels: type === undefined ? [] : [type],
    };
    return {
      id: `span-${++number}`,
      from_name: "label",
      to_name: "text",
      type: "labels",
      value,
      score,
      meta: provenance,
    };
  };
}
