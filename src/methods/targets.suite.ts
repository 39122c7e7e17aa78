import { tokenStates } from "../heads/token/states.ts";
import { tokensOf } from "../heads/token/tokens-of.ts";
import { type Sentence, typeSets } from "../text/index.ts";
import type { CorpusShares, OpenItem } from "./teaching.ts";

/** What a tagger with one tag for each type is made to say of sentences: a row for each token. */
export function sharesOf(types: readonly string[], rows: readonly (readonly (readonly number[])[])[]): CorpusShares {
  const sets = typeSets(types);
  return {
    types,
    typeOf: [-1, ...types.keys()],
    sets,
    sentences: rows.map((each) => ({ items: tokensOf(each.length), shares: Float64Array.from(each.flat()) })),
    states: (sentence: Sentence) => tokenStates(sentence, sets).states,
  };
}

/** Items one after the other, each in a sentence of its own. */
export function itemsOf(rows: readonly { readonly type: number; readonly row: readonly number[] }[]): OpenItem[] {
  return rows.map(({ type, row }, sentence) => ({ sentence, start: 0, end: 1, type, row: Float64Array.from(row) }));
}

/** Targets rounded as a person writes them. */
export const rounded = (target: readonly number[] | undefined): number[] | undefined =>
  target?.map((share) => Math.round(1e4 * share) / 1e4);
