/** Places that spans of a sentence share, such as their starts or the gaps that they cover. */
export interface Places {
  /** A span with this share of an entity has the place; with a weight of 0 nobody knows what it is. */
  add(place: number, share: number, weight: number): void;
  /** The share of entities there: the sum over the spans, at most 1. */
  share(place: number): number;
  /** How much the place trains. */
  weight(place: number): number;
}

/** Above this share an entity is likelier than not, whatever a span is of which nobody knows. */
const likely = 0.5;

/**
 * What places learn when spans do. The shares of spans that train are the least that the share of a place can be. So where
 * they make an entity likely, the place trains with their weights; otherwise it trains no more than each of its spans.
 */
export function places(count: number): Places {
  const shares = new Float64Array(count);
  const weighted = new Float64Array(count);
  const least = new Float64Array(count).fill(1);
  return {
    add(place, share, weight) {
      least[place] = Math.min(least[place]!, weight);
      if (weight === 0) return;
      shares[place]! += share;
      weighted[place]! += share * weight;
    },
    share: (place) => Math.min(1, shares[place]!),
    weight: (place) => (shares[place]! > likely ? weighted[place]! / shares[place]! : least[place]!),
  };
}
