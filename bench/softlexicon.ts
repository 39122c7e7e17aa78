import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sentence } from "../src/text/index.ts";
import { closeSession } from "../src/training/session.ts";
import { makeSentences, makeWordList } from "./encoder-data.ts";
import { type Bench, bestSeconds } from "./harness.ts";
import { sessionOf, steps } from "./pipeline.ts";

const characters = { name: "words", width: 50 };

/** A step with the words of a lexicon at each character beside the same step without them, and the products of both. */
export const softlexicon: Bench = {
  prefix: "encoder.softlexicon",
  async run(report) {
    const words = makeWordList();
    const sentences = makeSentences(words, 400);
    const folder = await mkdtemp(join(tmpdir(), "lacuna-bench-"));
    try {
      const from = join(folder, "words.txt");
      await writeFile(from, words.join("\n"));
      const plain = await stepCost([characters], sentences);
      const both = await stepCost([characters, { name: "softlexicon", from }], sentences);
      report.figure("encoder.softlexicon.step", both.seconds / plain.seconds, "× the step without it");
      report.figure("encoder.softlexicon.products", both.flops / plain.flops, "× the products without it");
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

async function stepCost(sources: readonly object[], sentences: readonly Sentence[]) {
  const session = await sessionOf({ name: "stack", sources }, sentences, "ce", { head: { name: "token" } });
  const { flops } = await steps(session);
  const seconds = await bestSeconds(5, () => steps(session).then(() => {}));
  await closeSession(session);
  return { seconds, flops };
}
