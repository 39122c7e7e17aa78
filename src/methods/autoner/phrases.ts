import { eachEntry, type Matcher, matcherBuilder, overlapPolicies } from "../../lexicon/index.ts";
import {
  annotate,
  compareSpans,
  type Entity,
  isDeclared,
  overlaps,
  type Sentence,
  type Span,
  sameSpan,
  stateOf,
} from "../../text/index.ts";
import type { Prepared } from "../../training/index.ts";

export interface PhraseOptions {
  /** Files with a phrase on each line. */
  readonly full: string | readonly string[];
  /** Phrases are found in any case. */
  readonly ignoreCase: boolean;
}

/** The sentences of a stage with the phrases of the full dictionary unsure, where they win against the labels. */
export async function markPhrases(
  sentences: readonly Sentence[],
  { full, ignoreCase }: PhraseOptions,
): Promise<Prepared> {
  const builder = matcherBuilder({ folding: { case: ignoreCase } });
  for (const path of [full].flat())
    await eachEntry(path, { untyped: true, anyCase: ignoreCase }, (entry) => builder.add(entry));
  const matcher = builder.finish();
  let [phrases, lostLabels] = [0, 0];
  const marked = sentences.map((sentence) => {
    const won = winningPhrases(sentence, matcher);
    if (won.length === 0) return sentence;
    const entities = sentence.entities.filter((entity) => !won.some((phrase) => overlaps(phrase, entity)));
    phrases += won.length;
    lostLabels += sentence.entities.length - entities.length;
    return annotate(sentence, { entities, unsure: [...sentence.unsure, ...won] });
  });
  return {
    adjustments: [],
    train: { sentences: marked, file: "phrases.jsonl" },
    summary: `${phrases} phrases of the full dictionary stay open: the gaps that touch them carry no loss; ${lostLabels} labels gave way to longer phrases`,
    facts: { phrases, lostLabels },
  };
}

/**
 * The phrases that take part in the largest sum of squared lengths, in which phrases and labels weigh the same. Where a
 * phrase is a label it is no phrase, and what people declared has won before.
 */
function winningPhrases(sentence: Sentence, matcher: Matcher): Span[] {
  const declared = (entity: Entity): boolean => isDeclared(sentence, entity);
  const fixed = annotate(sentence, { entities: sentence.entities.filter(declared) });
  const labels: Span[] = sentence.entities.filter((entity) => !declared(entity));
  const isFree = (phrase: Span): boolean =>
    stateOf(fixed, phrase) === "unknown" &&
    !fixed.entities.some((entity) => overlaps(entity, phrase)) &&
    !labels.some((label) => sameSpan(label, phrase));
  const phrases = matcher.find(sentence).filter(isFree);
  const competing: Span[] = [...phrases, ...labels].sort(compareSpans);
  const chosen = new Set(overlapPolicies.squared(competing, () => 0));
  return phrases.filter((phrase) => chosen.has(phrase)).map(({ start, end }) => ({ start, end }));
}
