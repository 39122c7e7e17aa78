import { decodeChunks, encodingHint, foreignEncoding, wideEncoding } from "../util/encoding.ts";
import { InputError } from "../util/errors.ts";
import type { Source } from "./source.ts";

/** A stream is asked for no more than a mark: who writes it may wait for us. */
const headLength = { file: 1 << 12, stream: 2 };

/** The source as UTF-8, whatever its mark or the caller says it is encoded in; one in UTF-8 is returned as it is. */
export async function decodedSource(source: Source, declared: string | undefined): Promise<Source> {
  const head = await source.head(source.path === undefined ? headLength.stream : headLength.file);
  const encoding = foreignEncoding(head, declared);
  if (encoding !== undefined) return decoded(source, encoding);
  if (declared === undefined && wideEncoding(head) !== undefined) {
    throw new InputError(`not UTF-8: ${encodingHint(head)}`, { file: source.name });
  }
  return source;
}

function decoded(source: Source, encoding: string): Source {
  return {
    ...source,
    async head(limit) {
      // The last character may be cut off.
      const bytes = await source.head(limit);
      return Buffer.from(new TextDecoder(encoding).decode(bytes, { stream: true }));
    },
    chunks: () => decodeChunks(source.chunks(), encoding, source.name),
    rereading: (work) => source.rereading((again) => work(decoded(again, encoding))),
  };
}
