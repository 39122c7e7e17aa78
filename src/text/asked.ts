import { makeSentence, type Sentence } from "./document.ts";
import { findTokens } from "./tokens.ts";

/** A sentence with a question before it, as one text; nothing is known about its spans. */
export function asked(question: string, { text, offsets }: Pick<Sentence, "text" | "offsets">): Sentence {
  const before = findTokens(question);
  const from = offsets[0] ?? 0;
  const move = question.length + 1 - from;
  const after = offsets.map((offset) => offset + move);
  const own = text.slice(from, offsets.at(-1) ?? 0);
  return {
    ...makeSentence(`${question} ${own}`, Int32Array.from([...before, ...after])),
    question: before.length >> 1,
  };
}
