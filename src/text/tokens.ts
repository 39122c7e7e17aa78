import { classOf, extend, other, space, word } from "./characters.ts";

/**
 * Start and end of each token, alternating. Words are runs of letters and digits; a character of a script without spaces
 * is a token of its own, and so is every other sign. White space is in no token, and no token ends inside a surrogate
 * pair, a combining sequence or an emoji. The time is linear: each character is looked at a bounded number of times.
 */
export function findTokens(text: string): Int32Array {
  const bounds: number[] = [];
  for (let at = 0; at < text.length; ) {
    const codePoint = text.codePointAt(at)!;
    const kind = classOf(codePoint);
    if (kind === space) {
      at += width(codePoint);
      continue;
    }
    const end = kind === word || kind === extend ? wordEnd(text, at) : signEnd(text, at, codePoint);
    bounds.push(at, end);
    at = end;
  }
  return new Int32Array(bounds);
}

const zeroWidthJoiner = 0x200d;
const pictograph = /\p{Extended_Pictographic}/u;

/** End of a sign or a solitary character, with what extends it: `👩‍🚀`, `🇫🇷`, `か゛`, decomposed Hangul. */
function signEnd(text: string, start: number, first: number): number {
  if (isApostrophe(first)) {
    const clitic = cliticEnd(text, start);
    if (clitic > 0 && start > 0 && classOf(text.charCodeAt(start - 1)) === word) return clitic;
  }
  let at = start + width(first);
  let previous = first;
  let flag = isRegional(first);
  while (at < text.length) {
    const codePoint = text.codePointAt(at)!;
    const kind = classOf(codePoint);
    const joined =
      kind === extend ||
      (previous === zeroWidthJoiner && kind === other && pictograph.test(String.fromCodePoint(codePoint))) ||
      (flag && isRegional(codePoint)) ||
      (isLeadingJamo(previous) && (isLeadingJamo(codePoint) || isSyllable(codePoint)));
    if (!joined) break;
    flag = false;
    previous = codePoint;
    at += width(codePoint);
  }
  return at;
}

/** End of a word: letters and digits with their marks, and the signs that belong inside: `3.5`, `U.S.`, `O'Brien`. */
function wordEnd(text: string, start: number): number {
  let at = start;
  let segment = start; // where the letters since the last sign inside the word begin
  let dotted = false;
  while (at < text.length) {
    const codePoint = text.codePointAt(at)!;
    const kind = classOf(codePoint);
    if (kind === word || kind === extend) {
      at += width(codePoint);
      continue;
    }
    if (at === start) return at + width(codePoint);
    if (isApostrophe(codePoint)) {
      if (!startsWord(text, at + 1) || cliticEnd(text, at) > 0) break;
      if (elisions.has(text.slice(start, at))) return at + 1;
    } else if (!(isDecimal(text, at, codePoint) || isInitials(text, segment, at, codePoint, dotted))) break;
    dotted ||= codePoint === 0x2e;
    at += 1;
    segment = at;
  }
  return at;
}

/** `.` or `,` between two digits. */
function isDecimal(text: string, at: number, codePoint: number): boolean {
  return (
    (codePoint === 0x2e || codePoint === 0x2c) && isDigit(text.charCodeAt(at - 1)) && isDigit(text.charCodeAt(at + 1))
  );
}

/** The full stops of `U.S.` and `e.g.`: after single letters, of which the word has two or more. */
function isInitials(text: string, segment: number, at: number, codePoint: number, dotted: boolean): boolean {
  if (codePoint !== 0x2e || at - segment !== 1 || isDigit(text.charCodeAt(segment))) return false;
  return dotted || (startsWord(text, at + 1) && !isDigit(text.charCodeAt(at + 1)) && !startsWord(text, at + 2));
}

/** Endings that English writes together with a word that may be a name: `Japan's`. */
const clitics: ReadonlySet<string> = new Set(["s", "re", "ve", "ll", "d", "m"]);
/** Words that French and Italian write together with the next: `l'Italie`. */
const elisions: ReadonlySet<string> = new Set(["l", "d", "j", "m", "n", "s", "t", "c", "qu"]);

/** End of an English ending that begins with the apostrophe at a place; 0 when there is none. */
function cliticEnd(text: string, apostrophe: number): number {
  let at = apostrophe + 1;
  while (at < text.length && at - apostrophe <= 3 && classOf(text.charCodeAt(at)) === word) at++;
  return clitics.has(text.slice(apostrophe + 1, at).toLowerCase()) && !continuesWord(text, at) ? at : 0;
}

function startsWord(text: string, at: number): boolean {
  return at < text.length && classOf(text.codePointAt(at)!) === word;
}

function continuesWord(text: string, at: number): boolean {
  if (at >= text.length) return false;
  const kind = classOf(text.codePointAt(at)!);
  return kind === word || kind === extend;
}

function isApostrophe(codePoint: number): boolean {
  return codePoint === 0x27 || codePoint === 0x2019;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isRegional(codePoint: number): boolean {
  return codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff;
}

function isLeadingJamo(codePoint: number): boolean {
  return (codePoint >= 0x1100 && codePoint <= 0x115f) || (codePoint >= 0xa960 && codePoint <= 0xa97c);
}

/** A Hangul syllable in one code point. */
function isSyllable(codePoint: number): boolean {
  return codePoint >= 0xac00 && codePoint <= 0xd7a3;
}

function width(codePoint: number): number {
  return codePoint > 0xffff ? 2 : 1;
}
