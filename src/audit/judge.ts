import { type Entity, overlaps, type Sentence, type Span, sameSpan, spanIndex, tokenCount } from "../text/index.ts";
import type { Evidence } from "./calibration.ts";
import type { Candidate } from "./candidates.ts";
import { fitNoise, missingProbability, type NoiseRates, posterior, type Readings } from "./noise-model.ts";
import type { SuspicionKind } from "./suspicion.ts";

/** What is suspected of a place: what it should be, and what the annotation has. */
export interface Judgement extends Span {
  readonly kind: SuspicionKind;
  /** How probable it is that the annotation is wrong here. */
  readonly score: number;
  /** The same by what speaks against the annotation here, and not by how many labels are wrong anywhere. */
  readonly doubt: number;
  readonly sentence: number;
  readonly type: string;
  readonly given: Entity | null;
  /** What speaks for the type that is suggested to be missing or doubted, before it is calibrated. */
  readonly evidence: Evidence;
  /** The candidate that the suggestion rests on, and that of the given label. */
  readonly suggested: Candidate;
  readonly doubted: Candidate | null;
}

/** A candidate with how probable each type is there by the text alone, and the evidence that was calibrated to that. */
export interface Weighed {
  readonly candidate: Candidate;
  readonly evidence: readonly Evidence[];
  readonly shares: readonly number[];
}

export interface JudgeOptions {
  readonly types: readonly string[];
  /** The shares were calibrated on text whose annotation is complete. */
  readonly calibrated: boolean;
  /** The share of the labels that are right; without it, by what is usual and what the shares contradict. */
  readonly trust?: number | undefined;
}

/** Judges every label that was given and every span that was not; the best kept spans of a sentence do not overlap. */
export function judge(
  sentences: readonly Sentence[],
  weighed: readonly (readonly Weighed[])[],
  { types, calibrated, trust }: JudgeOptions,
): { readonly judgements: Judgement[]; readonly rates: NoiseRates } {
  const doubts = sentences.flatMap((sentence, number) =>
    sentence.entities.map((entity) => doubtOf(entity, number, weighed[number]!, types)),
  );
  const rates = fitNoise(
    doubts.map(({ readings }) => readings),
    { entities: expectedEntities(weighed), spans: weighed.flat().length, calibrated, trust },
  );
  const isNested = sentences.some(({ entities }) => hasOverlap(entities));
  const judgements = doubts.map((doubt) => judgeLabel(doubt, rates, types));
  for (const [number, sentence] of sentences.entries())
    judgements.push(...missingIn(sentence, number, weighed[number]!, rates, { types, calibrated, isNested }));
  return { judgements, rates };
}

/** A given label with everything that could be true instead. */
interface Doubt {
  readonly sentence: number;
  readonly entity: Entity;
  readonly readings: Readings;
  readonly own: Weighed;
  readonly otherType: number;
  readonly otherSpan: OtherSpan;
}

/** A span that overlaps a label, with the likeliest type there and how probable a label with other bounds makes it. */
interface OtherSpan {
  readonly candidate: Candidate | undefined;
  readonly type: number;
  readonly share: number;
}

const noSpan: OtherSpan = { candidate: undefined, type: -1, share: 0 };

/** Of those who mistake a boundary, the share that mistake the type too. */
const mistakesBoth = 1 / 3;

function doubtOf(entity: Entity, sentence: number, weighed: readonly Weighed[], types: readonly string[]): Doubt {
  const type = types.indexOf(entity.type);
  const near = weighed.filter(({ candidate }) => overlaps(candidate, entity));
  const own = near.find(({ candidate }) => sameSpan(candidate, entity))!;
  const isGiven = (other: number): boolean => own.candidate.given.some((label) => label.type === types[other]);
  const otherType = bestOf(
    own.shares.map((share, other) => (isGiven(other) || own.candidate.barred[other] ? -1 : share)),
  );
  const otherSpan = near
    .filter(({ candidate }) => candidate.given.length === 0)
    .map(({ candidate, shares }): OtherSpan => {
      const likely = shares.map((share, other) => (other === type ? share : mistakesBoth * share));
      const open = likely.map((share, other) => (candidate.barred[other] ? 0 : share));
      return { candidate, type: bestOf(open), share: sum(open) };
    })
    .reduce((best, each) => (each.share > best.share ? each : best), noSpan);
  const readings = {
    right: own.shares[type]!,
    type: otherType < 0 ? 0 : own.shares[otherType]!,
    boundary: otherSpan.share,
    none: Math.max(1e-6, 1 - Math.max(...near.map(({ shares }) => sum(shares)))),
  };
  return { sentence, entity, readings, own, otherType, otherSpan };
}

