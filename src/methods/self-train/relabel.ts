import type { ItemScores } from "../../heads/index.ts";
import {
  allowedAt,
  annotate,
  compareSpans,
  type Entity,
  overlaps,
  type Sentence,
  type Span,
} from "../../text/index.ts";

/** How sure teachers must be to change what the annotation says. */
export interface Thresholds {
  /** A given label stays when it has at least this probability. */
  readonly keep: number;
  /** A given label that does not stay gives way to what has at least this probability, an entity or none. */
  readonly sure: number;
  /** Silence is no entity when that has at least this probability. */
  readonly outside: number;
  /** Silence becomes an entity that has at least this probability. */
  readonly entity: number;
}

/** What teachers that have not seen a sentence say of it. */
export interface Teaching {
  readonly scores: ItemScores;
  /** The entities that follow from the scores, with their probabilities. */
  readonly predicted: readonly Entity[];
}

/** The names of types, and for each label the number of its type, -1 for none. */
export interface LabelTypes {
  readonly types: readonly string[];
  readonly typeOf: readonly number[];
}

export interface RelabelCounts {
  /** Given labels that stay. */
  kept: number;
  /** Given labels that became another entity, or none. */
  replaced: number;
  /** Entities where the annotation was silent. */
  completed: number;
  /** Given labels and silent spans or tokens that do not train. */
  leftOut: number;
}

/**
 * New labels for a sentence. What people declared stays as it is: labels inside a complete part, rejections, unsure
 * spans. Whatever is neither labelled nor left out afterwards is taken for no entity by a method that trusts silence.
 */
export function relabel(
  sentence: Sentence,
  { scores, predicted }: Teaching,
  labels: LabelTypes,
  thresholds: Thresholds,
  counts: RelabelCounts,
): Sentence {
  const { probability, outside } = reader(scores, labels);
  const entities: Entity[] = [];
  const unsure: Span[] = [...sentence.unsure];
  const doubted: Span[] = [];
  const isPossible = (entity: Entity): boolean => {
    const allowed = allowedAt(sentence, entity);
    return allowed.kind === "open" && allowed.excluded !== undefined && !allowed.excluded.includes(entity.type);
  };
  for (const given of sentence.entities) {
    const stays = isDeclared(sentence, given) || predicted.some((each) => isSame(each, given));
    if (stays || probability(given) >= thresholds.keep) {
      entities.push(given);
      counts.kept++;
    } else doubted.push(given);
  }
  const isFree = (span: Span): boolean => !entities.some((each) => overlaps(each, span));
  for (const found of predicted.filter(isFree)) {
    const against = doubted.filter((each) => overlaps(each, found));
    const needed = against.length > 0 ? thresholds.sure : thresholds.entity;
    const retyped = against.some((each) => compareSpans(each, found) === 0);
    if (found.score! >= needed && (retyped || isPossible(found))) {
      entities.push({ ...found, provenance: { source: "self-train" } });
      if (against.length === 0) counts.completed++;
    } else if (against.length === 0 && isPossible(found)) {
      unsure.push(span(found));
      counts.leftOut++;
    }
  }
  for (const given of doubted) {
    if (!isFree(given) || outside(given) >= thresholds.sure) counts.replaced++;
    else {
      unsure.push(span(given));
      counts.leftOut++;
    }
  }
  const taken = [...entities, ...unsure];
  const [starts, ends] = [scores.items.starts(), scores.items.ends()];
  for (let item = 0; item < scores.items.size; item++) {
    const place = { start: starts[item]!, end: ends[item]! };
    if (outside(place) >= thresholds.outside || taken.some((each) => overlaps(each, place))) continue;
    const allowed = allowedAt(sentence, place);
    if (allowed.kind !== "open" || allowed.excluded === undefined) continue;
    unsure.push(place);
    counts.leftOut++;
  }
  return annotate(sentence, { entities, unsure: unsure.sort(compareSpans) });
}

/**
 * Probabilities of spans from those of items: of the span itself, or of its least sure token where items are tokens. Of
 * spans that are too wide to be items nothing can be said, so they are what they are.
 */
function reader(
  { items, logProbs }: ItemScores,
  { types, typeOf }: LabelTypes,
): { readonly probability: (entity: Entity) => number; readonly outside: (span: Span) => number } {
  const [starts, ends] = [items.starts(), items.ends()];
  const areTokens = starts.every((start, item) => ends[item] === start + 1);
  const places = new Map(Array.from(starts, (start, item) => [key(start, ends[item]!), item]));
  const share = (item: number, type: number): number => {
    let total = 0;
    typeOf.forEach((each, label) => {
      if (each === type) total += Math.exp(logProbs[item * typeOf.length + label]!);
    });
    return total;
  };
  const of = ({ start, end }: Span, type: number): number => {
    const whole = places.get(key(start, end));
    if (whole !== undefined) return share(whole, type);
    if (!areTokens) return 1;
    let least = 1;
    for (let token = start; token < end; token++)
      least = Math.min(least, share(places.get(key(token, token + 1))!, type));
    return least;
  };
  return {
    probability: (entity) => of(entity, types.indexOf(entity.type)),
    outside: (span) => of(span, -1),
  };
}

/** A label in a part that somebody declared complete for its type was set by that person. */
function isDeclared({ complete }: Sentence, entity: Entity): boolean {
  return complete.some(
    (part) => overlaps(part, entity) && (part.types === undefined || part.types.includes(entity.type)),
  );
}

function isSame(a: Entity, b: Entity): boolean {
  return compareSpans(a, b) === 0 && a.type === b.type;
}

function span({ start, end }: Span): Span {
  return { start, end };
}

function key(start: number, end: number): number {
  return start * 2 ** 26 + end;
}
