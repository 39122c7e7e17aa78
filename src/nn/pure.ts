/** The part of the layers that needs no engine, for what also runs in a browser. */
export { type Chain, type Legal, legalChain } from "./chain.ts";
export { viterbi } from "./viterbi.ts";
