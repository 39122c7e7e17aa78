import { describe, expect, it } from "vitest";
import { sentenceOf } from "../../../test/support/words.ts";
import { tokenTexts } from "../../text/index.ts";
import { ordinaryWords } from "./ordinary-words.ts";

const label = (start: number, end: number) => ({ entities: [{ start, end, type: "ORG" }] });

describe("ordinary words among the labels", () => {
  const corpus = [
    sentenceOf("He left", label(0, 1)),
    ...["then he came", "and he saw", "so he won", "if he can"].map((text) => sentenceOf(text)),
    sentenceOf("Will left", label(0, 1)),
    sentenceOf("Rue du Port", label(0, 1)),
    ...["all rue it", "some rue it", "few rue it"].map((text) => sentenceOf(text)),
    sentenceOf("we rue it", label(1, 2)),
    sentenceOf("the US army", label(1, 2)),
    ...["for us all", "for us both", "for us two"].map((text) => sentenceOf(text)),
    sentenceOf("Prime Minister Ada", label(0, 2)),
    sentenceOf("Prime Minister Eva", label(0, 2)),
    sentenceOf("Prime time", label(0, 1)),
    sentenceOf("in its prime"),
    ...["a prime minister", "no prime minister", "one prime minister"].map((text) => sentenceOf(text)),
  ];
  const ordinary = ordinaryWords(corpus);
  const of = (text: string, start: number, end: number) => ordinary(tokenTexts(sentenceOf(text)), { start, end });

  it("stand in lower case elsewhere without a label, counted by hand", () => {
    expect(of("He left", 0, 1)).toEqual({ places: 4, labelled: 1 });
    expect(of("now Prime Minister", 1, 3)).toEqual({ places: 3, labelled: 2 });
    // Once by itself and three times before another word; not twice where a sentence ends with it.
    expect(of("now Prime", 1, 2)).toEqual({ places: 4, labelled: 1 });
  });

  it.each([
    ["stand in lower case nowhere", "Will left", 0],
    ["are labelled in lower case too", "Rue du Port", 0],
    ["are written in capitals", "the US army", 1],
    ["are in lower case themselves", "then he came", 1],
    ["are labelled nowhere", "Then he came", 0],
  ])("are none that %s", (_, text, start) => {
    expect(of(text, start, start + 1)).toEqual({ places: 0, labelled: 0 });
  });

  it("are none where models see an entity in some of the places in lower case: its label may be missing there", () => {
    const seen = (prob: number) =>
      ordinaryWords(corpus, (sentence, span) => (sentence === 1 && span.start === 1 ? prob : 0))(["He", "left"], {
        ...{ start: 0, end: 1 },
      });
    // One of four places has it all: the mean is a quarter of it.
    expect(seen(0.079).places).toBe(4);
    expect(seen(0.081).places).toBe(0);
  });
});
