import {
  type Annotation,
  annotate,
  assertedRegions,
  type CompleteRegion,
  characters,
  coverage,
  type Document,
  type Entity,
  isComplete,
  joinTokens,
  makeSentence,
  type Sentence,
  type Span,
  sameSpan,
  surface,
  tokenCount,
  tokenise,
  tokenTexts,
  wholly,
} from "../text/index.ts";
import { quote } from "../util/errors.ts";
import type { Limit, Lose, WriteOptions } from "./format.ts";

/** What some format cannot express, each with what remains of a document without it. */

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

export const rejections = sentenceLimit("rejections", (sentence, lose) => {
  for (const span of sentence.rejected) lose(() => quote(surface(sentence, span)));
  return sentence.rejected.length === 0 ? sentence : annotate(sentence, { rejected: [] });
});

/** Where the undecided cannot be said it becomes unknown, also inside a part declared complete: never a negative. */
export const unsure = sentenceLimit("undecided spans", (sentence, lose) => {
  if (sentence.unsure.length === 0) return sentence;
  for (const span of sentence.unsure) lose(() => quote(surface(sentence, span)));
  const touched = coverage(sentence.unsure);
  return annotate(sentence, { unsure: [], complete: sentence.complete.flatMap((region) => without(region, touched)) });
});

/**
 * Completeness for a format that knows only whole documents. Where silence is negative, `saysAll` tells which documents
 * will read as complete; everything else reads as unknown.
 */
export function completeness(saysAll: (document: Document) => boolean): Limit {
  return {
    what: "parts of documents declared complete or left unknown",
    reduce(document, lose, { silence = "unknown" }) {
      const complete = silence === "negative" && saysAll(document);
      const sentences = document.sentences.map((sentence) => {
        const wanted = complete ? wholly(tokenCount(sentence)) : [];
        const same = sameRegions(canonicalRegions(sentence), wanted) && !hasTypedRegions(sentence);
        if (!same) lose(() => describeRegions(sentence));
        return sameRegions(sentence.complete, wanted) ? sentence : annotate(sentence, { complete: wanted });
      });
      return { ...document, sentences };
    },
  };
}

/** For a format that cannot tell an annotated document from one that nobody looked at. */
export const silentCompleteness = completeness(() => true);

/** For a format that can. */
export const finishedCompleteness = completeness(isFinished);

/** True when a document is declared complete as a whole; one without tokens is when it says nothing else. */
export function isFinished(document: Document): boolean {
  return document.sentences.some(({ complete }) => complete.length > 0) && document.sentences.every(isComplete);
}

/** Completeness as tags can say it: per token, for all types, and never of an entity beside an unknown token. */
export const taggedCompleteness = sentenceLimit(
  "completeness beyond what tags can say",
  (sentence, lose, { silence }) => {
    const count = tokenCount(sentence);
    const before = canonicalRegions(sentence);
    const silent = outside(before);
    const inEntity = coverage(sentence.entities);
    const after =
      silence === "negative"
        ? assertedRegions(count, (token) => silent(token) && !inEntity(token), sentence.entities)
        : [];
    if (!sameRegions(before, after) || hasTypedRegions(sentence)) lose(() => describeRegions(sentence));
    return sameRegions(sentence.complete, after) ? sentence : annotate(sentence, { complete: after });
  },
);

/** Text between tokens, for formats of tokens. */
export const spacing: Limit = {
  what: "texts that are not their tokens joined by spaces",
  reduce(document, lose) {
    const joined = rejoined(document, tokenTexts);
    if (joined.text === document.text && sameTokens(document, joined)) return document;
    lose(() => quote(document.text));
    return joined;
  },
};

/** Tokens that a line of columns cannot hold are written with U+2423 in the place of what breaks the line. */
export const unwritableTokens: Limit = {
  what: "tokens with a tab or line break in them, empty ones, and -DOCSTART-",
  reduce(document, lose) {
    let lost = false;
    const writable = (token: string): string => {
      const safe =
        token === "" ? "␣" : token.replace(/^\uFEFF|^-DOCSTART-(?=[ \t]|$)/, "␣").replaceAll(/[\t\r\n]/g, "␣");
      if (safe === token) return token;
      lost = true;
      lose(() => quote(token));
      return safe;
    };
    const joined = rejoined(document, (sentence) => tokenTexts(sentence).map(writable));
    return lost ? joined : document;
  },
};

export const emptySentences: Limit = {
  what: "sentences without tokens",
  reduce(document, lose) {
    const kept = document.sentences.filter((sentence) => tokenCount(sentence) > 0);
    for (let i = kept.length; i < document.sentences.length; i++) lose(() => "an empty sentence");
    return kept.length === document.sentences.length ? document : { ...document, sentences: kept };
  },
};

/** Documents for formats in which each sentence stands for itself. */
export const documents: Limit = {
  what: "documents of more or less than one sentence",
  reduce(document, lose) {
    if (document.sentences.length === 1) return document;
    lose(
      () =>
        `${document.sentences.length} sentences in ${document.id === undefined ? "one document" : quote(document.id)}`,
    );
    return document.sentences.map((sentence) => rejoined({ ...document, sentences: [sentence] }, tokenTexts));
  },
};

