import { type Entity, makeSentence, sameSpan } from "../../text/index.ts";
import { quote } from "../../util/errors.ts";
import type { Limit } from "../format.ts";
import { entitiesLimit, entityLimit } from "./makers.ts";

export const ids: Limit = {
  what: "document ids",
  minor: true,
  reduce(document, lose) {
    if (document.id === undefined) return document;
    lose(() => quote(document.id));
    return { text: document.text, sentences: document.sentences };
  },
};

/** Halves of surrogate pairs, which JSON can hold but UTF-8 cannot; U+FFFD takes their place, as every encoder has it. */
export const loneSurrogates: Limit = {
  what: "lone surrogates",
  reduce(document, lose) {
    const mended = (text: string): string => text.replaceAll(/\p{Cs}/gu, "\ufffd");
    const text = mended(document.text);
    const types = document.sentences.flatMap(({ entities }) => entities.map(({ type }) => type));
    const broken = [document.text, ...types].find((value) => mended(value) !== value);
    if (broken === undefined) return document;
    lose(() => quote(broken));
    const sentences = document.sentences.map((sentence) => {
      const entities = sentence.entities.map((entity) => ({ ...entity, type: mended(entity.type) }));
      return makeSentence(text, sentence.offsets, { ...sentence, entities });
    });
    return { ...document, text, sentences };
  },
};

export const scores = entityLimit("scores", (entity, lose, describe) => {
  if (entity.score === undefined) return entity;
  lose(() => `${describe()} with ${entity.score}`);
  const { score: _, ...rest } = entity;
  return rest;
});

export const provenance = entityLimit("sources of labels", (entity, lose, describe) => {
  if (entity.provenance === undefined) return entity;
  lose(() => `${describe()} from ${quote(entity.provenance!.source)}`);
  const { provenance: _, ...rest } = entity;
  return rest;
});

export const spacedLabels = entityLimit("labels with white space", (entity, lose, describe) => {
  if (!/\s/.test(entity.type)) return entity;
  lose(describe);
  return { ...entity, type: entity.type.replaceAll(/\s/g, "_") };
});

/** Of labels on one span, the first stays. */
export const secondTypes = entitiesLimit("second labels of a span", (entities, lose) => {
  const kept: Entity[] = [];
  for (const entity of entities) {
    const before = kept.at(-1);
    if (before !== undefined && sameSpan(before, entity)) lose(entity);
    else kept.push(entity);
  }
  return kept;
});

/** Of entities that overlap, the longest stays, and of equally long ones the first. */
export const overlaps = entitiesLimit("overlapping entities", (entities, lose) => {
  const byLength = [...entities].sort((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start);
  const taken = new Uint8Array(entities.reduce((last, { end }) => Math.max(last, end), 0));
  const kept: Entity[] = [];
  for (const entity of byLength) {
    // What was kept is no shorter: it cannot lie within this one without reaching one of its ends.
    if (taken[entity.start] === 1 || taken[entity.end - 1] === 1) lose(entity);
    else {
      taken.fill(1, entity.start, entity.end);
      kept.push(entity);
    }
  }
  return kept;
});
