import { eachEntry, matcherBuilder, writeMatcher } from "../src/lexicon/index.ts";

/** Builds a matcher from a dictionary file in a process of its own, and prints how long it took and the memory it needed. */
const [dictionary, compiled] = process.argv.slice(2) as [string, string];
const before = process.resourceUsage().maxRSS;
const start = performance.now();
const builder = matcherBuilder();
await eachEntry(dictionary, {}, (entry) => builder.add(entry));
const matcher = builder.finish();
const seconds = (performance.now() - start) / 1000;
const megabytes = (process.resourceUsage().maxRSS - before) / 1024;
await writeMatcher(compiled, matcher);
process.stdout.write(JSON.stringify({ seconds, megabytes }));
