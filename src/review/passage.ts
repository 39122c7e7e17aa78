import { characters, type Document, type Sentence, type Span } from "../text/index.ts";
import type { Mark, Passage } from "./model.ts";
import type { Place } from "./places.ts";

/** Characters that are shown on either side: of a span within its sentence, and of the sentence. */
const reach = 1500;
const context = 240;

/** The sentence at a place, as far as it can be shown around some of its characters, with text around it. */
export function passageOf({ text, sentences }: Document, place: Place, focus: Span): Passage {
  const { offsets } = sentences[place.sentence]!;
  const [first, last] = [offsets[0]!, offsets.at(-1)!];
  const from = Math.max(focus.start - reach, first - context, 0);
  const to = Math.min(focus.end + reach, last + context, text.length);
  const start = wordStart(text, from, from <= first ? first : focus.start);
  const end = wordEnd(text, to, to >= last ? last : focus.end);
  const isInside = (from: number, to: number): boolean => from >= start && to <= end;
  const tokens: number[] = [];
  for (let i = 0; i < offsets.length; i += 2)
    if (isInside(offsets[i]!, offsets[i + 1]!)) tokens.push(offsets[i]!, offsets[i + 1]!);
  const entities = around(sentences, place.sentence, start, end).flatMap(marksOf);
  return {
    offset: start,
    text: text.slice(start, end),
    cutBefore: start > 0,
    cutAfter: end < text.length,
    tokens,
    entities: entities.filter((mark) => mark.start < end && mark.end > start),
  };
}

/** The sentences beside one that reach into a range of the text, itself included. */
function around(sentences: readonly Sentence[], index: number, start: number, end: number): readonly Sentence[] {
  let [from, to] = [index, index + 1];
  while (from > 0 && (sentences[from - 1]!.offsets.at(-1) ?? start + 1) > start) from--;
  while (to < sentences.length && (sentences[to]!.offsets[0] ?? end - 1) < end) to++;
  return sentences.slice(from, to);
}

function marksOf(sentence: Sentence): Mark[] {
  return sentence.entities.map((entity) => ({ ...characters(sentence, entity), type: entity.type }));
}

/** How far a word is looked for at which the text may be cut. */
const longestWord = 40;

/** A place at or after `at`, and not after `latest`, where a word begins; text without spaces is cut between characters. */
function wordStart(text: string, at: number, latest: number): number {
  if (at === 0 || at >= latest) return at;
  for (let i = at; i < Math.min(at + longestWord, latest); i++) if (/\s/.test(text[i - 1]!)) return i;
  return isLow(text, at) ? at + 1 : at;
}

function wordEnd(text: string, at: number, earliest: number): number {
  if (at === text.length || at <= earliest) return at;
  for (let i = at; i > Math.max(at - longestWord, earliest); i--) if (/\s/.test(text[i]!)) return i;
  return isLow(text, at) ? at - 1 : at;
}

/** Whether a cut here would part the halves of a character. */
function isLow(text: string, at: number): boolean {
  return /[\udc00-\udfff]/.test(text[at] ?? "");
}
