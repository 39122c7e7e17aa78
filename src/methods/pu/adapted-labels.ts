import { annotate, type Entity, overlaps, type Sentence, stateOf, tokenTexts } from "../../text/index.ts";

export interface AdaptOptions {
  /** A phrase is predicted at least so often. */
  readonly count: number;
  /** A phrase has no more words. */
  readonly words: number;
}

export interface Adapted {
  readonly sentences: readonly Sentence[];
  /** Phrases that joined the dictionary. */
  readonly phrases: number;
  /** Labels that they made. */
  readonly labels: number;
}

/**
 * The adaptive dictionary (Peng et al. 2019: AdaPU): a phrase that is predicted as one type wherever it stands, and often
 * enough, is an entry from now on, and labels these places where nobody spoke.
 */
export function adaptedLabels(
  train: readonly Sentence[],
  predicted: readonly (readonly Entity[])[],
  options: AdaptOptions,
): Adapted {
  const words = train.map(tokenTexts);
  const phrases = chosenPhrases(words, predicted, options);
  let labels = 0;
  const sentences = train.map((sentence, number) => {
    const news = predicted[number]!.filter(
      (entity) =>
        phrases.get(phraseOf(words[number]!, entity)) === entity.type &&
        stateOf(sentence, entity, entity.type) === "unknown" &&
        ![...sentence.entities, ...sentence.unsure].some((other) => overlaps(other, entity)),
    );
    labels += news.length;
    if (news.length === 0) return sentence;
    const labelled = news.map(({ start, end, type }) => ({ start, end, type, provenance: { source: "bnpu" } }));
    return annotate(sentence, { entities: [...sentence.entities, ...labelled] });
  });
  return { sentences, phrases: phrases.size, labels };
}

/** Phrases with the one type that they have at all their places. */
function chosenPhrases(
  words: readonly (readonly string[])[],
  predicted: readonly (readonly Entity[])[],
  { count, words: widest }: AdaptOptions,
): ReadonlyMap<string, string> {
  const found = new Map<string, { readonly type: string; times: number; isPure: boolean }>();
  predicted.forEach((entities, number) => {
    for (const entity of entities) {
      if (entity.end - entity.start > widest) continue;
      const phrase = phraseOf(words[number]!, entity);
      const known = found.get(phrase);
      if (!known) found.set(phrase, { type: entity.type, times: 1, isPure: true });
      else if (known.type === entity.type) known.times++;
      else known.isPure = false;
    }
  });
  const places = new Map<string, number>();
  for (const sentence of words) {
    for (let start = 0; start < sentence.length; start++) {
      for (let end = start + 1; end <= Math.min(sentence.length, start + widest); end++) {
        const phrase = phraseOf(sentence, { start, end });
        if (found.has(phrase)) places.set(phrase, (places.get(phrase) ?? 0) + 1);
      }
    }
  }
  const isChosen = (phrase: string): boolean => {
    const { times, isPure } = found.get(phrase)!;
    return isPure && times >= count && times === places.get(phrase);
  };
  return new Map([...found].filter(([phrase]) => isChosen(phrase)).map(([phrase, { type }]) => [phrase, type]));
}

function phraseOf(words: readonly string[], { start, end }: { readonly start: number; readonly end: number }): string {
  return words.slice(start, end).join("\n");
}
