import {
  characters,
  type Document,
  joinTokens,
  makeSentence,
  type Sentence,
  type Span,
  tokenCount,
  tokenise,
  tokenTexts,
} from "../../text/index.ts";
import { quote } from "../../util/errors.ts";
import type { Limit, Lose } from "../format.ts";

/** Text between tokens, for formats of tokens. */
export const spacing: Limit = {
  what: "texts that are not their tokens joined by spaces",
  reduce(document, lose) {
    const joined = rejoined(document, tokenTexts);
    if (joined.text === document.text && sameTokens(document, joined)) return document;
    lose(() => quote(document.text));
    return joined;
  },
};

/** Tokens that a line of columns cannot hold are written with U+2423 in the place of what breaks the line. */
export const unwritableTokens: Limit = {
  what: "tokens with a tab or line break in them, empty ones, and -DOCSTART-",
  reduce(document, lose) {
    let lost = false;
    const writable = (token: string): string => {
      const safe =
        token === "" ? "␣" : token.replace(/^\uFEFF|^-DOCSTART-(?=[ \t]|$)/, "␣").replaceAll(/[\t\r\n]/g, "␣");
      if (safe === token) return token;
      lost = true;
      lose(() => quote(token));
      return safe;
    };
    const joined = rejoined(document, (sentence) => tokenTexts(sentence).map(writable));
    return lost ? joined : document;
  },
};

export const emptySentences: Limit = {
  what: "sentences without tokens",
  reduce(document, lose) {
    const kept = document.sentences.filter((sentence) => tokenCount(sentence) > 0);
    for (let i = kept.length; i < document.sentences.length; i++) lose(() => "an empty sentence");
    return kept.length === document.sentences.length ? document : { ...document, sentences: kept };
  },
};

/** Documents for formats in which each sentence stands for itself. */
export const documents: Limit = {
  what: "documents of more or less than one sentence",
  reduce(document, lose) {
    if (document.sentences.length === 1) return document;
    lose(
      () =>
        `${document.sentences.length} sentences in ${document.id === undefined ? "one document" : quote(document.id)}`,
    );
    return document.sentences.map((sentence) => rejoined({ ...document, sentences: [sentence] }, tokenTexts));
  },
};

/** Tokens and sentences, for formats of text: made anew by the tokeniser when read. */
export const tokens: Limit = {
  what: "tokens and sentences that the tokeniser would cut otherwise",
  reduce: (document, lose) => recut(document, lose, false),
};

/** Sentences, for formats that keep text and tokens. */
export const sentenceBreaks: Limit = {
  what: "sentences that would be cut otherwise",
  reduce: (document, lose) => recut(document, lose, true),
};

function recut(document: Document, lose: Lose, keepTokens: boolean): Document {
  const spans = <S extends Span>(pick: (sentence: Sentence) => readonly S[]): S[] =>
    document.sentences.flatMap((sentence) =>
      pick(sentence).map((span) => ({ ...span, ...characters(sentence, span) })),
    );
  const fresh = tokenise(
    document.text,
    {
      entities: spans((sentence) => sentence.entities),
      rejected: spans((sentence) => sentence.rejected),
      unsure: spans((sentence) => sentence.unsure),
      complete: spans((sentence) => sentence.complete),
    },
    {
      id: document.id,
      tokens: keepTokens ? Int32Array.from(document.sentences.flatMap((sentence) => [...sentence.offsets])) : undefined,
    },
  );
  if (sameTokens(document, fresh)) return document;
  lose(() => quote(document.text));
  return fresh;
}

/** The same annotation over tokens joined into a new text. */
function rejoined(document: Document, tokensOf: (sentence: Sentence) => string[]): Document {
  const { text, offsets } = joinTokens(document.sentences.map(tokensOf));
  return {
    ...document,
    text,
    sentences: document.sentences.map((sentence, i) => makeSentence(text, offsets[i]!, sentence)),
  };
}

function sameTokens(a: Document, b: Document): boolean {
  return (
    a.sentences.length === b.sentences.length &&
    a.sentences.every(({ offsets }, i) => {
      const others = b.sentences[i]!.offsets;
      return offsets.length === others.length && offsets.every((offset, j) => offset === others[j]);
    })
  );
}
