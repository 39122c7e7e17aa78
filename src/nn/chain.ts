/**
 * A linear-chain conditional random field (Lafferty et al. 2001). Everywhere below emissions are `[batch, time, tags]`,
 * masks `[batch, time]` of ones and zeros with all padding on the right, and results have a number for each sentence.
 * A row that is padding altogether has one sequence, the empty one, of score 0.
 */
export interface Chain<T> {
  /** From the row's tag to the column's: `[tags, tags]`. */
  readonly transitions: T;
  /** Of the first tag, and of the last: `[tags]`. */
  readonly start: T;
  readonly end: T;
}

/** Whether a tag may follow another; `undefined` stands for what is before the first tag and after the last. */
export type Legal = (from: number | undefined, to: number | undefined) => boolean;

/** The score of what must not be. Finite, because −∞ makes gradients that are not numbers, and exp of it is 0 all the same. */
export const impossible = -1e4;

/** A chain that has no preference but forbids what is not legal. */
export function legalChain(tags: number, legal: Legal): Chain<number[]> {
  const all = Array.from({ length: tags }, (_, tag) => tag);
  const penalty = (from: number | undefined, to: number | undefined): number => (legal(from, to) ? 0 : impossible);
  return {
    transitions: all.flatMap((from) => all.map((to) => penalty(from, to))),
    start: all.map((to) => penalty(undefined, to)),
    end: all.map((from) => penalty(from, undefined)),
  };
}
