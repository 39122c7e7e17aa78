/**
 * What a character is to the tokeniser. Answers come from Unicode properties and are remembered for the basic plane,
 * so that a long text costs one table look-up per character.
 */
export const space = 1;
/** Letters and digits of scripts that put spaces between words. */
export const word = 2;
/** Characters of scripts that put none (Han, kana, Thai …), and Hangul syllables: each is a token of its own. */
export const solitary = 3;
/** What belongs to the character before it: combining marks, joiners, variation selectors, skin tones, vowel jamo. */
export const extend = 4;
/** Punctuation, symbols, everything else. */
export const other = 5;

export type CharacterClass = typeof space | typeof word | typeof solitary | typeof extend | typeof other;

const spaces = /[\p{White_Space}\u200B\uFEFF]/u;
const prepended = /[\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]/u;
const extending = /[\p{M}\p{Cf}\u0E33\u0EB3\uFF9E\uFF9F\u1160-\u11FF\uD7B0-\uD7C6\uD7CB-\uD7FB\p{Emoji_Modifier}]/u;
const solitaries =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Bopo}\p{sc=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}\u30FC\uFF70]/u;
const words = /[\p{L}\p{N}_]/u;

const remembered = new Uint8Array(0x10000);

export function classOf(codePoint: number): CharacterClass {
  if (codePoint > 0xffff) return classify(codePoint);
  const known = remembered[codePoint] as CharacterClass | 0;
  if (known !== 0) return known;
  const found = classify(codePoint);
  remembered[codePoint] = found;
  return found;
}

function classify(codePoint: number): CharacterClass {
  const character = String.fromCodePoint(codePoint);
  if (spaces.test(character)) return space;
  if (prepended.test(character)) return word;
  if (extending.test(character)) return extend;
  if (solitaries.test(character)) return solitary;
  return words.test(character) ? word : other;
}

/**
 * True for characters of writing without spaces: Han, kana, bopomofo, their punctuation and full-width forms. Tokens
 * that meet at two of them are joined without a space. Hangul is not among them, because Korean puts spaces between words.
 */
export function isUnspaced(codePoint: number): boolean {
  if (codePoint < 0x2e80) return false;
  if (codePoint <= 0x9fff)
    return !(codePoint >= 0x3130 && codePoint <= 0x318f) && !(codePoint >= 0x4dc0 && codePoint < 0x4e00);
  if (codePoint < 0xf900) return false;
  if (codePoint <= 0xffff) {
    return (
      codePoint <= 0xfaff ||
      (codePoint >= 0xfe30 && codePoint <= 0xfe4f) ||
      (codePoint >= 0xff01 && codePoint <= 0xff9f) ||
      (codePoint >= 0xffe0 && codePoint <= 0xffee)
    );
  }
  return (
    (codePoint >= 0x1aff0 && codePoint <= 0x1b16f) ||
    (codePoint >= 0x1f200 && codePoint <= 0x1f2ff) ||
    (codePoint >= 0x20000 && codePoint <= 0x3ffff)
  );
}

/** The code point that ends before a UTF-16 offset. */
export function codePointBefore(text: string, offset: number): number {
  const unit = text.charCodeAt(offset - 1);
  if (unit >= 0xdc00 && unit <= 0xdfff && offset >= 2) {
    const pair = text.codePointAt(offset - 2)!;
    if (pair > 0xffff) return pair;
  }
  return unit;
}

/** True when a text has nothing that could be in a token. */
export function isBlank(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (classOf(text.charCodeAt(i)) !== space) return false;
  return true;
}
