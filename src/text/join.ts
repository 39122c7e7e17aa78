import { codePointBefore, isUnspaced } from "./characters.ts";

/**
 * The text of tokens that came without one: joined by a space, except where two characters of unspaced writing meet;
 * sentences are joined by a line break.
 */
export function joinTokens(sentences: readonly (readonly string[])[]): { text: string; offsets: Int32Array[] } {
  const pieces: string[] = [];
  let length = 0;
  const add = (piece: string): void => {
    pieces.push(piece);
    length += piece.length;
  };
  const offsets = sentences.map((tokens, index) => {
    if (index > 0) add("\n");
    const places = new Int32Array(2 * tokens.length);
    for (const [i, token] of tokens.entries()) {
      if (i > 0 && needsSpace(tokens[i - 1]!, token)) add(" ");
      places[2 * i] = length;
      add(token);
      places[2 * i + 1] = length;
    }
    return places;
  });
  return { text: pieces.join(""), offsets };
}

function needsSpace(left: string, right: string): boolean {
  if (left === "" || right === "") return true;
  return !(isUnspaced(right.codePointAt(0)!) && isUnspaced(codePointBefore(left, left.length)));
}
