import { InputError } from "../util/errors.ts";

/** What is asked of the bytes next: some of them to look at, or to pass over. */
interface Want {
  readonly bytes: number;
  readonly pass: boolean;
  /** Whether the file may end here. */
  readonly end: boolean;
}

const look = (bytes: number, end = false): Want => ({ bytes, pass: false, end });
const pass = (bytes: number): Want => ({ bytes, pass: true, end: false });

/**
 * Lets the bytes of a .zst file through, and fails when they end inside a frame: the reader of Node takes a file that was cut
 * off for a whole one. Only the outline of the frames is looked at (RFC 8878, section 3.1).
 */
export async function* wholeFrames(
  chunks: AsyncIterable<Buffer>,
  file: string,
): AsyncGenerator<Buffer, void, undefined> {
  const outline = frames();
  let want = outline.next(Buffer.alloc(0)).value;
  let left = want.bytes;
  let held = Buffer.alloc(0);
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const step = Math.min(left, chunk.length - at);
      if (!want.pass) held = Buffer.concat([held, chunk.subarray(at, at + step)]);
      at += step;
      left -= step;
      while (left === 0) {
        want = outline.next(held).value;
        left = want.bytes;
        held = Buffer.alloc(0);
      }
    }
    yield chunk;
  }
  if (!want.end || held.length > 0)
    throw new InputError("cannot be unpacked: it ends inside a frame; it was cut off", { file });
}

function* frames(): Generator<Want, never, Buffer> {
  for (;;) {
    const magic = (yield look(4, true)).readUInt32LE();
    if ((magic & ~0xf) === 0x184d2a50) {
      yield pass((yield look(4)).readUInt32LE());
      continue;
    }
    const descriptor = (yield look(1))[0]!;
    const isSingle = (descriptor & 0x20) !== 0;
    const contentSize = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6]!;
    const dictionary = [0, 1, 2, 4][descriptor & 3]!;
    yield pass((isSingle ? 0 : 1) + dictionary + contentSize);
    for (let isLast = false; !isLast; ) {
      const header = (yield look(3)).readUIntLE(0, 3);
      isLast = (header & 1) === 1;
      // A run of one byte is stored as that byte.
      yield pass(((header >> 1) & 3) === 1 ? 1 : header >> 3);
    }
    if ((descriptor & 4) !== 0) yield pass(4);
  }
}
