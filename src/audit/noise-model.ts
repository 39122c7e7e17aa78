/**
 * What may be true of a labelled span, each as probable as the text alone makes it: the label, another type, another
 * boundary, no entity.
 */
export interface Readings {
  readonly right: number;
  readonly type: number;
  readonly boundary: number;
  readonly none: number;
}

/**
 * How often annotators do each of these, against each other: of an entity, label it, mistake its type or its boundary; of a
 * span that is none, label it.
 */
export interface NoiseRates {
  readonly label: number;
  readonly type: number;
  readonly boundary: number;
  readonly none: number;
  /** The share of the labels that are wrong although nothing speaks against them: models repeat what they were taught. */
  readonly repeated: number;
  /** The share of the labels that are right. */
  readonly correct: number;
}

export interface NoiseCounts {
  /** Entities that the text is expected to hold. */
  readonly entities: number;
  /** Spans that could be labelled by mistake. */
  readonly spans: number;
  /** The readings were calibrated on text whose annotation is complete. */
  readonly calibrated: boolean;
  /** The share of the labels that are right, where it is known. */
  readonly trust?: number | undefined;
}

/** The share of the labels that are right where people made them, roughly. */
const usualTrust = 0.95;
const rounds = 50;
/** How much what is usual counts for each label that is given, where the rates are learned. */
const held = 0.1;
/** Labels that are never all given, so that something may be missing. */
const mostLabelled = 0.99;

/**
 * The rates at which annotators err. Calibrated readings tell them. Others do not, since models learn what the labels say
 * and agree most with those that a dictionary got wrong the same way everywhere: then the rates are those of `trust`, or
 * what is usual, and the labels that the models contradict are not all that are wrong.
 */
export function fitNoise(labelled: readonly Readings[], counts: NoiseCounts): NoiseRates {
  const { calibrated, trust } = counts;
  let rates = ratesAt(trust ?? usualTrust, labelled.length, counts);
  if (calibrated && trust === undefined) {
    for (let round = 0; round < rounds; round++) rates = likelier(rates, labelled, counts);
    return rates;
  }
  const undoubted = labelled.length === 0 ? 1 : posteriorSums(labelled, rates).right / labelled.length;
  // Where nothing is known, as many errors are taken to be repeated as contradicted.
  const repeated = trust === undefined ? 1 - undoubted : Math.max(0, 1 - trust / undoubted);
  return { ...rates, repeated, correct: (1 - repeated) * undoubted };
}

/** So many labels are right, and the rest is wrong in each way equally often. */
function ratesAt(trust: number, labels: number, { entities, spans }: NoiseCounts): NoiseRates {
  const each = ((1 - trust) * labels) / 3;
  const perEntity = each / Math.max(1, entities, trust * labels);
  return {
    label: labelRate(trust * labels, entities),
    type: perEntity,
    boundary: perEntity,
    none: each / Math.max(1, spans),
    repeated: 0,
    correct: trust,
  };
}

/** A step of expectation maximisation. What is usual holds the rates: models that have learned nothing would doubt every label. */
function likelier(rates: NoiseRates, labelled: readonly Readings[], { entities, spans }: NoiseCounts): NoiseRates {
  const sums = posteriorSums(labelled, rates);
  const wrong = (1 - usualTrust) / 3;
  const usual: Readings = { right: usualTrust, type: wrong, boundary: wrong, none: wrong };
  const count = (key: keyof Readings): number => (sums[key] + held * labelled.length * usual[key]) / (1 + held);
  return {
    label: labelRate(count("right"), entities),
    type: (count("type") + 1) / (Math.max(entities, count("right")) + 1),
    boundary: (count("boundary") + 1) / (Math.max(entities, count("right")) + 1),
    none: (count("none") + 1) / (spans + 1),
    repeated: 0,
    correct: count("right") / Math.max(1, labelled.length),
  };
}

/** There are at least as many entities as labels that are right. */
function labelRate(right: number, entities: number): number {
  return Math.min(mostLabelled, (right + 1) / (Math.max(entities, right) + 1));
}

function posteriorSums(labelled: readonly Readings[], rates: NoiseRates): Readings {
  const sums = { right: 0, type: 0, boundary: 0, none: 0 };
  for (const readings of labelled) {
    const shares = posterior(readings, rates);
    for (const key of readingNames) sums[key] += shares[key];
  }
  return sums;
}

const readingNames = ["right", "type", "boundary", "none"] as const;

/** The same readings in the light of the label that was given; they sum to 1. */
export function posterior({ right, type, boundary, none }: Readings, rates: NoiseRates): Readings {
  const shares = {
    right: rates.label * right,
    type: rates.type * type,
    boundary: rates.boundary * boundary,
    none: rates.none * none,
  };
  const sum = shares.right + shares.type + shares.boundary + shares.none;
  return {
    right: shares.right / sum,
    type: shares.type / sum,
    boundary: shares.boundary / sum,
    none: shares.none / sum,
  };
}

/**
 * How probable it is that a span without a label is an entity which should have one. Where entities are calibrated, they and
 * the labels are known at each strength of evidence, and the rest is missing; else the overall rate of labels must do.
 */
export function missingProbability(
  entity: number,
  label: number,
  { label: rate, correct }: NoiseRates,
  calibrated: boolean,
): number {
  if (calibrated) return Math.min(1, Math.max(0, entity - correct * label) / (1 - Math.min(label, mostLabelled)));
  return ((1 - rate) * entity) / ((1 - rate) * entity + 1 - entity);
}
