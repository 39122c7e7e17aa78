import { type Adjustment, biased, type Completion } from "../../heads/index.ts";
import { labelBiases } from "../../inference/index.ts";
import { annotate, type Entity, overlaps, type Sentence } from "../../text/index.ts";
import type { OutOfFoldScores } from "../../training/index.ts";

/** Every sentence completed by the model that has not seen it; the decision is shifted as for prediction. */
export async function completions(
  sentences: readonly Sentence[],
  fitted: Pick<OutOfFoldScores, "models">,
): Promise<Completion[]> {
  const result = new Array<Completion>(sentences.length);
  for await (const { scorer, shift, members } of fitted.models()) {
    const { model, store } = scorer;
    const biases = labelBiases(model, shift);
    const own = members.filter((number) => number < sentences.length);
    let at = 0;
    for await (const scores of scorer.scores(own.map((number) => sentences[number]!))) {
      const number = own[at++]!;
      result[number] = model.completion!(sentences[number]!, biases ? biased(scores, biases) : scores, store);
    }
  }
  return result;
}

export interface LabelChange {
  /** Tokens that the annotation leaves open. */
  readonly open: number;
  /** Those of them that have another tag than before, or than O where there is no before. */
  readonly changed: number;
  /** Entities of which the annotation says nothing. */
  readonly entities: number;
}

export function changedLabels(now: readonly Completion[], before: readonly Completion[] | undefined): LabelChange {
  let [open, changed, entities] = [0, 0, 0];
  now.forEach((completion, number) => {
    entities += added(completion).length;
    completion.open.forEach((isOpen, token) => {
      if (!isOpen) return;
      open++;
      if (completion.labels[token] !== (before?.[number]?.labels[token] ?? 0)) changed++;
    });
  });
  return { open, changed, entities };
}

/** The share of each tag at every open token, for a loss that weighs sequences with them. */
export function softTargets(found: readonly Completion[]): Adjustment[] {
  return found.flatMap(({ open, shares }, sentence) => {
    const tags = shares.length / open.length;
    return Array.from(open.keys())
      .filter((token) => open[token])
      .map((token) => ({
        sentence,
        start: token,
        end: token + 1,
        weight: 1,
        // Six digits are all that training in float32 sees.
        target: Array.from(shares.subarray(token * tags, (token + 1) * tags), (share) => Number(share.toPrecision(6))),
      }));
  });
}

/** The sentences with the entities of the best tags beside the given ones. */
export function hardLabels(sentences: readonly Sentence[], found: readonly Completion[]): Sentence[] {
  return sentences.map((sentence, number) => {
    const known = [...sentence.entities, ...sentence.unsure];
    const news = added(found[number]!).filter((entity) => !known.some((other) => overlaps(other, entity)));
    if (news.length === 0) return sentence;
    const labelled = news.map((entity) => ({ ...entity, provenance: { source: "weighted-partial-crf" } }));
    return annotate(sentence, { entities: [...sentence.entities, ...labelled] });
  });
}

/** Entities all of whose tokens were open. */
function added({ entities, open }: Completion): Entity[] {
  return entities.filter(({ start, end }) => open.subarray(start, end).every((isOpen) => isOpen === 1));
}
