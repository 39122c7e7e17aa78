import { type Document, type Sentence, tokenCount, tokenText } from "../text/index.ts";
import { InputError, quote } from "../util/errors.ts";

/** A sentence of the gold beside the same sentence as a system labelled it. */
export interface SentencePair {
  readonly gold: Sentence;
  readonly predicted: Sentence;
}

/** A pair with its position in the gold; document and sentence count from 0. */
export interface PlacedPair extends SentencePair {
  readonly document: number;
  readonly sentence: number;
  /** The document's name, where it has one. */
  readonly id?: string;
}

/** What the two sides are called in error messages: file names, as a rule. */
export interface SideNames {
  readonly gold: string;
  readonly predicted: string;
}

type Documents = Iterable<Document> | AsyncIterable<Document>;

/**
 * Pairs gold and prediction sentence by sentence, holding one document of each in memory.
 * Document boundaries may differ and sentences without tokens are left out, since several formats cannot write
 * either; the tokens may not differ, since spans count tokens.
 */
export async function* pairSentences(
  gold: Documents,
  predicted: Documents,
  names: SideNames = { gold: "the gold", predicted: "the prediction" },
): AsyncGenerator<PlacedPair, void, undefined> {
  const others = sentencesOf(predicted);
  try {
    for await (const ours of sentencesOf(gold)) {
      const next = await others.next();
      if (next.done) throw missing(ours, { file: names.predicted }, names.gold);
      assertSameTokens(ours, next.value, names);
      const { document, sentence, id } = ours;
      const place = id === undefined ? { document, sentence } : { document, sentence, id };
      yield { ...place, gold: ours.value, predicted: next.value.value };
    }
    const rest = await others.next();
    if (!rest.done) throw missing(rest.value, { file: names.gold }, names.predicted);
  } finally {
    await others.return();
  }
}

interface PlacedSentence {
  readonly value: Sentence;
  readonly document: number;
  readonly sentence: number;
  readonly id: string | undefined;
}

async function* sentencesOf(documents: Documents): AsyncGenerator<PlacedSentence, void, undefined> {
  let document = 0;
  for await (const { id, sentences } of documents) {
    for (const [sentence, value] of sentences.entries()) {
      if (tokenCount(value) > 0) yield { value, document, sentence, id };
    }
    document++;
  }
}

function assertSameTokens(gold: PlacedSentence, predicted: PlacedSentence, names: SideNames): void {
  const expected = tokenCount(gold.value);
  const actual = tokenCount(predicted.value);
  for (let index = 0; index < Math.min(expected, actual); index++) {
    const wanted = tokenText(gold.value, index);
    const found = tokenText(predicted.value, index);
    if (wanted === found) continue;
    const difference = `token ${index + 1} is ${quote(found)}, but ${quote(wanted)} in ${names.gold}`;
    throw new InputError(`${describe(predicted)}: ${difference} (${describe(gold)})`, { file: names.predicted });
  }
  if (expected === actual) return;
  const difference = `the number of tokens is ${actual}, but ${expected} in ${names.gold}`;
  throw new InputError(`${describe(predicted)}: ${difference} (${describe(gold)})`, { file: names.predicted });
}

function missing(sentence: PlacedSentence, place: { readonly file: string }, other: string): InputError {
  return new InputError(`ends before ${describe(sentence)} of ${other}; both must hold the same sentences`, place);
}

/** `document 3 ("a17"), sentence 2`: people count from one. */
function describe({ document, sentence, id }: PlacedSentence): string {
  const name = id === undefined ? "" : ` (${quote(id)})`;
  return `document ${document + 1}${name}, sentence ${sentence + 1}`;
}
