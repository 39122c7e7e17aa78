import type { Candidate } from "./candidates.ts";
import { fitLogistic, logisticAt, logit, type Observation } from "./logistic.ts";

/** How probable it is that the annotation labels a candidate as each type, by all that speaks for it. */
export type LabelModel = (candidate: Candidate) => readonly number[];

/** Probabilities nearer to 0 and 1 tell no more. */
const nearest = 1e-4;

/** The weights before any data: the models' own word, and nothing else; and then one for each type. */
const start = [0, 1, 0, 0, 0, 0, 0, 0, 0] as const;

/**
 * Joins what the models say with what the rest of the corpus and the dictionary say, by a logistic regression whose
 * outcome is whether the candidate is labelled. Nothing that a candidate is judged by comes from its own sentence, and
 * an incomplete annotation lowers all probabilities alike, so that the order of the unlabelled ones is right although
 * the outcome is not whether they are entities (Elkan and Noto 2008).
 */
export function fitLabelModel(sentences: readonly (readonly Candidate[])[], types: readonly string[]): LabelModel {
  const observations: Observation[] = [];
  for (const candidate of sentences.flat()) {
    for (const [type, name] of types.entries()) {
      const isLabelled = candidate.given.some((entity) => entity.type === name);
      if (!isLabelled && !speaksFor(candidate, type)) continue;
      observations.push({ features: featuresOf(candidate, type, types), outcome: isLabelled ? 1 : 0 });
    }
  }
  const weights = fitLogistic(observations, [...start, ...types.map(() => 0)]);
  return (candidate) => {
    const shares = types.map((_, type) => logisticAt(weights, featuresOf(candidate, type, types)));
    const sum = shares.reduce((total, share) => total + share, 0);
    return sum < 1 ? shares : shares.map((share) => ((1 - nearest) * share) / sum);
  };
}

function speaksFor({ probs, elsewhere, dictionary }: Candidate, type: number): boolean {
  return probs[type]! >= nearest || elsewhere.labelled[type]! > 0 || dictionary[type] !== undefined;
}

function featuresOf(
  { probs, elsewhere, dictionary, longer }: Candidate,
  type: number,
  types: readonly string[],
): readonly number[] {
  const labelled = elsewhere.labelled[type]!;
  const asOther = labelled === 0 && elsewhere.labelled.some((count) => count > 0);
  return [
    1,
    odds(probs[type]!),
    labelled > 0 ? Math.log1p(labelled) : 0,
    labelled > 0 ? Math.log1p(elsewhere.places - labelled) : 0,
    labelled > 0 ? 1 : 0,
    asOther ? 1 : 0,
    dictionary[type] === undefined ? 0 : 1,
    odds(longer.prob),
    longer.labelled,
    // Models are surer of some types than of others, whose labels are no rarer for that.
    ...types.map((_, other) => (other === type ? 1 : 0)),
  ];
}

function odds(probability: number): number {
  return logit(Math.min(1 - nearest, Math.max(nearest, probability)));
}
