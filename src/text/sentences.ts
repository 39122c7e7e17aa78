import { classOf, word } from "./characters.ts";
import type { Span } from "./document.ts";

/**
 * Cuts tokens into sentences; returns the index of the first token of each. A sentence ends after a full stop or its
 * like and what closes after it, when white space follows and no small letter (Chinese and Japanese need neither), and
 * at a blank line; never between two tokens that one of the `unbroken` spans of characters holds together.
 */
export function sentenceStarts(text: string, tokens: Int32Array, unbroken: readonly Span[] = []): number[] {
  const count = tokens.length >> 1;
  if (count === 0) return [];
  const held = holder(unbroken);
  const starts = [0];
  let ended: Ending = "no";
  for (let token = 0; token + 1 < count; token++) {
    const end = tokens[2 * token + 1]!;
    const next = tokens[2 * token + 2]!;
    ended = endingAfter(text, tokens, token, ended);
    if (!breaks(text, end, next, ended) || held(end, next)) continue;
    starts.push(token + 1);
    ended = "no";
  }
  return starts;
}

/** Whether the tokens so far end a sentence: surely, or if what follows agrees. */
type Ending = "no" | "perhaps" | "surely";

const fullStops = new Set([".", "!", "?", "…", "‽", "؟", "۔", "।", "॥", "‼", "⁇", "⁈", "⁉"]);
const wideStops = new Set(["。", "！", "？", "｡"]);
const closers = new Set([..."\"')]}»”’›」』）】〉》〕］｝"]);
const abbreviations = new Set(
  (
    "mr mrs ms dr prof sr jr st mt vs inc ltd co corp bros gen col maj capt lt sgt rep sen gov pres hon rev " +
    "no nos fig figs vol pp ed eds al approx dept est jan feb mar apr jun jul aug sep sept oct nov dec"
  ).split(" "),
);

function endingAfter(text: string, tokens: Int32Array, token: number, before: Ending): Ending {
  const start = tokens[2 * token]!;
  const end = tokens[2 * token + 1]!;
  // No stop and no closer is a letter or a digit, with which nearly all tokens end.
  if (classOf(text.charCodeAt(end - 1)) === word) return "no";
  const last = text[end - 1]!;
  if (wideStops.has(last)) return "surely";
  if (before !== "no" && end - start === 1 && closers.has(last)) return before;
  if (!fullStops.has(last)) return "no";
  if (last !== "." || end - start > 1) return end - start > 1 && last === "." ? "no" : "perhaps";
  const touches = token > 0 && tokens[2 * token - 1] === start;
  return touches && isAbbreviation(text.slice(tokens[2 * token - 2]!, start)) ? "no" : "perhaps";
}

function isAbbreviation(word: string): boolean {
  return (word.length === 1 && /\p{Lu}/u.test(word)) || (word.length <= 6 && abbreviations.has(word.toLowerCase()));
}

const smallLetter = /^\p{Ll}/u;

function breaks(text: string, end: number, next: number, ended: Ending): boolean {
  if (isBlankLine(text, end, next)) return true;
  if (ended === "no") return false;
  const following = text.charAt(next);
  if (ended === "surely") return !(closers.has(following) && next === end) && !wideStops.has(following);
  return next > end && !smallLetter.test(text.slice(next, next + 2));
}

/** True when white space holds an empty line. */
function isBlankLine(text: string, start: number, end: number): boolean {
  let breaksSeen = 0;
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x2029) return true;
    if (unit === 0x0a || unit === 0x85 || (unit === 0x0d && text.charCodeAt(i + 1) !== 0x0a)) breaksSeen++;
  }
  return breaksSeen >= 2;
}

/** Tells whether some span reaches over the gap between two tokens; gaps must be asked for in order. */
export function holder(spans: readonly Span[]): (end: number, next: number) => boolean {
  const sorted = [...spans].sort((a, b) => a.start - b.start);
  let used = 0;
  let reach = -1;
  return (end, next) => {
    for (; used < sorted.length && sorted[used]!.start < end; used++) reach = Math.max(reach, sorted[used]!.end);
    return reach > next;
  };
}
