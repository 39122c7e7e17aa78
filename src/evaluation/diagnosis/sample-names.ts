import { type Sentence, spanIndex, tokenTexts } from "../../text/index.ts";
import { compareNames } from "./compare-names.ts";
import { forTypes, leastEvidence, type MissingEstimates } from "./estimate.ts";
import { type Row, total } from "./rows.ts";
import { labelledSurfaces } from "./surfaces.ts";

/**
 * Of the places where the names of the sample stand, the share that is labelled: in the corpus against in the sample. A place of the
 * sample counts only if another of its sentences labels that name; otherwise each name would be right at least once, in
 * the very place that made it one. Places inside longer names count on both sides, because in the corpus it
 * cannot be known whether the longer one lost its label.
 */
export function missingByNames(corpus: readonly Sentence[], sample: readonly Sentence[]): MissingEstimates {
  const index = labelledSurfaces(sample);
  const find = (sentences: readonly Sentence[]): Place[][] => {
    const places: Place[][] = Array.from({ length: index.size }, () => []);
    for (const [number, sentence] of sentences.entries()) {
      for (const { surface, start, end } of index.find(tokenTexts(sentence))) {
        const labels = spanIndex(sentence.entities).at({ start, end });
        places[surface]!.push({ sentence: number, types: labels.map(({ type }) => type) });
      }
    }
    return places;
  };
  const [ours, theirs] = [find(corpus), find(sample)];
  return {
    assumes:
      "the names of the sample are entities as often in the corpus as in the sample, and their mentions are labelled as often as those of other names",
    evidence: "names that the sample labels in two sentences or more",
    ...forTypes(sample, (picks) => {
      const isHit = ({ types }: Place): boolean => types.some(picks);
      const named = [...theirs.keys()].filter((name) => theirs[name]!.some(isHit));
      const expected = named.map((name) => seenElsewhere(theirs[name]!, isHit));
      const evidence = expected.filter(({ hits }) => hits > 0).length;
      if (evidence < leastEvidence) return { evidence, needed: leastEvidence };
      const found = named.map((name) => ({ hits: ours[name]!.filter(isHit).length, trials: ours[name]!.length }));
      if (total(found).trials === 0) return { evidence: 0, needed: leastEvidence };
      return compareNames(found, expected, evidence);
    }),
  };
}

/** A place where a name stands: its sentence, and the types it is labelled with. */
interface Place {
  readonly sentence: number;
  readonly types: readonly string[];
}

function seenElsewhere(places: readonly Place[], isHit: (place: Place) => boolean): Row {
  const labelledIn = new Set(places.filter(isHit).map(({ sentence }) => sentence));
  const counted = places.filter(({ sentence }) => labelledIn.size > (labelledIn.has(sentence) ? 1 : 0));
  return { hits: counted.filter(isHit).length, trials: counted.length };
}
