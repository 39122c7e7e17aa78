import { labelledSurfaces } from "../evaluation/index.ts";
import { type Sentence, type Span, spanIndex, tokenTexts } from "../text/index.ts";

/** What becomes of a surface form in other sentences. */
export interface SurfaceCounts {
  /** Places where it is labelled, by type. */
  readonly labelled: readonly number[];
  /** All its places, without those within or across something labelled. */
  readonly places: number;
}

/** Where the forms stand that are labelled somewhere, and what the rest of the corpus says of each. */
export interface SurfaceEvidence {
  /** The places of a sentence where such a form stands. */
  places(sentence: number): readonly Span[];
  /** What other sentences say; sentences equal up to case are one, as for the folds. */
  elsewhere(sentence: number, span: Span): SurfaceCounts;
}

/** With `others`, sentences that follow in the numbering and are looked up but say nothing themselves. */
export function surfaceEvidence(
  corpus: readonly Sentence[],
  types: readonly string[],
  others: readonly Sentence[] = [],
): SurfaceEvidence {
  const sentences = [...corpus, ...others];
  const index = labelledSurfaces(corpus);
  const nothing: SurfaceCounts = { labelled: types.map(() => 0), places: 0 };
  const totals = Array.from({ length: index.size }, () => emptyCounts(types.length));
  const ofGroup = new Map<string, MutableCounts>();
  const groups = sentences.map((sentence) => tokenTexts(sentence).join("\n").toLowerCase());
  const numbers = new Map([...new Set(groups)].map((group, number) => [group, number]));
  const found = sentences.map((sentence, number) => {
    if (number >= corpus.length) return index.find(tokenTexts(sentence));
    const entities = spanIndex(sentence.entities);
    const group = numbers.get(groups[number]!)!;
    return index.find(tokenTexts(sentence)).filter((occurrence) => {
      const labels = entities.at(occurrence);
      if (labels.length === 0 && entities.touches(occurrence)) return false;
      const key = `${occurrence.surface} ${group}`;
      const own = ofGroup.get(key) ?? emptyCounts(types.length);
      ofGroup.set(key, own);
      for (const counts of [totals[occurrence.surface]!, own]) {
        counts.places++;
        for (const { type } of labels) counts.labelled[types.indexOf(type)]!++;
      }
      return true;
    });
  });
  const surfaces = found.map((spans) => new Map(spans.map((span) => [`${span.start} ${span.end}`, span.surface])));
  return {
    places: (sentence) => found[sentence]!,
    elsewhere(sentence, { start, end }) {
      const surface = surfaces[sentence]!.get(`${start} ${end}`);
      if (surface === undefined) return nothing;
      const total = totals[surface]!;
      const own = ofGroup.get(`${surface} ${numbers.get(groups[sentence]!)!}`);
      if (own === undefined) return total;
      return {
        labelled: total.labelled.map((count, type) => count - own.labelled[type]!),
        places: total.places - own.places,
      };
    },
  };
}

interface MutableCounts {
  labelled: number[];
  places: number;
}

function emptyCounts(types: number): MutableCounts {
  return { labelled: new Array<number>(types).fill(0), places: 0 };
}
