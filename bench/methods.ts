import type { Adjustment } from "../src/heads/index.ts";
import { type Sentence, tokenCount } from "../src/text/index.ts";
import type { SettingsInput } from "../src/training/index.ts";
import { closeSession } from "../src/training/session.ts";
import { type Bench, bestSeconds } from "./harness.ts";
import { sampleSentences, sessionOf, steps } from "./pipeline.ts";

/** Heads of plain training that methods stand beside. */
const heads = {
  spans: { name: "span" },
  tags: { name: "token", output: "crf" },
  types: { name: "token", scheme: "io", output: "softmax" },
};
const priors = { LOC: 0.02, ORG: 0.02, PER: 0.02, PROD: 0.02 };

interface Measured {
  readonly method: string;
  readonly beside: keyof typeof heads;
  readonly more?: SettingsInput;
  /** How many labels a teacher speaks of, where the step has one. */
  readonly taught?: number;
}

/** Methods by the name of their figure. Reading queries costs as many steps as there are types, vectors about one. */
const measured: Readonly<Record<string, Measured>> = {
  "top-neg": { method: "top-neg", beside: "spans" },
  nrces: { method: "nrces", beside: "spans" },
  scl: { method: "scl", beside: "spans" },
  biaffine: { method: "biaffine", beside: "spans" },
  autoner: { method: "autoner", beside: "spans" },
  mrc: { method: "mrc", beside: "spans", more: { head: { query: "vector" } } },
  "mrc-read": { method: "mrc", beside: "spans", more: { head: { query: "read" } } },
  "partial-crf": { method: "partial-crf", beside: "tags", more: { head: { unknown: "any", prior: 0.1 } } },
  "weighted-partial-crf": { method: "weighted-partial-crf", beside: "tags", taught: 9 },
  bnpu: { method: "bnpu", beside: "types", more: { objective: { name: "bnpu", priors } } },
  "conf-mpu": { method: "conf-mpu", beside: "types", more: { objective: { name: "conf-mpu", priors } }, taught: 5 },
};

/** The cost of training on a token with each method beside that of plain cross-entropy, in one run. */
export const methods: Bench = {
  prefix: "method",
  async run(report) {
    const sentences = await sampleSentences();
    const plain = new Map<string, number>();
    for (const [name, { method, beside, more, taught }] of Object.entries(measured)) {
      if (!report.wants(`method.${name}-step`)) continue;
      const head = heads[beside];
      if (!plain.has(beside)) plain.set(beside, await perToken(sentences, "ce", { head }));
      const adjustments = taught === undefined ? [] : teaching(sentences, taught);
      const seconds = await perToken(sentences, method, more ?? {}, adjustments);
      report.figure(`method.${name}-step`, seconds / plain.get(beside)!, `× the ce step with ${beside}`);
    }
  },
};

async function perToken(
  sentences: readonly Sentence[],
  method: string,
  more: SettingsInput,
  adjustments: readonly Adjustment[] = [],
): Promise<number> {
  const session = await sessionOf("bilstm", sentences, method, more, { adjustments });
  const { tokens } = await steps(session);
  const seconds = await bestSeconds(5, () => steps(session).then(() => {}));
  await closeSession(session);
  return seconds / tokens;
}

/** What a teacher that is hardly sure says of every token. */
function teaching(sentences: readonly Sentence[], labels: number): Adjustment[] {
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
