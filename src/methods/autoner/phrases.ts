import { eachEntry, labelDocument, matcherBuilder } from "../../lexicon/index.ts";
import type { Sentence } from "../../text/index.ts";
import type { Prepared } from "../../training/index.ts";

export interface PhraseOptions {
  /** Files with a phrase on each line. */
  readonly full: string | readonly string[];
  /** Phrases are found in any case. */
  readonly ignoreCase: boolean;
}

/** The sentences of a stage with the phrases of the full dictionary unsure, where no label speaks. */
export async function markPhrases(
  sentences: readonly Sentence[],
  { full, ignoreCase }: PhraseOptions,
): Promise<Prepared> {
  const builder = matcherBuilder({ folding: { case: ignoreCase } });
  for (const path of [full].flat())
    await eachEntry(path, { untyped: true, anyCase: ignoreCase }, (entry) => builder.add(entry));
  const matcher = builder.finish();
  let phrases = 0;
  const marked = sentences.map((sentence) => {
    const document = { text: sentence.text, sentences: [sentence] };
    const [found] = labelDocument(document, matcher, { overlaps: "squared" }).sentences;
    phrases += found!.unsure.length - sentence.unsure.length;
    return found!;
  });
  return {
    adjustments: [],
    train: { sentences: marked, file: "phrases.jsonl" },
    summary: `${phrases} phrases of the full dictionary stay open: the gaps that touch them carry no loss`,
    facts: { phrases },
  };
}
