import { z } from "zod";
import { writeAtomically } from "../util/atomic.ts";
import { InputError } from "../util/errors.ts";
import { mix32 } from "../util/random.ts";
import { readFileBytes } from "../util/regular-file.ts";
import {
  type ArrayName,
  type AutomatonHeader,
  arrayLayout,
  bufferSize,
  openAutomaton,
  unicodeVersion,
} from "./automaton.ts";
import { checkArrays } from "./check-arrays.ts";
import { makeFolding } from "./folding.ts";
import { type Matcher, matcherOf } from "./matcher.ts";

/**
 * The file of a compiled matcher: five 32-bit numbers (mark, version, bytes of the header, 32-bit words of the arrays,
 * checksum of both), the header as JSON filled up with spaces, and the arrays as they lie in memory.
 */
const mark = 0x584c434c; // "LCLX" where the lowest byte comes first, as on every machine Node runs on but few
const version = 1;
const preambleBytes = 20;

export function serialise({ automaton }: Matcher): Uint8Array {
  const header = Buffer.from(padded(JSON.stringify(automaton.header)));
  const bytes = new Uint8Array(preambleBytes + header.length + automaton.buffer.byteLength);
  bytes.set(header, preambleBytes);
  bytes.set(new Uint8Array(automaton.buffer), preambleBytes + header.length);
  const preamble = [mark, version, header.length, automaton.buffer.byteLength / 4, checksum(bytes)];
  bytes.set(new Uint8Array(Int32Array.from(preamble).buffer));
  return bytes;
}

/** Opens what `serialise` made. Whatever else the bytes hold is refused; `file` names them in the message. */
export function deserialise(bytes: Uint8Array, file?: string): Matcher {
  const fail = (message: string): never => {
    throw new InputError(`compiled dictionary: ${message}`, { file });
  };
  if (bytes.length < preambleBytes) fail(`expected at least ${preambleBytes} bytes, got ${bytes.length}`);
  const preamble = new Uint32Array(Uint8Array.from(bytes.subarray(0, preambleBytes)).buffer);
  const [found, written, headerBytes, words, sum] = preamble as unknown as [number, number, number, number, number];
  if (found !== mark) fail("this is no file of a compiled dictionary, or one from a machine with another byte order");
  if (written !== version) fail(`version ${written} is not known here (known: ${version}); compile it again`);
  const expected = preambleBytes + headerBytes + 4 * words;
  if (bytes.length !== expected)
    fail(`expected ${expected} bytes, got ${bytes.length}: the file is cut short or damaged`);
  if (checksum(bytes) >>> 0 !== sum) fail("the checksum does not agree: the file is damaged");
  const header = readHeader(bytes.subarray(preambleBytes, preambleBytes + headerBytes), fail);
  if (bufferSize(header.lengths) !== 4 * words)
    fail("the lengths of the arrays do not agree with the size of the file");
  const buffer = new SharedArrayBuffer(4 * words);
  new Uint8Array(buffer).set(bytes.subarray(preambleBytes + headerBytes));
  const automaton = openAutomaton(header, buffer);
  const fault = checkArrays(automaton);
  if (fault !== undefined) fail(`${fault}; compile it again`);
  return matcherOf(automaton);
}

/** Writes a compiled matcher, as a whole or not at all. */
export async function writeMatcher(path: string, matcher: Matcher): Promise<void> {
  await writeAtomically(path, async (file) => {
    await file.writeFile(serialise(matcher));
  });
}

export async function readMatcher(path: string): Promise<Matcher> {
  return deserialise(await readFileBytes(path), path);
}

const count = z
  .number()
  .int()
  .min(0)
  .max(2 ** 31 - 1);
const names = Object.keys(arrayLayout) as ArrayName[];
const headerSchema = z.strictObject({
  unicode: z.string(),
  folding: z.record(z.string(), z.unknown()),
  types: z.array(z.string()),
  dictionaries: z.array(z.string()),
  repeated: count,
  vanished: count,
  longest: count,
  lengths: z.strictObject(Object.fromEntries(names.map((name) => [name, count])) as Record<ArrayName, typeof count>),
});

function readHeader(bytes: Uint8Array, fail: (message: string) => never): AutomatonHeader {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return fail("the header is not JSON");
  }
  const parsed = headerSchema.safeParse(value);
  if (!parsed.success) return fail(`the header is not as expected: ${z.prettifyError(parsed.error)}`);
  const { unicode } = parsed.data;
  if (unicode !== unicodeVersion) {
    return fail(`it was compiled with Unicode ${unicode}, here is ${unicodeVersion}; compile it again`);
  }
  return { ...parsed.data, folding: makeFolding(parsed.data.folding) };
}

/** Filled up so that what follows is aligned to 32 bits. */
function padded(json: string): string {
  return json + " ".repeat((4 - (Buffer.byteLength(json) % 4)) % 4);
}

/** Of all words after the preamble. Damage is found with near certainty; it is no protection against malice, so the arrays are checked too. */
function checksum(bytes: Uint8Array): number {
  const aligned = bytes.byteOffset % 4 === 0 && bytes.length % 4 === 0;
  if (!aligned) return checksum(padWords(bytes));
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  let sum = 0;
  for (let k = preambleBytes / 4; k < words.length; k++)
    sum = (Math.imul(sum ^ words[k]!, 0x01000193) + 0x9e3779b9) | 0;
  return mix32(sum);
}

function padWords(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
  copy.set(bytes);
  return copy;
}
