import { InputError, messageOf, quote } from "./errors.ts";

/** Marks with which a file says how it is encoded. That of UTF-8 is left to the readers. */
const marks: readonly (readonly [first: number, second: number, encoding: string])[] = [
  [0xff, 0xfe, "utf-16le"],
  [0xfe, 0xff, "utf-16be"],
];

const encodings = ["utf-8", "utf-16le", "utf-16be", "latin1", "windows-1252", "gb18030", "big5", "shift_jis", "euc-kr"];

/** An encoding by a name of the Encoding Standard, as the standard spells it. */
export function encodingNamed(name: string): string {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    throw new InputError(`unknown encoding ${quote(name)} (known: ${encodings.join(", ")} and others of the web)`);
  }
}

/** What the first bytes of a file say of its encoding, if anything. */
function markedEncoding(head: Buffer): string | undefined {
  return marks.find(([first, second]) => head[0] === first && head[1] === second)?.[2];
}

/** The encoding from which bytes have to be turned into UTF-8; `undefined` when they are UTF-8 already. A mark goes before what is declared. */
export function foreignEncoding(head: Buffer, declared: string | undefined): string | undefined {
  const encoding = markedEncoding(head) ?? (declared === undefined ? "utf-8" : encodingNamed(declared));
  return encoding === "utf-8" ? undefined : encoding;
}

/** A whole file as UTF-8. */
export function decodeBytes(bytes: Buffer, declared: string | undefined, file: string): Buffer {
  const encoding = foreignEncoding(bytes, declared);
  return encoding === undefined ? bytes : Buffer.from(decoder(encoding, file)(bytes, true));
}

/** The chunks of a file as UTF-8; those of a file in UTF-8 pass untouched. */
export async function* decodeChunks(
  chunks: AsyncIterable<Buffer>,
  declared: string | undefined,
  file: string,
): AsyncGenerator<Buffer, void, undefined> {
  let head: Buffer | undefined = Buffer.alloc(0);
  let decode: Decode | undefined;
  for await (const chunk of chunks) {
    const bytes: Buffer = head === undefined || head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    if (head !== undefined && bytes.length < 2) {
      head = bytes;
      continue;
    }
    if (head !== undefined) {
      head = undefined;
      const encoding = foreignEncoding(bytes, declared);
      if (encoding !== undefined) decode = decoder(encoding, file);
    }
    yield decode === undefined ? bytes : Buffer.from(decode(bytes, false));
  }
  if (head !== undefined && head.length > 0) yield decodeBytes(head, declared, file);
  const rest = decode?.(Buffer.alloc(0), true) ?? "";
  if (rest !== "") yield Buffer.from(rest);
}

type Decode = (bytes: Buffer, last: boolean) => string;

function decoder(encoding: string, file: string): Decode {
  const inner = new TextDecoder(encoding, { fatal: true });
  return (bytes, last) => {
    try {
      return inner.decode(bytes, { stream: !last });
    } catch (error) {
      throw new InputError(`the bytes are not valid ${encoding}: ${messageOf(error)} (another --encoding?)`, { file });
    }
  };
}

/** What to do about bytes that are no UTF-8, by what they look like. */
export function encodingHint(bytes: Buffer, flag = "--encoding"): string {
  const wide = wideEncoding(bytes);
  if (wide !== undefined) return `it looks like UTF-16: try ${flag} ${wide}`;
  return `if it is text in another encoding, name it, such as ${flag} latin1`;
}

/** The kind of UTF-16 that bytes look like, of which every second is mostly 0. */
export function wideEncoding(bytes: Buffer): "utf-16le" | "utf-16be" | undefined {
  const looked = Math.min(bytes.length, 1 << 12);
  const zeros = [0, 0];
  for (let i = 0; i < looked; i++) if (bytes[i] === 0) zeros[i & 1]!++;
  const [even, odd] = zeros as [number, number];
  const isWide = looked >= 8 && Math.max(even, odd) > looked / 8 && Math.min(even, odd) < looked / 32;
  if (!isWide) return undefined;
  return odd > even ? "utf-16le" : "utf-16be";
}
