import {
  annotate,
  assertedRegions,
  type CompleteRegion,
  coverage,
  type Document,
  isComplete,
  type Sentence,
  type Span,
  sameSpan,
  surface,
  tokenCount,
  wholly,
} from "../../text/index.ts";
import { quote } from "../../util/errors.ts";
import type { Limit } from "../format.ts";
import { sentenceLimit } from "./makers.ts";

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
