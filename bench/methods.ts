import type { Adjustment } from "../src/heads/index.ts";
import { type Sentence, tokenCount } from "../src/text/index.ts";
import type { SettingsInput } from "../src/training/index.ts";
import { closeSession } from "../src/training/session.ts";
import { type Bench, bestSeconds } from "./harness.ts";
import { sampleSentences, sessionOf, steps } from "./pipeline.ts";

const tags = { name: "token", output: "crf" };
const types = { name: "token", scheme: "io", output: "softmax" };
const priors = { LOC: 0.02, ORG: 0.02, PER: 0.02, PROD: 0.02 };

interface Measured {
  readonly method: string;
  readonly more?: SettingsInput;
  /** The head of the plain training beside it, where that is not spans. */
  readonly beside?: SettingsInput;
  /** The labels that a teacher speaks of, where it has one. */
  readonly taught?: number;
}

/** Methods by the name of their figure. Reading queries costs as many steps as there are types, vectors about one. */
const measured: Readonly<Record<string, Measured>> = {
  "top-neg": { method: "top-neg" },
  nrces: { method: "nrces" },
  scl: { method: "scl" },
  biaffine: { method: "biaffine" },
  autoner: { method: "autoner" },
  mrc: { method: "mrc", more: { head: { query: "vector" } } },
  "mrc-read": { method: "mrc", more: { head: { query: "read" } } },
  "partial-crf": { method: "partial-crf", more: { head: { prior: 0.1 } }, beside: tags },
  "weighted-partial-crf": { method: "weighted-partial-crf", beside: tags, taught: 9 },
  bnpu: { method: "bnpu", more: { objective: { priors } }, beside: types },
  "conf-mpu": { method: "conf-mpu", more: { objective: { priors } }, beside: types, taught: 5 },
};

/** The cost of training on a token with each method beside that of plain cross-entropy with a like head, in one run. */
export const methods: Bench = {
  prefix: "method",
  async run(report) {
    const sentences = await sampleSentences();
    const plain = new Map<SettingsInput | undefined, number>();
    for (const [name, given] of Object.entries(measured)) {
      if (!report.wants(`method.${name}-step`)) continue;
      const { beside } = given;
      if (!plain.has(beside)) {
        const ce = { method: "ce", ...(beside && { more: { head: beside } }) };
        plain.set(beside, await secondsPerToken(sentences, ce));
      }
      const seconds = await secondsPerToken(sentences, given);
      report.figure(`method.${name}-step`, seconds / plain.get(beside)!, "× the ce step");
    }
  },
};

async function secondsPerToken(sentences: readonly Sentence[], { method, more, taught }: Measured): Promise<number> {
  const adjustments = taught === undefined ? [] : targets(sentences, taught);
  const session = await sessionOf("bilstm", sentences, method, more, { adjustments });
  const { tokens } = await steps(session);
  const seconds = await bestSeconds(5, () => steps(session).then(() => {}));
  await closeSession(session);
  return seconds / tokens;
}

/** What a teacher that is hardly sure says of every token. */
function targets(sentences: readonly Sentence[], labels: number): Adjustment[] {
  const target = Array.from({ length: labels }, (_, label) => (label === 0 ? 0.9 : 0.1 / (labels - 1)));
  return sentences.flatMap((sentence, number) =>
    Array.from({ length: tokenCount(sentence) }, (_, token) => ({
      sentence: number,
      start: token,
      end: token + 1,
      weight: 1,
      target,
    })),
  );
}
