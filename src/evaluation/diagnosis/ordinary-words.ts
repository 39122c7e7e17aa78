import { type Sentence, type Span, spanIndex, tokenTexts } from "../../text/index.ts";

/** What speaks for and against a text being an ordinary word, which is labelled as a name. */
export interface Ordinary {
  /** Places where it stands in lower case and has no label; 0 for whatever is no such word. */
  readonly places: number;
  /** Places where it is labelled, with capitals. */
  readonly labelled: number;
}

export type OrdinaryWords = (tokens: readonly string[], span: Span) => Ordinary;

/** How probable a span of a sentence is an entity. */
export type EntityProbability = (sentence: number, span: Span) => number;

/** What models give an entity in these places, on the average: where they give more, its label may be missing there. */
const mostProbable = 0.02;

const name: Ordinary = { places: 0, labelled: 0 };

interface Counts {
  /** Labelled places with capitals. */
  labelled: number;
  /** Places in lower case that nobody labels, and the probability of an entity there, in all. */
  silent: number;
  probability: number;
  /** Places in lower case that somebody labels. */
  lowerLabelled: number;
}

/**
 * Finds the words that are labelled with a capital and stand in lower case elsewhere without a label: a dictionary that has
 * “Will” labels every “Will”, also at the beginning of a question. Models learn such labels and do not doubt them; of the
 * places in lower case, which look otherwise, they say what they are. Scripts without case have no such words.
 */
export function ordinaryWords(corpus: readonly Sentence[], probability: EntityProbability = () => 0): OrdinaryWords {
  const counts = new Map<string, Counts>();
  const widths = new Map<string, Set<number>>();
  for (const sentence of corpus) {
    const tokens = tokenTexts(sentence);
    for (const { start, end } of sentence.entities) {
      const form = lowerForm(tokens, start, end);
      if (form === undefined) continue;
      const known = counts.get(form);
      if (known) known.labelled++;
      else counts.set(form, { labelled: 1, silent: 0, probability: 0, lowerLabelled: 0 });
      const first = tokens[start]!.toLowerCase();
      widths.set(first, (widths.get(first) ?? new Set()).add(end - start));
    }
  }
  for (const [number, sentence] of corpus.entries())
    countLowerCase(sentence, counts, widths, (span) => probability(number, span));
  return (tokens, { start, end }) => {
    const form = lowerForm(tokens, start, end);
    const found = form === undefined ? undefined : counts.get(form);
    if (found === undefined || found.silent === 0 || found.lowerLabelled > 0) return name;
    if (found.probability > mostProbable * found.silent) return name;
    return { places: found.silent, labelled: found.labelled };
  };
}

/** Counts the forms in lower case; `widths` are those of the forms that begin with a word. */
function countLowerCase(
  sentence: Sentence,
  counts: ReadonlyMap<string, Counts>,
  widths: ReadonlyMap<string, ReadonlySet<number>>,
  probability: (span: Span) => number,
): void {
  const tokens = tokenTexts(sentence);
  const entities = spanIndex(sentence.entities);
  for (const [start, token] of tokens.entries()) {
    for (const width of widths.get(token) ?? []) {
      const found = counts.get(tokens.slice(start, start + width).join(" "));
      // At the end of a sentence a longer form is cut to a shorter one.
      if (found === undefined || start + width > tokens.length) continue;
      const span = { start, end: start + width };
      if (entities.touches(span)) found.lowerLabelled++;
      else {
        found.silent++;
        found.probability += probability(span);
      }
    }
  }
}

/** The text in lower case where each of its words begins with a capital and goes on without: names in capitals are abbreviations. */
function lowerForm(tokens: readonly string[], start: number, end: number): string | undefined {
  const words = tokens.slice(start, end);
  return words.every((word) => /^\p{Lu}\P{Lu}*$/u.test(word)) ? words.join(" ").toLowerCase() : undefined;
}
