import { parseTag, type Tag, unknownTags } from "../text/index.ts";
import { messageOf, quote } from "../util/errors.ts";
import { checkUtf8 } from "./lines.ts";
import { failure } from "./rows.ts";

/** What the lines of a column file say, in order. Bytes are valid during the call only. */
export interface ColumnHandler {
  token(bytes: Buffer, start: number, end: number, tag: Tag, line: number): void;
  sentenceEnd(): void;
  documentStart(): void;
}

const tab = 0x09;
const newline = 0x0a;
const carriageReturn = 0x0d;
const blank = 0x20;
const letterO = 0x4f;
const documentMark = Buffer.from("-DOCSTART-");

/**
 * Takes lines of columns apart, on the bytes: cutting them into strings first would cost more than all the rest. The
 * first line decides: with a tab in it, columns are what tabs separate (so tokens may hold spaces); otherwise runs of
 * spaces and tabs separate. Every line must have as many columns as the first.
 */
export function columnScanner(file: string, handler: ColumnHandler): { scan(block: Buffer): void } {
  const tagOf = tagTable();
  let columns = 0;
  let tabbed = false;
  let line = 1;

  const refuse = (bytes: Buffer, start: number, end: number, rule: string): never =>
    failure("conll", file, line)(`${rule}: ${quote(bytes.toString("utf8", start, end))}`);

  const tagAt = (bytes: Buffer, start: number, end: number): Tag => {
    try {
      return tagOf(bytes, start, end);
    } catch (error) {
      return failure("conll", file, line)(messageOf(error));
    }
  };

  const finish = (
    bytes: Buffer,
    start: number,
    tokenEnd: number,
    lastStart: number,
    end: number,
    found: number,
  ): void => {
    if (columns === 0 && found > 1) columns = found;
    if (found !== columns) {
      const expected = columns === 0 ? "a token and a tag" : `${columns} columns`;
      refuse(bytes, start, end, `expected ${expected}, got ${found} column${found === 1 ? "" : "s"}`);
    }
    if (tokenEnd === start) refuse(bytes, start, end, "the token is empty");
    handler.token(bytes, start, tokenEnd, tagAt(bytes, lastStart, end), line);
  };

  const scanSpaced = (bytes: Buffer, lineStart: number, end: number): void => {
    let start = lineStart;
    while (isGap(bytes[start]!)) start++;
    let tokenEnd = end;
    let lastStart = start;
    let found = 1;
    for (let i = start; i < end; i++) {
      if (!isGap(bytes[i]!)) continue;
      if (found === 1) tokenEnd = i;
      while (isGap(bytes[i + 1]!)) i++;
      lastStart = i + 1;
      found++;
    }
    finish(bytes, start, tokenEnd, lastStart, end, found);
  };

  const scanLine = (
    bytes: Buffer,
    start: number,
    end: number,
    firstTab: number,
    lastTab: number,
    tabs: number,
  ): void => {
    if (end === start) handler.sentenceEnd();
    else if (isDocumentMark(bytes, start, end)) handler.documentStart();
    else {
      if (columns === 0) tabbed = tabs > 0;
      if (!tabbed) scanSpaced(bytes, start, end);
      else if (tabs > 0) finish(bytes, start, firstTab, lastTab + 1, end, tabs + 1);
      else finish(bytes, start, end, start, end, 1);
    }
  };

  return {
    scan(bytes) {
      checkUtf8(bytes, file, line);
      const length = bytes.length;
      for (let start = 0; start < length; line++) {
        let firstTab = -1;
        let lastTab = -1;
        let tabs = 0;
        let next = start;
        for (; next < length && bytes[next] !== newline; next++) {
          if (bytes[next] !== tab) continue;
          if (firstTab < 0) firstTab = next;
          lastTab = next;
          tabs++;
        }
        const end = trimmedEnd(bytes, start, next);
        while (lastTab >= end) {
          tabs--;
          do lastTab--;
          while (lastTab >= start && bytes[lastTab] !== tab);
        }
        scanLine(bytes, start, end, firstTab, lastTab, tabs);
        start = next + 1;
      }
    },
  };
}

/** Whether some line ends with a tag that says nothing: a fast look, without taking lines apart. */
export function hasUnknownTag(bytes: Buffer): boolean {
  for (let start = 0; start < bytes.length; ) {
    const next = lineEnd(bytes, start);
    const end = trimmedEnd(bytes, start, next);
    if (end > start && lastBytes[bytes[end - 1]!] === 1 && endsWithUnknown(bytes, start, end)) return true;
    start = next + 1;
  }
  return false;
}

function endsWithUnknown(bytes: Buffer, start: number, end: number): boolean {
  if (isDocumentMark(bytes, start, end)) return false;
  return unknownBytes.some((tag) => {
    const at = end - tag.length;
    return at > start && isGap(bytes[at - 1]!) && bytes.subarray(at, end).equals(tag);
  });
}

const unknownBytes = unknownTags.map((tag) => Buffer.from(tag));
const lastBytes = Uint8Array.from({ length: 256 }, (_, byte) =>
  unknownBytes.some((tag) => tag.at(-1) === byte) ? 1 : 0,
);

/** A loop, because for short lines a call that leaves JavaScript (`indexOf`) takes longer. */
function lineEnd(bytes: Buffer, start: number): number {
  let end = start;
  while (end < bytes.length && bytes[end] !== newline) end++;
  return end;
}

/** The end of a line without white space and the carriage return of Windows. */
function trimmedEnd(bytes: Buffer, start: number, lineEnd: number): number {
  let end = lineEnd;
  while (end > start && (isGap(bytes[end - 1]!) || bytes[end - 1] === carriageReturn)) end--;
  return end;
}

function isGap(byte: number): boolean {
  return byte === blank || byte === tab;
}

function isDocumentMark(bytes: Buffer, start: number, end: number): boolean {
  if (bytes[start] !== documentMark[0]) return false;
  const after = start + documentMark.length;
  if (after > end || (after < end && !isGap(bytes[after]!))) return false;
  return bytes.compare(documentMark, 0, documentMark.length, start, after) === 0;
}

/** Tags by their bytes, so that a tag seen before costs no string. */
function tagTable(): (bytes: Buffer, start: number, end: number) => Tag {
  const outside = parseTag("O");
  const known = new Map<number, { readonly bytes: Buffer; readonly tag: Tag }[]>();
  return (bytes, start, end) => {
    if (end - start === 1 && bytes[start] === letterO) return outside;
    let hash = end - start;
    for (let i = start; i < end; i++) hash = (Math.imul(hash, 31) + bytes[i]!) | 0;
    const bucket = known.get(hash);
    const found = bucket?.find((entry) => sameBytes(entry.bytes, bytes, start, end));
    if (found !== undefined) return found.tag;
    const tag = parseTag(bytes.toString("utf8", start, end));
    const entry = { bytes: Buffer.from(bytes.subarray(start, end)), tag };
    if (bucket === undefined) known.set(hash, [entry]);
    else bucket.push(entry);
    return tag;
  };
}

function sameBytes(known: Buffer, bytes: Buffer, start: number, end: number): boolean {
  if (known.length !== end - start) return false;
  for (let i = start; i < end; i++) if (known[i - start] !== bytes[i]) return false;
  return true;
}
