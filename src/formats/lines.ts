import { isUtf8 } from "node:buffer";
import { encodingHint } from "../util/encoding.ts";
import { InputError } from "../util/errors.ts";
import type { Source } from "./source.ts";

const newline = 0x0a;
/** Far beyond any line of a sane file: what is longer is no line file, and would be held in memory as a whole. */
const longestLine = 1 << 28;

/** The bytes of a source in blocks that end with a line (the last one perhaps without its line break). */
export async function* lineBlocks(source: Source, longest = longestLine): AsyncGenerator<Buffer, void, undefined> {
  let held: Buffer[] = [];
  let heldLength = 0;
  for await (const chunk of unmarkedChunks(source)) {
    const end = chunk.lastIndexOf(newline) + 1;
    if (end > 0) {
      const whole = chunk.subarray(0, end);
      yield held.length > 0 ? Buffer.concat([...held, whole]) : whole;
      held = [];
      heldLength = 0;
    }
    if (end < chunk.length) held.push(chunk.subarray(end));
    heldLength += chunk.length - end;
    if (heldLength > longest) throw new InputError(`a line is longer than ${longest} bytes`, { file: source.name });
  }
  if (held.length > 0) yield Buffer.concat(held);
}

/** Throws when bytes are not UTF-8, naming the line on which they stop being it. */
export function checkUtf8(bytes: Buffer, file: string, firstLine: number): void {
  if (isUtf8(bytes)) return;
  let line = firstLine;
  for (let start = 0; start < bytes.length; line++) {
    const found = bytes.indexOf(newline, start);
    const end = found < 0 ? bytes.length : found + 1;
    const content = bytes.subarray(start, end);
    if (!isUtf8(content)) {
      throw new InputError(`the line is not valid UTF-8: ${describeBytes(content)}; ${encodingHint(bytes)}`, {
        file,
        line,
      });
    }
    start = end;
  }
}

/** The first byte that is wrong: where decoding put U+FFFD without there being one. */
function describeBytes(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  let found = text.indexOf(replacement);
  let at = Buffer.byteLength(text.slice(0, found));
  while (bytes.subarray(at).indexOf(replacement) === 0) {
    const next = text.indexOf(replacement, found + 1);
    at += Buffer.byteLength(text.slice(found, next));
    found = next;
  }
  return `byte 0x${bytes[at]!.toString(16).padStart(2, "0")} at position ${at + 1}`;
}

const replacement = "\ufffd";
const byteOrderMark = Buffer.from("\ufeff");

/** Without the byte-order mark that some editors put before UTF-8. */
export function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? bytes.subarray(byteOrderMark.length) : bytes;
}

/** The chunks of a source without its byte-order mark, though it be cut between them. */
export async function* unmarkedChunks(source: Source): AsyncGenerator<Buffer, void, undefined> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of source.chunks()) {
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < byteOrderMark.length) continue;
    yield withoutMark(head);
    head = undefined;
  }
  if (head !== undefined) yield head;
}
