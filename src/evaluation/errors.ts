import { characters, type Entity, overlaps, type Sentence, sameSpan, spanIndex, surface } from "../text/index.ts";
import { type Judgement, type JudgeOptions, judge } from "./incomplete.ts";
import { exactMatches } from "./matching.ts";
import type { PlacedPair, SentencePair } from "./pairs.ts";

/**
 * - `wrong-type`: a gold span with another type.
 * - `wrong-boundary`: a gold entity's type on a span that overlaps it.
 * - `missed`: a gold entity with neither.
 * - `spurious`: a prediction with neither, on a span of which the gold says that it is wrong.
 * - `undecided`: a prediction with neither of which the gold cannot say that it is wrong; there are none where the gold
 *   is complete.
 * An overlap with another type is a missed and a spurious entity.
 */
export type ErrorKind = "missed" | "spurious" | "undecided" | "wrong-type" | "wrong-boundary";

/** An entity as a person wants to see it: tokens `[start, end)`, UTF-16 offsets into the document, and its text. */
export interface Mention {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly characters: readonly [start: number, end: number];
  readonly surface: string;
}

export interface EntityError {
  readonly kind: ErrorKind;
  /** Position in the gold, counted from 0. */
  readonly document: number;
  readonly sentence: number;
  readonly id?: string;
  /** Absent when spurious or undecided. */
  readonly gold?: Mention;
  /** Absent when missed. */
  readonly predicted?: Mention;
}

/** Every error of a sentence, by position. Each gold entity and each prediction is in at most one. */
export function errorsOf(pair: PlacedPair, options: JudgeOptions = {}): EntityError[] {
  const { document, sentence, id } = pair;
  const place = id === undefined ? { document, sentence } : { document, sentence, id };
  return sortErrors(
    pairErrors(pair, options).map(({ kind, gold, predicted }) => ({
      kind,
      ...place,
      ...(gold && { gold: mention(pair.gold, gold) }),
      ...(predicted && { predicted: mention(pair.predicted, predicted) }),
    })),
  );
}

interface ErrorPair {
  readonly kind: ErrorKind;
  readonly gold?: Entity;
  readonly predicted?: Entity;
}

function pairErrors({ gold, predicted }: SentencePair, options: JudgeOptions): ErrorPair[] {
  const matches = exactMatches(gold.entities, predicted.entities);
  const isWrong = (entity: Entity): boolean =>
    !spanIndex(matches)
      .at(entity)
      .some((match) => match.type === entity.type);
  const missed = new Set(gold.entities.filter(isWrong));
  const spurious = new Set(predicted.entities.filter(isWrong));
  const errors: ErrorPair[] = [];
  const pairUp = (kind: ErrorKind, fits: (a: Entity, b: Entity) => boolean): void => {
    const index = spanIndex([...spurious]);
    const candidates = [...missed].flatMap((a) =>
      index
        .overlapping(a)
        .filter((b) => fits(a, b))
        .map((b) => ({ a, b })),
    );
    for (const { a, b } of candidates.sort((x, y) => overlapOf(y.a, y.b) - overlapOf(x.a, x.b))) {
      if (!missed.has(a) || !spurious.has(b)) continue;
      missed.delete(a);
      spurious.delete(b);
      errors.push({ kind, gold: a, predicted: b });
    }
  };
  pairUp("wrong-type", sameSpan);
  pairUp("wrong-boundary", (a, b) => a.type === b.type && overlaps(a, b));
  for (const entity of missed) errors.push({ kind: "missed", gold: entity });
  for (const entity of spurious) errors.push({ kind: blameOf(judge(gold, entity, options)), predicted: entity });
  return errors;
}

function blameOf(judgement: Judgement): "spurious" | "undecided" {
  return judgement === "unknown" || judgement === "unsure" ? "undecided" : "spurious";
}

/** The number of tokens that two spans share. */
function overlapOf(a: Entity, b: Entity): number {
  return Math.min(a.end, b.end) - Math.max(a.start, b.start);
}

function mention(sentence: Sentence, entity: Entity): Mention {
  const { start, end } = characters(sentence, entity);
  return {
    type: entity.type,
    start: entity.start,
    end: entity.end,
    characters: [start, end],
    surface: surface(sentence, entity),
  };
}

function sortErrors(errors: EntityError[]): EntityError[] {
  const startOf = ({ gold, predicted }: EntityError): number => (gold ?? predicted)?.start ?? 0;
  return errors.sort((a, b) => startOf(a) - startOf(b));
}
