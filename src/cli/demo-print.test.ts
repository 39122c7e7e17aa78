import { expect, it } from "vitest";
import { excerpt } from "./demo-print.ts";

const sentence =
  "The fifth of these volumes appeared in a small edition with Hazel Editions after the death of Kiran Chandra .";

it("shows a piece of a long sentence around a name, with whole words", () => {
  expect(excerpt("Amit Mehta was there .", "Amit Mehta")).toBe("Amit Mehta was there .");
  expect(excerpt(sentence, "Hazel Editions")).toBe("… small edition with Hazel Editions after the death of …");
  expect(excerpt(sentence, "fifth")).toBe("The fifth of these volumes appeared in a small edition …");
  expect(excerpt(sentence, "Kiran Chandra")).toBe("… with Hazel Editions after the death of Kiran Chandra .");
});
