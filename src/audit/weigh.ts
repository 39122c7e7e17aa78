import { type OrdinaryWords, ordinaryWords } from "../evaluation/index.ts";
import { type Sentence, spanIndex, tokenCount, withoutAnnotation } from "../text/index.ts";
import type { Random } from "../util/random.ts";
import {
  type Calibration,
  calibrateByLabels,
  calibrateByOutcomes,
  type Evidence,
  type Outcome,
} from "./calibration.ts";
import { type Candidate, candidatesOf, type DictionaryLookup } from "./candidates.ts";
import type { Weighed } from "./judge.ts";
import { fitLabelModel, type LabelModel } from "./label-model.ts";
import type { MeanSpan } from "./mean-spans.ts";
import { surfaceEvidence } from "./surface-evidence.ts";

/** Sentences with what models that have not seen them say of their spans. */
export interface ScoredCorpus {
  readonly sentences: readonly Sentence[];
  readonly spans: readonly (readonly MeanSpan[])[];
}

export interface WeighOptions {
  readonly types: readonly string[];
  /** Text whose annotation is complete: what the scores are calibrated on. */
  readonly dev?: ScoredCorpus | undefined;
  readonly lookUp?: DictionaryLookup | undefined;
}

export interface WeighedCorpus {
  readonly weighed: readonly (readonly Weighed[])[];
  readonly calibration: Calibration;
  /** The calibration with the sentences that it rests on drawn anew, with replacement. */
  redraw(rng: Random): Calibration;
}

/** Gathers what speaks for each candidate of a corpus, and says how probable an entity is there. */
export function weigh({ sentences, spans }: ScoredCorpus, { types, dev, lookUp }: WeighOptions): WeighedCorpus {
  const evidence = surfaceEvidence(sentences, types, dev?.sentences);
  const options = { types, evidence, ordinary: ordinaryIn({ sentences, spans }), lookUp };
  const candidates = sentences.map((sentence, i) => candidatesOf(sentence, i, spans[i]!, options));
  const model = fitLabelModel(candidates, types);
  const devCandidates = dev?.sentences.map((sentence, i) =>
    // What dev says must not help to find what it says.
    candidatesOf(withoutAnnotation(sentence), sentences.length + i, dev.spans[i]!, options),
  );
  const judged = candidates.map((row) =>
    row.map((candidate) => ({ candidate, evidence: evidenceOf(candidate, model) })),
  );
  const { calibration, redraw } = devCandidates
    ? onOutcomes(devCandidates.map((row, i) => outcomesOf(row, dev!.sentences[i]!, model, types)))
    : onLabels(judged.map((row) => row.flatMap((each) => labelsOf(each.candidate, each.evidence, types))));
  const weighed = judged.map((row) =>
    row.map(({ candidate, evidence: own }) => ({
      candidate,
      evidence: own,
      shares: own.map(calibration),
    })),
  );
  return { weighed, calibration, redraw };
}

/** Ordinary words by the text and by what models say of it in lower case. */
function ordinaryIn({ sentences, spans }: ScoredCorpus): OrdinaryWords {
  const scored = spans.map(spanIndex);
  return ordinaryWords(sentences, (sentence, span) =>
    Math.max(0, ...scored[sentence]!.at(span).flatMap(({ probs }) => probs)),
  );
}

function evidenceOf(candidate: Candidate, model: LabelModel): Evidence[] {
  const { elsewhere, ordinary } = candidate;
  return model(candidate).map((label, type) => ({
    label,
    seen: elsewhere.labelled[type]! > 0,
    ordinary: ordinary.share,
  }));
}

type Calibrated = Pick<WeighedCorpus, "calibration" | "redraw">;

function onLabels(rows: readonly (readonly Evidence[])[]): Calibrated {
  return {
    calibration: calibrateByLabels(rows.flat()),
    redraw: (rng) => calibrateByLabels(resampled(rows, rng).flat()),
  };
}

function onOutcomes(rows: readonly (readonly Outcome[])[]): Calibrated {
  return {
    calibration: calibrateByOutcomes(rows.flat()),
    redraw: (rng) => calibrateByOutcomes(resampled(rows, rng).flat()),
  };
}

function resampled<T>(rows: readonly T[], rng: Random): T[] {
  return rows.map(() => rows[rng.below(rows.length)]!);
}

/** The evidence for the labels that a candidate has. */
function labelsOf({ given }: Candidate, evidence: readonly Evidence[], types: readonly string[]): Evidence[] {
  return given.map(({ type }) => evidence[types.indexOf(type)]!);
}

/** The best spans of a sentence that do not overlap, each with whether it is an entity of its best type. */
function outcomesOf(
  candidates: readonly Candidate[],
  sentence: Sentence,
  model: LabelModel,
  types: readonly string[],
): Outcome[] {
  const best = candidates
    .map((candidate) => {
      const all = evidenceOf(candidate, model);
      const type = all.reduce((best, { label }, other) => (label > all[best]!.label ? other : best), 0);
      return { candidate, type, evidence: all[type]! };
    })
    .sort((a, b) => b.evidence.label - a.evidence.label);
  const taken = new Uint8Array(tokenCount(sentence));
  const entities = spanIndex(sentence.entities);
  return best.flatMap(({ candidate: { start, end }, type, evidence }): Outcome[] => {
    if (taken.subarray(start, end).includes(1)) return [];
    taken.fill(1, start, end);
    const isEntity = entities.at({ start, end }).some((entity) => entity.type === types[type]);
    return [{ evidence, outcome: isEntity ? 1 : 0 }];
  });
}
