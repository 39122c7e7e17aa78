import { decodeChunks, foreignEncoding } from "../util/encoding.ts";
import type { Source } from "./source.ts";

/** The source as UTF-8, whatever its mark or the caller says it is encoded in; one in UTF-8 is returned as it is. */
export async function decodedSource(source: Source, declared: string | undefined): Promise<Source> {
  const encoding = foreignEncoding(await source.head(2), declared);
  return encoding === undefined ? source : decoded(source, encoding);
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
