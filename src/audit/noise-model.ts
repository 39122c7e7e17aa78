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

/** How often annotators do each of these: of an entity, label it, mistake its type or its boundary; of a span that is none, label it. */
export interface NoiseRates {
  readonly label: number;
  readonly type: number;
  readonly boundary: number;
  readonly none: number;
}

export interface NoiseCounts {
  /** Entities that the text is expected to hold. */
  readonly entities: number;
  /** Spans that could be labelled by mistake. */
  readonly spans: number;
}

const rounds = 50;
/** What is expected of labels before they are looked at, with the weight of so many labels for each that is given. */
const usual: Readings = { right: 0.94, type: 0.02, boundary: 0.02, none: 0.02 };
const trust = 0.5;
/** Labels that are never all given, so that something may be missing. */
const mostLabelled = 0.99;
const start: NoiseRates = { label: 0.7, type: 0.01, boundary: 0.01, none: 0.001 };

/**
 * Finds the rates at which the labels are most probable, by expectation maximisation. What is usual holds them: models that
 * have learned nothing would find fault with every label.
 */
export function fitNoise(labelled: readonly Readings[], { entities, spans }: NoiseCounts): NoiseRates {
  const expected = Math.max(entities, labelled.length);
  let rates = start;
  for (let round = 0; round < rounds; round++) {
    const sums = { right: 0, type: 0, boundary: 0, none: 0 };
    for (const readings of labelled) {
      const shares = posterior(readings, rates);
      for (const key of readingNames) sums[key] += shares[key];
    }
    const held = (key: keyof Readings): number => (sums[key] + trust * labelled.length * usual[key]) / (1 + trust);
    rates = {
      label: Math.min(mostLabelled, (held("right") + 1) / (expected + 1)),
      type: (held("type") + 1) / (expected + 1),
      boundary: (held("boundary") + 1) / (expected + 1),
      none: (held("none") + 1) / (spans + 1),
    };
  }
  return rates;
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

/** How probable it is that a span without a label is an entity which should have one. */
export function missingProbability(entity: number, { label }: NoiseRates): number {
  return ((1 - label) * entity) / ((1 - label) * entity + 1 - entity);
}
