import {
  allowedAt,
  annotate,
  compareSpans,
  type Entity,
  isDeclared,
  overlaps,
  type Sentence,
  type Span,
} from "../../text/index.ts";
import type { Teaching } from "./teaching.ts";

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
  { items, predicted, probability, outside }: Teaching,
  thresholds: Thresholds,
  counts: RelabelCounts,
): Sentence {
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
  const [starts, ends] = [items.starts(), items.ends()];
  for (let item = 0; item < items.size; item++) {
    const place = { start: starts[item]!, end: ends[item]! };
    if (outside(place) >= thresholds.outside || taken.some((each) => overlaps(each, place))) continue;
    const allowed = allowedAt(sentence, place);
    if (allowed.kind !== "open" || allowed.excluded === undefined) continue;
    unsure.push(place);
    counts.leftOut++;
  }
  return annotate(sentence, { entities, unsure: unsure.sort(compareSpans) });
}

/** The share of the labels before and after that only one of the two has. */
export function changedShare(now: readonly Sentence[], before: readonly Sentence[]): number {
  let [shared, all] = [0, 0];
  now.forEach(({ entities }, i) => {
    const old = before[i]!.entities;
    const same = entities.filter((entity) => old.some((other) => isSame(other, entity))).length;
    shared += same;
    all += entities.length + old.length - same;
  });
  return all === 0 ? 0 : 1 - shared / all;
}

function isSame(a: Entity, b: Entity): boolean {
  return compareSpans(a, b) === 0 && a.type === b.type;
}

function span({ start, end }: Span): Span {
  return { start, end };
}
