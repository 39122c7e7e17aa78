import type { Scheme, Tag } from "../text/index.ts";
import { type Annotation, type Document, isUnspaced, makeSentence, violations } from "../text/index.ts";
import { InputError } from "../util/errors.ts";
import type { ColumnHandler } from "./conll-columns.ts";
import { annotationOfTags } from "./tagging.ts";

export interface BuilderOptions {
  readonly file: string;
  /** O means "not an entity". */
  readonly asserted: boolean;
  /** Check the tags against this scheme. */
  readonly scheme: Scheme | undefined;
}

export interface DocumentBuilder extends ColumnHandler {
  /** The input is over. */
  end(): void;
  /** The documents finished since the last call. */
  finished(): Document[];
}

/**
 * Makes documents of scanned columns. The text is gathered as bytes, joined as `joinTokens` joins, and decoded once a
 * document: adding up strings token by token would hold several objects for each.
 */
export function documentBuilder({ file, asserted, scheme }: BuilderOptions): DocumentBuilder {
  const text = textGatherer();
  const tags: Tag[] = []; // used again for each sentence: `count` of them are its own
  let count = 0;
  const offsets = offsetPool();
  let sentences: { offsets: Int32Array; annotation: Annotation }[] = [];
  let documents: Document[] = [];
  let grouped = false;
  let firstLine = 0;

  const closeDocument = (): void => {
    const whole = text.take();
    documents.push({
      text: whole,
      sentences: sentences.map((each) => makeSentence(whole, each.offsets, each.annotation)),
    });
    sentences = [];
  };

  const checkTags = (): void => {
    if (scheme === undefined) return;
    for (const { token, rule } of violations(tags, scheme, count)) {
      throw new InputError(`conll: ${rule}`, { file, line: firstLine + token });
    }
  };

  const sentenceEnd = (): void => {
    if (count === 0) return;
    checkTags();
    sentences.push({ offsets: offsets.take(), annotation: annotationOfTags(tags, count, asserted) });
    count = 0;
    if (!grouped) closeDocument();
  };

  return {
    token(bytes, start, end, tag, line) {
      if (count === 0) {
        firstLine = line;
        if (sentences.length > 0) text.lineBreak();
      }
      offsets.push(text.add(bytes, start, end, count > 0), text.units());
      tags[count++] = tag;
    },
    sentenceEnd,
    documentStart() {
      sentenceEnd();
      if (grouped) closeDocument();
      grouped = true;
    },
    end() {
      sentenceEnd();
      if (grouped) closeDocument();
    },
    finished() {
      const result = documents;
      documents = [];
      return result;
    },
  };
}

interface OffsetPool {
  push(start: number, end: number): void;
  /** What was pushed since the last call. */
  take(): Int32Array;
}

/** Small enough that a sentence kept from a large corpus does not hold much of it. */
const poolLength = 2048;

/** Arrays cut from larger ones: an allocation of its own for each sentence takes a quarter of the time of reading. */
function offsetPool(): OffsetPool {
  let pool = new Int32Array(poolLength);
  let first = 0;
  let next = 0;
  return {
    push(start, end) {
      if (next + 2 > pool.length) {
        const larger = new Int32Array(Math.max(poolLength, 2 * (next - first + 2)));
        larger.set(pool.subarray(first, next));
        pool = larger;
        next -= first;
        first = 0;
      }
      pool[next++] = start;
      pool[next++] = end;
    },
    take() {
      const taken = pool.subarray(first, next);
      first = next;
      return taken;
    },
  };
}

interface TextGatherer {
  /** Adds a token, after a space where one belongs; returns its UTF-16 offset. */
  add(bytes: Buffer, start: number, end: number, follows: boolean): number;
  lineBreak(): void;
  units(): number;
  /** The text so far, which is then forgotten. */
  take(): string;
}

function textGatherer(): TextGatherer {
  let buffer = Buffer.allocUnsafe(1 << 14);
  let length = 0;
  let units = 0;
  let ascii = true;
  let unspacedBefore = false;
  const reserve = (more: number): void => {
    if (length + more <= buffer.length) return;
    const larger = Buffer.allocUnsafe(2 * (length + more));
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
  };
  return {
    add(bytes, start, end, follows) {
      reserve(end - start + 1);
      const unspaced = bytes[start]! >= 0xe2 && isUnspaced(codePointAt(bytes, start));
      if (follows && !(unspaced && unspacedBefore)) {
        buffer[length++] = 0x20;
        units++;
      }
      const offset = units;
      const target = buffer; // locals: what a closure captures is slow in a loop
      let at = length;
      let width = 0;
      let last = start;
      let plain = true;
      for (let i = start; i < end; i++) {
        const byte = bytes[i]!;
        target[at++] = byte;
        if (byte < 0x80) width++;
        else if (byte >= 0xc0) {
          width += byte >= 0xf0 ? 2 : 1;
          last = i;
          plain = false;
        }
      }
      length = at;
      units += width;
      ascii &&= plain;
      unspacedBefore = bytes[end - 1]! >= 0x80 && isUnspaced(codePointAt(bytes, last));
      return offset;
    },
    lineBreak() {
      reserve(1);
      buffer[length++] = 0x0a;
      units++;
    },
    units: () => units,
    take() {
      const text = buffer.toString(ascii ? "latin1" : "utf8", 0, length);
      length = 0;
      units = 0;
      ascii = true;
      return text;
    },
  };
}

/** The code point whose UTF-8 bytes begin at a place; the bytes are known to be valid. */
function codePointAt(bytes: Buffer, start: number): number {
  const lead = bytes[start]!;
  const tail = (index: number): number => bytes[start + index]! & 0x3f;
  if (lead < 0xe0) return lead < 0xc0 ? lead : ((lead & 0x1f) << 6) | tail(1);
  if (lead < 0xf0) return ((lead & 0x0f) << 12) | (tail(1) << 6) | tail(2);
  return ((lead & 0x07) << 18) | (tail(1) << 12) | (tail(2) << 6) | tail(3);
}
