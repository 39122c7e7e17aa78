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
  /** The share of the labels that are right. */
  readonly correct: number;
}

export interface NoiseCounts {
  /** Entities that the text is expected to hold. */
  readonly entities: number;
  /** Spans that could be labelled by mistake. */
  readonly spans: number;
  /** The share of the labels that are right, where that is not to be found out. */
  readonly trust?: number | undefined;
}

const rounds = 50;
/** What is expected of labels before they are looked at. */
const usual: Readings = { right: 0.94, type: 0.02, boundary: 0.02, none: 0.02 };
/** How much that counts for each label that is given. */
const held = 0.1;
/** Labels that are never all given, so that something may be missing. */
const mostLabelled = 0.99;
const start: NoiseRates = { label: 0.7, type: 0.01, boundary: 0.01, none: 0.001, correct: 0.94 };

/**
 * The rates at which annotators err. With `trust`, those at which this share of the labels is right and the rest is wrong in
 * each way equally often: models alone cannot tell, since they learn what the labels say. Without it, readings must have been
 * calibrated, and expectation maximisation finds the rates at which the labels are most probable.
 */
export function fitNoise(labelled: readonly Readings[], counts: NoiseCounts): NoiseRates {
  const next = counts.trust === undefined ? likelier : scaledTo(counts.trust);
  let rates = start;
  for (let round = 0; round < rounds; round++) rates = next(rates, labelled, counts);
  return rates;
}

type Step = (rates: NoiseRates, labelled: readonly Readings[], counts: NoiseCounts) => NoiseRates;

/** A step of expectation maximisation. What is usual holds the rates: models that have learned nothing would doubt every label. */
const likelier: Step = (rates, labelled, { entities, spans }) => {
  const sums = posteriorSums(labelled, rates);
  const count = (key: keyof Readings): number => (sums[key] + held * labelled.length * usual[key]) / (1 + held);
  return {
    label: labelRate(count("right"), entities),
    type: (count("type") + 1) / (Math.max(entities, count("right")) + 1),
    boundary: (count("boundary") + 1) / (Math.max(entities, count("right")) + 1),
    none: (count("none") + 1) / (spans + 1),
    correct: count("right") / Math.max(1, labelled.length),
  };
};

/** Scales each rate of an error to the labels that it is to explain, as in iterative proportional fitting. */
function scaledTo(trust: number): Step {
  return (rates, labelled, { entities }) => {
    const sums = posteriorSums(labelled, rates);
    const wanted = ((1 - trust) * labelled.length) / 3;
    const scaled = (key: "type" | "boundary" | "none"): number =>
      Math.min(highestRate, (rates[key] * wanted) / Math.max(lowestSum, sums[key]));
    return {
      label: labelRate(trust * labelled.length, entities),
      type: scaled("type"),
      boundary: scaled("boundary"),
      none: scaled("none"),
      correct: trust,
    };
  };
}

/** Where no label can be read in a way, its rate would grow without end. */
const highestRate = 1000;
const lowestSum = 1e-9;

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
