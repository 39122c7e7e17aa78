/** The part of the layers that needs no engine, for what also runs in a browser. */
export type { Chain, Legal } from "./chain.ts";
export { viterbi } from "./viterbi.ts";
