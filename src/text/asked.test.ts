import { expect, it } from "vitest";
import { sentenceOf } from "../../test/support/words.ts";
import { asked } from "./asked.ts";
import { makeSentence, tokenTexts } from "./document.ts";

it("a question stands before the sentence, of which the words are the same", () => {
  const whole = asked("who is it?", sentenceOf("Ana left", { entities: [{ start: 0, end: 1, type: "PER" }] }));
  expect(tokenTexts(whole)).toEqual(["who", "is", "it", "?", "Ana", "left"]);
  expect(whole.question).toBe(4);
  expect(whole.entities).toEqual([]);
});

it("a sentence of a longer text brings no other sentence with it", () => {
  const whole = asked("who", makeSentence("One. Two words. Three.", Int32Array.of(5, 8, 9, 14)));
  expect(whole.text).toBe("who Two words");
  expect(tokenTexts(whole)).toEqual(["who", "Two", "words"]);
});
