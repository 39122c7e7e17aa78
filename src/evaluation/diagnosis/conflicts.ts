import { compareSpans, type Sentence, surface, tokenCount, tokenTexts } from "../../text/index.ts";
import { type PlacedSentence, type Position, positionOf } from "./placed.ts";
import type { SurfaceUse } from "./surface-uses.ts";

/** A form that is labelled in one place and not, or with another type, in another. */
export interface Conflict<P = Position> {
  readonly surface: string;
  readonly labelled: Readonly<Record<string, number>>;
  readonly unlabelled: number;
  readonly labelledAt: readonly P[];
  readonly unlabelledAt: readonly P[];
}

export interface Conflicts<P = Position> {
  /** Forms that are labelled somewhere. */
  readonly surfaces: number;
  /** Those that also stand unlabelled somewhere, and how many such places there are: the cheapest sign of missing labels. */
  readonly halfLabelled: number;
  readonly unlabelled: number;
  /** Forms that have labels of several types. */
  readonly severalTypes: number;
  /** The half-labelled forms with the most of both first: common words, labelled once by chance, come last. */
  readonly examples: readonly Conflict<P>[];
}

export function conflictsOf(uses: readonly SurfaceUse[], examples: number): Conflicts {
  const halfLabelled = uses.filter(({ labelled, unlabelled }) => labelled.size > 0 && unlabelled > 0);
  const weight = (use: SurfaceUse): number => Math.min(labels(use), use.unlabelled);
  const ranked = halfLabelled.toSorted((a, b) => weight(b) - weight(a) || labels(b) - labels(a));
  return {
    surfaces: uses.length,
    halfLabelled: halfLabelled.length,
    unlabelled: halfLabelled.reduce((sum, use) => sum + use.unlabelled, 0),
    severalTypes: uses.filter(({ labelled }) => labelled.size > 1).length,
    examples: ranked.slice(0, examples).map((use) => ({ ...use, labelled: Object.fromEntries(use.labelled) })),
  };
}

/** How often a form is labelled, whatever the type. */
export function labels({ labelled }: SurfaceUse): number {
  let sum = 0;
  for (const count of labelled.values()) sum += count;
  return sum;
}

/** A sentence that repeats an earlier one with other annotations. */
export interface Disagreement<P = Position> {
  readonly text: string;
  readonly first: P;
  readonly other: P;
}

export interface Duplicates<P = Position> {
  /** Sentences with the tokens of an earlier one. */
  readonly sentences: number;
  /** Those annotated otherwise than the earlier one. */
  readonly disagreeing: number;
  /** One for each text, the longest first: short lines repeat by chance. */
  readonly examples: readonly Disagreement<P>[];
}

export function duplicatesOf(sentences: readonly PlacedSentence[], examples: number): Duplicates {
  const seen = new Map<string, PlacedSentence>();
  const disagreeing = new Map<PlacedSentence, PlacedSentence>();
  let [repeats, disagreements] = [0, 0];
  for (const placed of sentences) {
    const key = tokenTexts(placed.value).join("\n");
    const first = seen.get(key);
    if (first === undefined) seen.set(key, placed);
    else {
      repeats++;
      if (sameEntities(first.value, placed.value)) continue;
      disagreements++;
      if (!disagreeing.has(first)) disagreeing.set(first, placed);
    }
  }
  const longest = [...disagreeing].sort(([a], [b]) => tokenCount(b.value) - tokenCount(a.value));
  return {
    sentences: repeats,
    disagreeing: disagreements,
    examples: longest.slice(0, examples).map(([first, other]) => {
      const whole = { start: 0, end: tokenCount(first.value) };
      return { text: surface(first.value, whole), first: positionOf(first, whole), other: positionOf(other, whole) };
    }),
  };
}

function sameEntities(a: Sentence, b: Sentence): boolean {
  return (
    a.entities.length === b.entities.length &&
    a.entities.every((entity, i) => compareSpans(entity, b.entities[i]!) === 0 && entity.type === b.entities[i]!.type)
  );
}
