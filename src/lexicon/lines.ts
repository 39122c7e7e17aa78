import { isUtf8 } from "node:buffer";
import { encodingHint } from "../util/encoding.ts";
import { InputError } from "../util/errors.ts";

/** Some lines of a text, without their ends. */
export interface Lines {
  readonly texts: readonly string[];
  /** The number of the first of them, from 1. */
  readonly first: number;
}

/** What is longer is no list of lines, and would be held in memory as a whole. */
const longestLine = 1 << 24;

/** The lines of a UTF-8 file, many at a time; refuses what is not text. */
export async function* readLines(chunks: AsyncIterable<Buffer>, file: string): AsyncGenerator<Lines, void, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  let first = 1;
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(0x0a) + 1;
    rest = bytes.subarray(end);
    if (end === 0) {
      if (rest.length > longestLine)
        throw new InputError(`the line is longer than ${longestLine} bytes`, { file, line: first });
      continue;
    }
    const texts = split(bytes.subarray(0, end - 1), file, first);
    yield { texts, first };
    first += texts.length;
  }
  if (rest.length > 0) yield { texts: split(rest, file, first), first };
}

function split(bytes: Buffer, file: string, first: number): string[] {
  const texts = bytes.toString("utf8").split("\n");
  if (!isUtf8(bytes) || bytes.includes(0)) {
    const line =
      first +
      Math.max(
        0,
        texts.findIndex((text) => /[\0\uFFFD]/.test(text)),
      );
    throw new InputError(
      `expected lines of UTF-8 text, found bytes that are none; ${encodingHint(bytes, "--dict-encoding")}`,
      {
        file,
        line,
      },
    );
  }
  if (first === 1) texts[0] = texts[0]!.replace(/^\uFEFF/, "");
  return texts.map((text) => (text.endsWith("\r") ? text.slice(0, -1) : text));
}
