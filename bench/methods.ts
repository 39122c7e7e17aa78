import type { Adjustment } from "../src/heads/index.ts";
import { type Sentence, tokenCount } from "../src/text/index.ts";
import { closeSession } from "../src/training/session.ts";
import { type Bench, bestSeconds } from "./harness.ts";
import { sampleSentences, sessionOf, steps } from "./pipeline.ts";

const heads = {
  span: { name: "span" },
  tags: { name: "token", output: "crf" },
  types: { name: "token", scheme: "io", output: "softmax" },
};
const priors = { LOC: 0.02, ORG: 0.02, PER: 0.02, PROD: 0.02 };

/** Each method with its head, what else its step needs, and how many labels a teacher speaks of where it has one. */
const measured = {
  "top-neg": { head: "span" },
  nrces: { head: "span" },
  scl: { head: "span" },
  "partial-crf": { head: "tags", settings: { head: { ...heads.tags, unknown: "any", prior: 0.1 } } },
  "weighted-partial-crf": { head: "tags", taught: 9 },
  bnpu: { head: "types", settings: { objective: { name: "bnpu", priors } } },
  "conf-mpu": { head: "types", settings: { objective: { name: "conf-mpu", priors } }, taught: 5 },
} as const satisfies Readonly<Record<string, { head: keyof typeof heads; settings?: object; taught?: number }>>;

/** The cost of a training step of each method beside that of plain cross-entropy with the same head, in one run. */
export const methods: Bench = {
  prefix: "method",
  async run(report) {
    const sentences = await sampleSentences();
    const plain = new Map<string, number>();
    for (const [method, given] of Object.entries(measured)) {
      if (!report.wants(`method.${method}-step`)) continue;
      const head = heads[given.head];
      if (!plain.has(given.head)) plain.set(given.head, await secondsOf(sentences, "ce", { head }));
      const settings = { head, ...("settings" in given && given.settings) };
      const adjustments = "taught" in given ? taught(sentences, given.taught) : [];
      const seconds = await secondsOf(sentences, method, settings, adjustments);
      report.figure(`method.${method}-step`, seconds / plain.get(given.head)!, `× the ce step with ${given.head}`);
    }
  },
};

async function secondsOf(
  sentences: readonly Sentence[],
  method: string,
  settings: object,
  adjustments: readonly Adjustment[] = [],
): Promise<number> {
  const session = await sessionOf("bilstm", sentences, method, { ...settings }, { adjustments });
  const seconds = await bestSeconds(5, () => steps(session).then(() => {}));
  await closeSession(session);
  return seconds;
}

/** What a teacher that is hardly sure says of every token. */
function taught(sentences: readonly Sentence[], labels: number): Adjustment[] {
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
