import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { InputError } from "../util/errors.ts";

/** A line of a text file without its end, and its number from 1. */
export type LineReader = (text: string, line: number) => void;

/** What is longer is no list of surfaces, and would be held in memory as a whole. */
const longestLine = 1 << 24;

/** Calls back for every line of a UTF-8 file; refuses what is not text. */
export async function eachLine(path: string, read: LineReader): Promise<void> {
  let rest: Buffer = Buffer.alloc(0);
  let line = 1;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(0x0a) + 1;
    line = readBlock(bytes.subarray(0, end), path, line, read);
    rest = bytes.subarray(end);
    if (rest.length > longestLine)
      throw new InputError(`the line is longer than ${longestLine} bytes`, { file: path, line });
  }
  readBlock(rest, path, line, read);
}

/** Reads whole lines and returns the number of the next one. */
function readBlock(bytes: Buffer, file: string, first: number, read: LineReader): number {
  if (bytes.length === 0) return first;
  const lines = bytes.toString("utf8").split("\n");
  if (bytes[bytes.length - 1] === 0x0a) lines.pop();
  const sound = isUtf8(bytes) && !bytes.includes(0);
  for (const [index, text] of lines.entries()) {
    const line = first + index;
    if (!sound && /[\0\uFFFD]/.test(text)) {
      throw new InputError("expected lines of UTF-8 text, found bytes that are none", { file, line });
    }
    read(line === 1 ? text.replace(/^\uFEFF/, "") : text, line);
  }
  return first + lines.length;
}
