/**
 * Cuts text as `src/text/tokens.ts` does, for the characters that the sample uses: the generator runs without a build, so
 * it cannot import that file. A test holds the two together.
 */
const word = "[\\p{L}\\p{N}\\p{M}_]";
const clitic = `['’](?:[sSdDmM]|[rR][eE]|[vV][eE]|[lL]{2})(?!${word})`;
const token = new RegExp(
  [
    `(?<!${word})(?:\\p{L}\\.(?=\\p{L}\\.))+\\p{L}\\.`, // U.S.
    `(?<=${word})${clitic}`, // Japan's
    `(?<!${word})(?:[ldjmnstc]|qu)['’](?=${word})`, // l'Italie
    `${word}+(?:(?:(?<=\\d)[.,](?=\\d)|(?!${clitic})['’](?=${word}))${word}+)*`, // 3.5, O'Brien
    "\\S",
  ].join("|"),
  "gu",
);

/** Start and end of each token. */
export function findTokens(text) {
  return Array.from(text.matchAll(token), (match) => ({ start: match.index, end: match.index + match[0].length }));
}
