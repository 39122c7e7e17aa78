/** The part of the heads that needs neither Node nor the engine, for what also runs in a browser. */
export { biased, type Decoder, decoder } from "./decoding.ts";
export type { Candidate, Decoding, ItemScores, Items, Overlap } from "./head.ts";
export { spanGrid } from "./span/grid.ts";
export { spanArrays } from "./span/span-arrays.ts";
export { shift, type Window, windows } from "./windows.ts";
