import { type Sentence, spanIndex, tokenTexts } from "../../text/index.ts";
import { ratio } from "../scores.ts";
import { forTypes, leastEvidence, type MissingEstimates, type MissingShare, wilson } from "./estimate.ts";
import { type Row, total } from "./rows.ts";

/** A sentence of the sample and those of the corpus with the same tokens. */
export interface Twins {
  readonly sentence: Sentence;
  readonly others: readonly Sentence[];
}

export function findTwins(corpus: readonly Sentence[], sample: readonly Sentence[]): Twins[] {
  const key = (sentence: Sentence): string => tokenTexts(sentence).join("\n");
  const byTokens = new Map<string, Sentence[]>(sample.map((sentence) => [key(sentence), []]));
  for (const sentence of corpus) byTokens.get(key(sentence))?.push(sentence);
  return sample.map((sentence) => ({ sentence, others: byTokens.get(key(sentence))! }));
}

/** Where the sample was cut from the corpus and labelled again: the share of its entities that the corpus lacks. */
export function missingByRecall(twins: readonly Twins[]): MissingEstimates {
  const shared = twins.filter(({ others }) => others.length > 0);
  return {
    assumes: "the sample's sentences were picked from the corpus by chance",
    evidence: "entities of the sample in sentences of the corpus",
    ...forTypes(
      shared.map(({ sentence }) => sentence),
      (picks) => {
        const rows = shared.map(({ sentence, others }): Row => {
          const wanted = sentence.entities.filter(({ type }) => picks(type));
          const found = others.map((other) =>
            wanted.filter(
              (entity) =>
                !spanIndex(other.entities)
                  .at(entity)
                  .some(({ type }) => type === entity.type),
            ),
          );
          return { hits: found.reduce((sum, lost) => sum + lost.length, 0) / others.length, trials: wanted.length };
        });
        const { hits, trials } = total(rows);
        if (trials < leastEvidence) return { evidence: trials, needed: leastEvidence };
        return fromRows(rows, hits / trials, trials);
      },
    ),
  };
}

/** Entities of one sentence are lost together more often than by chance: they count as fewer by as much as they vary more. */
function fromRows(rows: readonly Row[], missing: number, trials: number): MissingShare {
  const spread = rows.reduce((sum, row) => sum + (row.hits - missing * row.trials) ** 2, 0);
  const excess = Math.max(1, ratio(spread, trials * missing * (1 - missing)));
  return { missing, ...wilson(missing, trials / excess), evidence: trials };
}
