import {
  boundaryMatching,
  type Counts,
  exactMatches,
  exactMatching,
  type Matching,
  partialMatching,
  typeMatching,
} from "./matching.ts";
import type { SentencePair } from "./pairs.ts";

/** Fractions of 1. `support` is the number of gold entities. */
export interface Score {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  readonly support: number;
}

/** The unweighted mean over types: of precision, of recall, and of F1. */
export type MacroScore = Omit<Score, "support">;

/** Scores that forgive a part of an error (the four measures of SemEval-2013 task 9 without the exact one). */
export interface RelaxedScores {
  /** Exact boundaries, type ignored. */
  readonly boundaries: Score;
  /** Type ignored; half a point for an overlap. */
  readonly partial: Score;
  /** Right type, any overlap. */
  readonly type: Score;
}

/** Micro scores on exact boundaries and type, as conlleval defines them, with the same by type. */
export interface Scores extends Score {
  readonly byType: Readonly<Record<string, Score>>;
  readonly macro: MacroScore;
  readonly relaxed: RelaxedScores;
}

/** Adds up sentences one at a time, so that a corpus need not be held in memory. */
export interface Tally {
  add(pair: SentencePair): void;
  scores(): Scores;
}

/** Precision, recall and F1 of counts; 0/0 is 0. */
export function scoreOf({ correct, predicted, gold }: Counts): Score {
  return {
    precision: ratio(correct, predicted),
    recall: ratio(correct, gold),
    f1: ratio(2 * correct, predicted + gold),
    support: gold,
  };
}

/** a / b, where nothing out of nothing is 0. */
export function ratio(a: number, b: number): number {
  return b === 0 ? 0 : a / b;
}

/** The scores of a corpus of sentence pairs. */
export function score(pairs: Iterable<SentencePair>): Scores {
  const all = tally();
  for (const pair of pairs) all.add(pair);
  return all.scores();
}

export function tally(): Tally {
  const overall = sum(exactMatching);
  const relaxed = { boundaries: sum(boundaryMatching), partial: sum(partialMatching), type: sum(typeMatching) };
  const types = new Map<string, MutableCounts>();
  const ofType = (name: string): MutableCounts => {
    const known = types.get(name);
    if (known !== undefined) return known;
    const counts = { correct: 0, predicted: 0, gold: 0 };
    types.set(name, counts);
    return counts;
  };
  return {
    add(pair) {
      const { gold, predicted } = pair;
      for (const entity of gold.entities) ofType(entity.type).gold++;
      for (const entity of predicted.entities) ofType(entity.type).predicted++;
      for (const entity of exactMatches(gold.entities, predicted.entities)) ofType(entity.type).correct++;
      for (const measure of [overall, ...Object.values(relaxed)]) measure.add(pair);
    },
    scores() {
      const byType = [...types].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, c]) => [name, scoreOf(c)] as const);
      return {
        ...scoreOf(overall.counts),
        byType: Object.fromEntries(byType),
        macro: macroOf(byType.map(([, typeScore]) => typeScore)),
        relaxed: {
          boundaries: scoreOf(relaxed.boundaries.counts),
          partial: scoreOf(relaxed.partial.counts),
          type: scoreOf(relaxed.type.counts),
        },
      };
    },
  };
}

type MutableCounts = { -readonly [K in keyof Counts]: Counts[K] };

function sum(matching: Matching): { readonly counts: Counts; add(pair: SentencePair): void } {
  const counts: MutableCounts = { correct: 0, predicted: 0, gold: 0 };
  return {
    counts,
    add({ gold, predicted }) {
      const more = matching(gold.entities, predicted.entities);
      counts.correct += more.correct;
      counts.predicted += more.predicted;
      counts.gold += more.gold;
    },
  };
}

/** Every type counts alike, also one that stands in the prediction only and so scores 0. */
function macroOf(scores: readonly Score[]): MacroScore {
  const mean = (pick: (score: Score) => number): number =>
    ratio(
      scores.reduce((total, each) => total + pick(each), 0),
      scores.length,
    );
  return { precision: mean((s) => s.precision), recall: mean((s) => s.recall), f1: mean((s) => s.f1) };
}
