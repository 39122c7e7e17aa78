import type { Document } from "../text/index.ts";
import { InputError } from "../util/errors.ts";
import type { Format, Limit, WriteOptions } from "./format.ts";

/** Something that was left out of a file because its format cannot express it. */
export interface Loss {
  /** What, as a plural: `scores`, `overlapping entities`. */
  readonly what: string;
  readonly count: number;
  /** The first of them. */
  readonly example: string;
}

/** Documents reduced to what a format can express, one by one, and what was lost on the way so far. */
export function reducer(
  format: Format,
  documents: Iterable<Document> | AsyncIterable<Document>,
  file: string,
  options: WriteOptions,
): { reduced: AsyncIterable<Document>; losses(): Loss[] } {
  const found = new Map<string, { count: number; example: string }>();
  const note = ({ what, minor = false, onRequest = false }: Limit, example: () => string): void => {
    const known = found.get(what);
    if (known !== undefined) known.count++;
    else if (minor || onRequest || options.onLoss === "list") found.set(what, { count: 1, example: example() });
    else {
      throw new InputError(
        `${format.name} cannot express ${what}: ${example()} ` +
          "(--list-losses leaves out and lists what is lost, --to lacuna keeps everything)",
        { file: file === "-" ? undefined : file },
      );
    }
  };
  async function* reduced(): AsyncGenerator<Document, void, undefined> {
    for await (const document of documents) {
      for (const each of reduceDocument(document, format.limits, note, options)) {
        options.onWritten?.(each);
        yield each;
      }
    }
  }
  // Nothing is lost in a format without limits, and every step between two generators costs as much as a short text.
  const isWhole = format.limits.length === 0 && options.onWritten === undefined && Symbol.asyncIterator in documents;
  return {
    reduced: isWhole ? documents : reduced(),
    losses: () => [...found].map(([what, loss]) => ({ what, ...loss })),
  };
}

function reduceDocument(
  document: Document,
  limits: readonly Limit[],
  note: (limit: Limit, example: () => string) => void,
  options: WriteOptions,
): readonly Document[] {
  let remaining: readonly Document[] = [document];
  for (const limit of limits) {
    remaining = remaining.flatMap((each) => limit.reduce(each, (example) => note(limit, example), options));
  }
  return remaining;
}
