import { type Sentence, tokenCount } from "../../text/index.ts";
import { forTypes, fromRatio, leastEvidence, type MissingEstimates, nothingLabelled, type Picks } from "./estimate.ts";
import { errorOf, influences, type Row, total } from "./rows.ts";

/** Labels for each token in the corpus against those in the sample. */
export function missingByDensity(corpus: readonly Sentence[], sample: readonly Sentence[]): MissingEstimates {
  return {
    assumes: "the corpus has as many entities for each token as the sample: both are drawn from the same kind of text",
    evidence: "entities of the sample",
    ...forTypes(sample, (picks) => {
      const ours = rowsOf(corpus, picks);
      const theirs = rowsOf(sample, picks);
      const [labelled, evidence] = [total(ours), total(theirs)];
      if (evidence.hits < leastEvidence) return { evidence: evidence.hits, needed: leastEvidence };
      const density = evidence.hits / evidence.trials;
      if (labelled.hits === 0) return nothingLabelled(density * labelled.trials, evidence.hits);
      const error = Math.hypot(errorOf(influences(ours)), errorOf(influences(theirs)));
      return fromRatio(labelled.hits / labelled.trials / density, error, evidence.hits);
    }),
  };
}

function rowsOf(sentences: readonly Sentence[], picks: Picks): Row[] {
  return sentences.map((sentence) => ({
    hits: sentence.entities.filter(({ type }) => picks(type)).length,
    trials: tokenCount(sentence),
  }));
}
