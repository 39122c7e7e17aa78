/** The part of the lexicon layer that needs no Node, for what also runs in a browser. */
export { type BuildOptions, buildMatcher } from "./build.ts";
export type { Entry, Match, Matcher } from "./matcher.ts";
