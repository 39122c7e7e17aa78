import { closeSession } from "../src/training/session.ts";
import { makeSentences, makeWordList } from "./encoder-data.ts";
import { bestSeconds } from "./harness.ts";
import { sessionOf, steps } from "./pipeline.ts";

/** Trains some steps with an encoder in a process of its own, and prints the time of a token and the memory it needed. */
const [encoder, lexicon] = process.argv.slice(2) as [string, string];
const sentences = makeSentences(makeWordList(), 400);
const before = process.resourceUsage().maxRSS;
const session = await sessionOf(
  encoder,
  sentences,
  "uniform",
  encoder === "bilstm" || encoder.startsWith("transformer:") ? {} : { encoder: { words: { lexicon } } },
);
const { tokens } = await steps(session);
const seconds = await bestSeconds(2, () => steps(session).then(() => {}));
const megabytes = (process.resourceUsage().maxRSS - before) / 1024;
await closeSession(session);
process.stdout.write(JSON.stringify({ seconds: seconds / tokens, megabytes }));
