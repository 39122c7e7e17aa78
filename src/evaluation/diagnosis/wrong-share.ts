import { overlaps, type Sentence, sameSpan, tokenTexts } from "../../text/index.ts";
import { compareNames } from "./compare-names.ts";
import { leastEvidence } from "./estimate.ts";
import type { Row } from "./rows.ts";
import { labelledSurfaces, type SurfaceIndex } from "./surfaces.ts";

/** How many labels are probably wrong, as a fraction of 1, with the 95 % interval. */
export interface WrongShare {
  readonly share: number;
  readonly low: number;
  readonly high: number;
  /** Labelled names that stand in the sample. */
  readonly evidence: number;
}

/**
 * The share of labels that is wrong, by a sample of which every entity is labelled: how often a label of the corpus has the
 * type that its name has where it stands in the sample. Right labels differ from it too, because words are ambiguous; how
 * often, the labels of the sample say, each compared with the sample's other sentences. Labels are counted, not places: where
 * "May" is labelled once and right, the many places of the month in the sample are no errors. The interval is that of names
 * drawn by chance, as labels of one name are right or wrong together. Absent where the sample holds too few names.
 */
export function wrongShare(corpus: readonly Sentence[], sample: readonly Sentence[]): WrongShare | undefined {
  const index = labelledSurfaces([...corpus, ...sample]);
  const places = placesOf(sample, index);
  const found = labelsOf(corpus, index).map((types, name) => agreement(types, places[name]!));
  const usual = places.map(agreementWithin);
  const evidence = found.filter(({ trials }) => trials > 0).length;
  const compared = usual.filter(({ hits }) => hits > 0).length;
  if (Math.min(evidence, compared) < leastEvidence) return undefined;
  const { missing: share, low, high } = compareNames(found, usual, evidence);
  return { share, low, high, evidence };
}

/**
 * So many labels are wrong that mending them is worth more than finding the missing ones. The lower end of the interval must
 * say so, or a small sample would. It lies below 0.015 for what people labelled and above 0.05 for labels of knowledge bases,
 * of which a sixth and more are wrong; the estimate sees no error within longer names, so it is on the low side.
 */
export function manyAreWrong({ low }: WrongShare): boolean {
  return low >= 0.03;
}

/** A place where a name stands: its sentence, and the type that it has there, if it is an entity. */
interface Place {
  readonly sentence: number;
  readonly type: string | undefined;
}

/** The types that each name is labelled with. */
function labelsOf(corpus: readonly Sentence[], index: SurfaceIndex): string[][] {
  const labels: string[][] = Array.from({ length: index.size }, () => []);
  for (const sentence of corpus) {
    const tokens = tokenTexts(sentence);
    for (const { start, end, type } of sentence.entities) labels[index.add(tokens.slice(start, end))]!.push(type);
  }
  return labels;
}

/** The places of each name. What lies within a longer entity, or across one, says nothing of the name. */
function placesOf(sample: readonly Sentence[], index: SurfaceIndex): Place[][] {
  const places: Place[][] = Array.from({ length: index.size }, () => []);
  for (const [number, sentence] of sample.entries()) {
    for (const found of index.find(tokenTexts(sentence))) {
      const same = sentence.entities.find((entity) => sameSpan(entity, found));
      if (same || !sentence.entities.some((entity) => overlaps(entity, found)))
        places[found.surface]!.push({ sentence: number, type: same?.type });
    }
  }
  return places;
}

/** How many labels of a name agree with its places, each with the share of them that has its type; none without places. */
function agreement(types: readonly string[], places: readonly Place[]): Row {
  if (places.length === 0) return { hits: 0, trials: 0 };
  const counts = new Map<string | undefined, number>();
  for (const { type } of places) counts.set(type, (counts.get(type) ?? 0) + 1);
  const right = types.reduce((sum, type) => sum + (counts.get(type) ?? 0), 0);
  return { hits: right / places.length, trials: types.length };
}

/** The same of the sample's own labels, each with the places in other sentences. */
function agreementWithin(places: readonly Place[]): Row {
  let [hits, trials] = [0, 0];
  for (const { sentence, type } of places) {
    if (type === undefined) continue;
    const row = agreement(
      [type],
      places.filter((other) => other.sentence !== sentence),
    );
    hits += row.hits;
    trials += row.trials;
  }
  return { hits, trials };
}
