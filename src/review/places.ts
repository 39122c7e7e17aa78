import { documentNames } from "../audit/index.ts";
import type { Document, Sentence, Span } from "../text/index.ts";
import { characters } from "../text/index.ts";
import { InputError, quote } from "../util/errors.ts";
import type { AuditFile } from "./audit-file.ts";
import type { Item } from "./model.ts";

/** Where a suspicion stands in the data. */
export interface Place {
  /** Places in the lists of documents and of their sentences. */
  readonly document: number;
  readonly sentence: number;
}

/** Finds every suspicion in the data; an audit of other data is refused with its line. */
export function placesOf(documents: readonly Document[], audit: AuditFile): readonly Place[] {
  const byName = new Map(documentNames(documents).map((name, i) => [name, i]));
  return audit.suspicions.map((item, i) => {
    const fail = (message: string): never => {
      throw new InputError(`${message}; is this the audit of --data?`, { file: audit.path, line: audit.lines[i] });
    };
    const document = byName.get(item.document) ?? fail(`the data have no document ${quote(item.document)}`);
    const { text, sentences } = documents[document]!;
    if (text.slice(item.start, item.end) !== item.text)
      fail(
        `expected ${quote(item.text)} at [${item.start}, ${item.end}), got ${quote(text.slice(item.start, item.end))}`,
      );
    const sentence = sentenceAt(sentences, item.start);
    const found = sentences[sentence] ?? fail(`no sentence is at ${item.start}`);
    if (tokensAt(found, item) === undefined) fail(`[${item.start}, ${item.end}) are not whole tokens of one sentence`);
    if (item.given !== null && !hasEntity(found, item.given))
      fail(`the data have no ${quote(item.given.type)} at [${item.given.start}, ${item.given.end})`);
    if (item.kind !== "missing" && item.given === null)
      fail(`a suspicion of kind ${quote(item.kind)} must have "given"`);
    return { document, sentence };
  });
}

/** The sentence in which an offset of the text lies, or the last that begins before. */
function sentenceAt(sentences: readonly Sentence[], offset: number): number {
  let [low, high] = [0, sentences.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (startOf(sentences, middle) <= offset) low = middle + 1;
    else high = middle;
  }
  // A sentence without tokens counts as beginning where the next does.
  while (low > 0 && sentences[low - 1]!.offsets.length === 0) low--;
  return low - 1;
}

function startOf(sentences: readonly Sentence[], index: number): number {
  for (let i = index; i < sentences.length; i++) if (sentences[i]!.offsets.length > 0) return sentences[i]!.offsets[0]!;
  return Number.POSITIVE_INFINITY;
}

/** The tokens of a sentence that make up a span of characters; missing when they are not whole. */
export function tokensAt({ offsets }: Sentence, { start, end }: Span): Span | undefined {
  const first = place(offsets, 0, start);
  const last = place(offsets, 1, end);
  return first === undefined || last === undefined || last < first ? undefined : { start: first, end: last + 1 };
}

/** The token that starts (side 0) or ends (side 1) exactly at an offset. */
function place(offsets: Int32Array, side: 0 | 1, offset: number): number | undefined {
  let [low, high] = [0, offsets.length >> 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsets[2 * middle + side]! < offset) low = middle + 1;
    else high = middle;
  }
  return offsets[2 * low + side] === offset ? low : undefined;
}

function hasEntity(sentence: Sentence, { start, end, type }: NonNullable<Item["given"]>): boolean {
  return sentence.entities.some((entity) => {
    const at = characters(sentence, entity);
    return entity.type === type && at.start === start && at.end === end;
  });
}