/** Tokens and sentences, for formats of text: made anew by the tokeniser when read. */
export const tokens: Limit = {
  what: "tokens and sentences that the tokeniser would cut otherwise",
  reduce: (document, lose) => recut(document, lose, false),
};

/** Sentences, for formats that keep text and tokens. */
export const sentenceBreaks: Limit = {
  what: "sentences that would be cut otherwise",
  reduce: (document, lose) => recut(document, lose, true),
};

function recut(document: Document, lose: Lose, keepTokens: boolean): Document {
  const spans = <S extends Span>(pick: (sentence: Sentence) => readonly S[]): S[] =>
    document.sentences.flatMap((sentence) =>
      pick(sentence).map((span) => ({ ...span, ...characters(sentence, span) })),
    );
  const fresh = tokenise(
    document.text,
    {
      entities: spans((sentence) => sentence.entities),
      rejected: spans((sentence) => sentence.rejected),
      unsure: spans((sentence) => sentence.unsure),
      complete: spans((sentence) => sentence.complete),
    },
    {
      id: document.id,
      tokens: keepTokens ? Int32Array.from(document.sentences.flatMap((sentence) => [...sentence.offsets])) : undefined,
    },
  );
  if (sameTokens(document, fresh)) return document;
  lose(() => quote(document.text));
  return fresh;
}

/** Tells which tokens no region holds. */
export function outside(regions: readonly Span[]): (token: number) => boolean {
  const covered = coverage(regions);
  return (token) => !covered(token);
}

function canonicalRegions(sentence: Sentence): CompleteRegion[] {
  const regions = sentence.complete.filter(({ types }) => types === undefined);
  return assertedRegions(tokenCount(sentence), outside(regions), []);
}

function hasTypedRegions(sentence: Sentence): boolean {
  return sentence.complete.some(({ types }) => types !== undefined);
}

function sameRegions(a: readonly CompleteRegion[], b: readonly CompleteRegion[]): boolean {
  return a.length === b.length && a.every((region, i) => sameSpan(region, b[i]!) && region.types === b[i]!.types);
}

function describeRegions(sentence: Sentence): string {
  const regions = sentence.complete.map(
    ({ start, end, types }) => `[${start}, ${end})${types === undefined ? "" : ` for ${types.join(", ")}`}`,
  );
  return `${regions.length === 0 ? "nothing" : regions.join(" ")} complete of ${tokenCount(sentence)} tokens`;
}

function without(region: CompleteRegion, touched: (token: number) => boolean): CompleteRegion[] {
  const pieces: CompleteRegion[] = [];
  for (let start = region.start; start < region.end; start++) {
    if (touched(start)) continue;
    let end = start + 1;
    while (end < region.end && !touched(end)) end++;
    pieces.push({ ...region, start, end });
    start = end;
  }
  return pieces;
}

/** The same annotation over tokens joined into a new text. */
function rejoined(document: Document, tokensOf: (sentence: Sentence) => string[]): Document {
  const { text, offsets } = joinTokens(document.sentences.map(tokensOf));
  return {
    ...document,
    text,
    sentences: document.sentences.map((sentence, i) => makeSentence(text, offsets[i]!, sentence)),
  };
}

function sameTokens(a: Document, b: Document): boolean {
  return (
    a.sentences.length === b.sentences.length &&
    a.sentences.every(({ offsets }, i) => {
      const others = b.sentences[i]!.offsets;
      return offsets.length === others.length && offsets.every((offset, j) => offset === others[j]);
    })
  );
}

function sentenceLimit(
  what: string,
  reduce: (sentence: Sentence, lose: Lose, options: WriteOptions) => Sentence,
): Limit {
  return {
    what,
    reduce(document, lose, options) {
      const sentences = document.sentences.map((sentence) => reduce(sentence, lose, options));
      return sentences.every((sentence, i) => sentence === document.sentences[i])
        ? document
        : { ...document, sentences };
    },
  };
}

function entitiesLimit(
  what: string,
  reduce: (entities: readonly Entity[], lose: (entity: Entity) => void) => readonly Entity[],
): Limit {
  return sentenceLimit(what, (sentence, lose) => {
    if (sentence.entities.length < 2) return sentence;
    const entities = reduce(sentence.entities, (entity) => lose(() => describeEntity(sentence, entity)));
    return entities.length === sentence.entities.length ? sentence : annotate(sentence, { entities });
  });
}

function entityLimit(what: string, reduce: (entity: Entity, lose: Lose, describe: () => string) => Entity): Limit {
  return sentenceLimit(what, (sentence, lose) => {
    const entities = sentence.entities.map((entity) => reduce(entity, lose, () => describeEntity(sentence, entity)));
    const same = entities.every((entity, i) => entity === sentence.entities[i]);
    return same ? sentence : annotate(sentence, { entities } satisfies Annotation);
  });
}

function describeEntity(sentence: Sentence, entity: Entity): string {
  return `${entity.type} ${quote(surface(sentence, entity))}`;
}
