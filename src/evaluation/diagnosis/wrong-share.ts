import { overlaps, type Sentence, sameSpan, tokenTexts } from "../../text/index.ts";
import { leastEvidence } from "./estimate.ts";
import { surfaceIndex } from "./surfaces.ts";

/** How many labels are probably wrong. */
export interface WrongShare {
  /** As a fraction of 1; absent where the sample holds too few of the labelled names to tell. */
  readonly wrong?: number;
  /** Places in the sample where a name stands that the corpus labels. */
  readonly evidence: number;
}

/**
 * The share of labels that is wrong, by a sample of which every entity is labelled: of the places where names of the corpus
 * stand in the sample, those that are no entity of the name's usual type there. Right names have such places too, because
 * words are ambiguous; how many, each half of the sample says of the names of the other.
 */
export function wrongShare(corpus: readonly Sentence[], sample: readonly Sentence[]): WrongShare {
  const { right, evidence } = placesOf(corpus, sample);
  if (evidence < leastEvidence) return { evidence };
  const halves = [0, 1].map((half) => sample.filter((_, number) => number % 2 === half));
  const own = [placesOf(halves[0]!, halves[1]!), placesOf(halves[1]!, halves[0]!)];
  const [usual, all] = [own[0]!.right + own[1]!.right, own[0]!.evidence + own[1]!.evidence];
  const unambiguous = all < leastEvidence || usual === 0 ? 1 : usual / all;
  return { wrong: Math.max(0, 1 - right / evidence / unambiguous), evidence };
}

/** The places in a sample of names that a corpus labels, and how many of them are entities of the name's usual type. */
function placesOf(
  corpus: readonly Sentence[],
  sample: readonly Sentence[],
): { readonly right: number; readonly evidence: number } {
  const index = surfaceIndex();
  const counts: Map<string, number>[] = [];
  for (const sentence of corpus) {
    const tokens = tokenTexts(sentence);
    for (const { start, end, type } of sentence.entities) {
      const name = index.add(tokens.slice(start, end));
      const types = counts[name] ?? new Map<string, number>();
      counts[name] = types.set(type, (types.get(type) ?? 0) + 1);
    }
  }
  const usual = counts.map((types) => [...types].reduce((best, each) => (each[1] > best[1] ? each : best))[0]);
  let [right, evidence] = [0, 0];
  for (const sentence of sample) {
    for (const found of index.find(tokenTexts(sentence))) {
      const same = sentence.entities.find((entity) => sameSpan(entity, found));
      // What lies within a longer entity, or across one, says nothing of the name.
      if (!same && sentence.entities.some((entity) => overlaps(entity, found))) continue;
      evidence++;
      if (same?.type === usual[found.surface]) right++;
    }
  }
  return { right, evidence };
}