function judgeLabel(
  { sentence, entity, readings, own, otherType, otherSpan }: Doubt,
  rates: NoiseRates,
  types: readonly string[],
): Judgement {
  const { right, type, boundary, none } = posterior(readings, ratesFor(own.candidate, rates));
  const base = {
    sentence,
    score: 1 - (1 - rates.repeated) * right,
    doubt: 1 - right,
    evidence: own.evidence[types.indexOf(entity.type)]!,
    given: entity,
    doubted: own.candidate,
  };
  const { start, end } = entity;
  if (type > none && type >= boundary)
    return { ...base, kind: "type", start, end, type: types[otherType]!, suggested: own.candidate };
  const { candidate } = otherSpan;
  if (boundary > none && candidate) {
    const place = { start: candidate.start, end: candidate.end };
    return { ...base, kind: "boundary", ...place, type: types[otherSpan.type]!, suggested: candidate };
  }
  return { ...base, kind: "wrong", start, end, type: entity.type, suggested: own.candidate };
}

/** Who labels by the text alone labels an ordinary word like a name; a span that is none is labelled by mistake. */
function ratesFor({ ordinary: { share } }: Candidate, rates: NoiseRates): NoiseRates {
  return { ...rates, none: share * rates.label + (1 - share) * rates.none };
}

/** The spans of a sentence that look most like entities without a label; no two of them overlap. */
function missingIn(
  sentence: Sentence,
  number: number,
  weighed: readonly Weighed[],
  rates: NoiseRates,
  { types, calibrated, isNested }: JudgeOptions & { readonly isNested: boolean },
): Judgement[] {
  const labels = spanIndex(sentence.entities);
  const free = weighed.flatMap(({ candidate, evidence, shares }): Judgement[] => {
    const { start, end, given } = candidate;
    const isTaken = isNested
      ? given.length > 0 || labels.overlapping(candidate).some((entity) => crosses(entity, candidate))
      : labels.touches(candidate);
    const type = isTaken ? -1 : bestOf(shares.map((share, each) => (candidate.open[each] ? share : -1)));
    if (type < 0) return [];
    const score = missingProbability(shares[type]!, evidence[type]!.label, rates, calibrated);
    const place = { sentence: number, start, end, type: types[type]!, evidence: evidence[type]! };
    return [{ kind: "missing", score, doubt: score, ...place, given: null, suggested: candidate, doubted: null }];
  });
  const taken = new Uint8Array(tokenCount(sentence));
  return free
    .sort((a, b) => b.score - a.score || a.start - b.start || a.end - b.end)
    .filter(({ start, end }) => {
      if (taken.subarray(start, end).includes(1)) return false;
      taken.fill(1, start, end);
      return true;
    });
}

/** The place of the largest value; −1 where none is positive. */
function bestOf(values: readonly number[]): number {
  let best = -1;
  for (const [i, value] of values.entries()) if (value > (best < 0 ? 0 : values[best]!)) best = i;
  return best;
}

function crosses(a: Span, b: Span): boolean {
  return overlaps(a, b) && !(a.start <= b.start && b.end <= a.end) && !(b.start <= a.start && a.end <= b.end);
}

function hasOverlap(entities: readonly Entity[]): boolean {
  return entities.some(
    (entity, i) => i > 0 && entities[i - 1]!.end > entity.start && !sameSpan(entities[i - 1]!, entity),
  );
}

function expectedEntities(weighed: readonly (readonly Weighed[])[]): number {
  return weighed.reduce((total, row) => total + row.reduce((all, { shares }) => all + sum(shares), 0), 0);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
