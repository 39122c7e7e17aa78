import type { Document, Entity, Sentence } from "../../text/document.ts";
import { wholly } from "../../text/states.ts";
import { type Random, random } from "../../util/random.ts";
import { sentence } from "../examples.suite.ts";
import type { PlacedSentence } from "./placed.ts";

/** `"Ada/PER met New_York/LOC"`: a word for each token, `_` inside an entity of several, its type behind the slash. */
export function labelled(text: string, options: { readonly complete?: boolean } = {}): Sentence {
  const words: string[] = [];
  const entities: Entity[] = [];
  for (const part of text.split(" ")) {
    const [tokens, type] = part.split("/") as [string, string | undefined];
    const start = words.length;
    words.push(...tokens.split("_"));
    if (type !== undefined) entities.push({ start, end: words.length, type });
  }
  return sentence(words, { entities, complete: options.complete ? wholly(words.length) : [] });
}

export function documentOf(...sentences: readonly Sentence[]): Document {
  return { text: "", sentences };
}

/** One document for each sentence. */
export function placedAlone(sentences: readonly Sentence[]): PlacedSentence[] {
  return sentences.map((value, document) => ({ value, document, sentence: 0 }));
}

/** A made-up corpus in which the truth is known. */
export interface World {
  /** Distinct names, each used this often. */
  readonly names: number;
  readonly uses: number;
  readonly type: string;
  /** Words that are a name of this type once and stand for themselves everywhere else. */
  readonly words?: number;
}

/** Sentences of four words with one place for a name, in an order that mixes them. */
export function makeCorpus(worlds: readonly World[], seed: number): Sentence[] {
  const rng = random(seed, "corpus");
  const made: { key: number; text: string }[] = [];
  const add = (text: string): void => {
    made.push({ key: rng.next(), text });
  };
  for (const { names, uses, type, words = 0 } of worlds) {
    for (let name = 0; name < names; name++) for (let i = 0; i < uses; i++) add(`we saw ${type}${name}/${type} again`);
    for (let word = 0; word < words; word++) {
      add(`we saw ${type}word${word}/${type} again`);
      for (let i = 0; i < 40; i++) add(`we saw ${type}word${word} again`);
    }
  }
  return made.sort((a, b) => a.key - b.key).map(({ text }) => labelled(text));
}

/** Hides each entity with a probability. */
export function hide(sentences: readonly Sentence[], share: number, rng: Random): Sentence[] {
  return sentences.map((each) => ({ ...each, entities: each.entities.filter(() => rng.next() >= share) }));
}
