import type { Ordinary, OrdinaryWords } from "../evaluation/index.ts";
import { type Entity, type Sentence, type Span, spanIndex, stateOf, tokenTexts } from "../text/index.ts";
import type { MeanSpan } from "./mean-spans.ts";
import type { SurfaceCounts, SurfaceEvidence } from "./surface-evidence.ts";

/** A place of a dictionary's surface in a sentence. */
export interface DictionaryMatch extends Span {
  readonly types: readonly string[];
  /** The file it stands in. */
  readonly dictionary: string;
}

/** Finds the surfaces of a dictionary in a sentence. */
export type DictionaryLookup = (sentence: Sentence) => readonly DictionaryMatch[];

/** A span about which something can be said, with all that is known of it. By type where it is a list. */
export interface Candidate extends MeanSpan {
  /** What the annotation labels it as. */
  readonly given: readonly Entity[];
  /** Whether what people said leaves open that it is an entity of this type without a label. */
  readonly open: readonly boolean[];
  /** Whether a person ruled out this type here, or saw something here and left it undecided. */
  readonly barred: readonly boolean[];
  readonly elsewhere: SurfaceCounts;
  readonly dictionary: readonly (string | undefined)[];
  /** How far the text is an ordinary word, from 0 to 1, and its places in lower case. */
  readonly ordinary: { readonly share: number; readonly places: number };
  /** What speaks for longer spans that contain it, whatever their type: a part of a name is seldom a name itself. */
  readonly longer: {
    /** The most that the models give to one of them. */
    readonly prob: number;
    /** The highest share of labelled places among their texts elsewhere. */
    readonly labelled: number;
  };
}

export interface CandidateOptions {
  readonly types: readonly string[];
  readonly evidence: SurfaceEvidence;
  readonly ordinary: OrdinaryWords;
  readonly lookUp?: DictionaryLookup | undefined;
}

/**
 * The candidates of a sentence by start and then by end: spans that the models find, that are labelled, whose text is
 * labelled elsewhere, or that stand in a dictionary.
 */
export function candidatesOf(
  sentence: Sentence,
  number: number,
  spans: readonly MeanSpan[],
  { evidence, ordinary, types, lookUp }: CandidateOptions,
): Candidate[] {
  const tokens = tokenTexts(sentence);
  const zeros = types.map(() => 0);
  const all = new Map(spans.map((span) => [keyOf(span), span]));
  const matches = lookUp?.(sentence) ?? [];
  for (const { start, end } of [...sentence.entities, ...evidence.places(number), ...matches]) {
    const key = keyOf({ start, end });
    if (!all.has(key)) all.set(key, { start, end, probs: zeros, votes: zeros });
  }
  const isPlain = sentence.rejected.length + sentence.unsure.length + sentence.complete.length === 0;
  const labels = spanIndex(sentence.entities);
  const known = spanIndex(matches);
  const sorted = [...all.values()]
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .map((span) => ({ ...span, elsewhere: evidence.elsewhere(number, span) }));
  const index = spanIndex(sorted);
  const [always, never, unlisted] = [types.map(() => true), types.map(() => false), types.map(() => undefined)];
  return sorted.map((span) => ({
    ...span,
    given: labels.at(span),
    open: isPlain ? always : types.map((type) => !isBarred(sentence, span, type) && isUnknown(sentence, span, type)),
    barred: isPlain ? never : types.map((type) => isBarred(sentence, span, type)),
    dictionary:
      matches.length === 0
        ? unlisted
        : types.map((type) => known.at(span).find((match) => match.types.includes(type))?.dictionary),
    ordinary: ordinaryOf(ordinary(tokens, span)),
    longer: longerThan(span, index.overlapping(span)),
  }));
}

/** Places in lower case that say nothing: many a name is a word too, and ordinary words are frequent ones. */
const allowance = 30;

function ordinaryOf({ places, labelled }: Ordinary): Candidate["ordinary"] {
  return { share: places / (places + labelled + allowance), places };
}

function longerThan(span: Span, near: readonly (MeanSpan & Pick<Candidate, "elsewhere">)[]): Candidate["longer"] {
  let [prob, labelled] = [0, 0];
  for (const { start, end, probs, elsewhere } of near) {
    if (start > span.start || end < span.end || end - start === span.end - span.start) continue;
    prob = Math.max(prob, ...probs);
    const count = elsewhere.labelled.reduce((sum, each) => sum + each, 0);
    if (count > 0) labelled = Math.max(labelled, count / elsewhere.places);
  }
  return { prob, labelled };
}

function isUnknown(sentence: Sentence, { start, end }: Span, type: string): boolean {
  return stateOf(sentence, { start, end }, type) === "unknown";
}

/** Something undecided speaks for its neighbourhood too: the same doubt with another boundary is no news. */
function isBarred({ rejected, unsure }: Sentence, span: Span, type: string): boolean {
  return (
    spanIndex(unsure).touches(span) ||
    spanIndex(rejected)
      .at(span)
      .some((rejection) => rejection.type === undefined || rejection.type === type)
  );
}

function keyOf({ start, end }: Span): string {
  return `${start} ${end}`;
}
