import { annotate, isComplete, isDeclared, type Sentence } from "../../text/index.ts";
import type { TrainingData } from "../../training/index.ts";
import type { Candidate } from "./candidates.ts";

/** What a candidate learns from. */
export function partFor({ gaps }: Pick<Candidate, "gaps">, data: TrainingData): TrainingData {
  if (gaps === undefined) return data;
  const { train, hidden, unlabelled = [] } = data;
  const kept = train.map(isComplete);
  const rest = gaps === "unlabelled" ? train.filter((_, i) => !kept[i]).map(withoutLabels) : [];
  return {
    ...data,
    train: train.filter((_, i) => kept[i]),
    hidden: hidden?.filter((_, i) => kept[i]),
    unlabelled: [...unlabelled, ...rest],
  };
}

/** Labels where a person declared the text complete stay, as do rejections: no silence may contradict them. */
function withoutLabels(sentence: Sentence): Sentence {
  return annotate(sentence, {
    entities: sentence.entities.filter((entity) => isDeclared(sentence, entity)),
  });
}
