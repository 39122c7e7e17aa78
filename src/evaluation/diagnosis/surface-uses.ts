import { type Entity, type Sentence, type Span, spanIndex, stateOf, surface, tokenTexts } from "../../text/index.ts";
import { type PlacedSentence, type Position, positionOf } from "./placed.ts";
import { labelledSurfaces, type Occurrence } from "./surfaces.ts";

/** A surface form that is labelled somewhere, and what becomes of it where it stands. */
export interface SurfaceUse {
  readonly surface: string;
  /** How often it is labelled, by type. */
  readonly labelled: ReadonlyMap<string, number>;
  /** How often it stands free: unlabelled, not rejected, and not a part of something longer. */
  readonly unlabelled: number;
  /** The first places of either kind. */
  readonly labelledAt: readonly Position[];
  readonly unlabelledAt: readonly Position[];
}

const positionsKept = 3;

/**
 * Every form that is labelled somewhere with its occurrences. Left out are occurrences that tell nothing of a missing label:
 * those inside a longer form that is labelled somewhere ("China" in "Bank of China"), whether labelled
 * or not; those that overlap a labelled entity; those that are known to be no entity, or undecided.
 */
export function surfaceUses(sentences: readonly PlacedSentence[]): SurfaceUse[] {
  const index = labelledSurfaces(sentences.map(({ value }) => value));
  const uses: (MutableUse | undefined)[] = Array.from({ length: index.size });
  for (const placed of sentences) {
    for (const occurrence of outermost(index.find(tokenTexts(placed.value)))) {
      const use = useOf(placed.value, occurrence);
      if (use === undefined) continue;
      uses[occurrence.surface] ??= emptyUse(surface(placed.value, occurrence));
      record(uses[occurrence.surface]!, use, positionOf(placed, occurrence));
    }
  }
  return uses.filter((use) => use !== undefined);
}

interface MutableUse {
  surface: string;
  labelled: Map<string, number>;
  unlabelled: number;
  labelledAt: Position[];
  unlabelledAt: Position[];
}

function emptyUse(text: string): MutableUse {
  return { surface: text, labelled: new Map(), unlabelled: 0, labelledAt: [], unlabelledAt: [] };
}

/** The labels of an occurrence, none if it stands free; missing when it tells nothing. */
function useOf(sentence: Sentence, span: Span): readonly Entity[] | undefined {
  const { entities, rejected, unsure, complete } = sentence;
  const labels = spanIndex(entities).at(span);
  if (labels.length > 0) return labels;
  if (spanIndex(entities).touches(span)) return undefined;
  const isPlain = rejected.length + unsure.length + complete.length === 0;
  return isPlain || stateOf(sentence, span) === "unknown" ? [] : undefined;
}

function record(use: MutableUse, labels: readonly Entity[], position: Position): void {
  for (const { type } of labels) use.labelled.set(type, (use.labelled.get(type) ?? 0) + 1);
  if (labels.length === 0) use.unlabelled++;
  const kept = labels.length > 0 ? use.labelledAt : use.unlabelledAt;
  if (kept.length < positionsKept) kept.push(position);
}

/** Occurrences that no other one contains. They come by start and then by end. */
function outermost(occurrences: readonly Occurrence[]): Occurrence[] {
  const result: Occurrence[] = [];
  let reach = 0;
  for (const [i, occurrence] of occurrences.entries()) {
    const isPrefix = occurrences[i + 1]?.start === occurrence.start;
    if (isPrefix || occurrence.end <= reach) continue;
    result.push(occurrence);
    reach = occurrence.end;
  }
  return result;
}
