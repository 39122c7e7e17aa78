import type { Review } from "./review.ts";

/** The content as JSON, piece by piece: as one string it might be too long. */
export function* contentPieces(
  review: Review,
  names: { readonly data: string; readonly audit: string },
): Generator<string, void, undefined> {
  const { header, items, types } = review;
  yield `${JSON.stringify({ header, ...names, types }).slice(0, -1)},"items":[`;
  for (const [i, item] of items.entries()) yield `${i === 0 ? "" : ","}${JSON.stringify(item)}`;
  yield `],"passages":[`;
  const known = new Map<string, number>();
  const places: number[] = [];
  for (const [i, { document }] of items.entries()) {
    const passage = review.passageOf(i + 1);
    const key = JSON.stringify([document, passage.offset, passage.text.length, passage.tokens[0]]);
    const at = known.get(key);
    places.push(at ?? known.size);
    if (at !== undefined) continue;
    yield `${known.size === 0 ? "" : ","}${JSON.stringify(passage)}`;
    known.set(key, known.size);
  }
  yield `],"passageOf":${JSON.stringify(places)}}`;
}
