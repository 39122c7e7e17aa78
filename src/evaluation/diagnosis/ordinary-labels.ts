import { annotate, isDeclared, type Sentence, surface, tokenTexts } from "../../text/index.ts";
import { ordinaryWords } from "./ordinary-words.ts";

/** A text is taken for an ordinary word from this share on: its places in lower case, of these, the labelled ones and ten more. */
const leastShare = 0.3;
const spared = 10;

/** From this share of the labels on, they are worth a training without them. */
export const manyOrdinary = 0.01;

export interface OrdinaryLabels {
  /** The sentences without the labels of ordinary words. */
  readonly sentences: readonly Sentence[];
  readonly count: number;
  /** The texts with how often each was labelled, the most frequent first. */
  readonly texts: readonly (readonly [text: string, count: number])[];
}

/**
 * Takes the labels of ordinary words away: those with a capital that stand in lower case elsewhere, mostly, and have no label
 * there. What people declared stays.
 */
export function withoutOrdinaryLabels(given: readonly Sentence[]): OrdinaryLabels {
  const ordinary = ordinaryWords(given);
  const counts = new Map<string, number>();
  const sentences = given.map((sentence) => {
    const tokens = tokenTexts(sentence);
    const entities = sentence.entities.filter((entity) => {
      const { places, labelled } = ordinary(tokens, entity);
      const isOrdinary = places >= leastShare * (places + labelled + spared);
      if (!isOrdinary || isDeclared(sentence, entity)) return true;
      const text = surface(sentence, entity);
      counts.set(text, (counts.get(text) ?? 0) + 1);
      return false;
    });
    return entities.length === sentence.entities.length ? sentence : annotate(sentence, { entities });
  });
  const texts = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return { sentences, count: texts.reduce((sum, [, count]) => sum + count, 0), texts };
}

const mostShown = 5;

/** `324 labels are of ordinary words (“The” 156×, …), which stand in lower case elsewhere without a label`. */
export function describeOrdinary({ count, texts }: Pick<OrdinaryLabels, "count" | "texts">): string {
  const shown = texts.slice(0, mostShown).map(([text, times]) => `“${text}” ${times}×`);
  const list = [...shown, ...(texts.length > mostShown ? ["…"] : [])].join(", ");
  const what = count === 1 ? "1 label is of an ordinary word" : `${count} labels are of ordinary words`;
  return `${what} (${list}), which ${count === 1 ? "stands" : "stand"} in lower case elsewhere without a label`;
}
