import type { SettingsInput } from "../src/training/index.ts";
import { closeSession } from "../src/training/session.ts";
import { type Bench, bestSeconds } from "./harness.ts";
import { sampleSentences, sessionOf, steps } from "./pipeline.ts";

/** Methods by the name of their figure. Reading queries costs as many steps as there are types, vectors about one. */
const measured: Readonly<Record<string, { readonly method: string; readonly more?: SettingsInput }>> = {
  "top-neg": { method: "top-neg" },
  nrces: { method: "nrces" },
  scl: { method: "scl" },
  biaffine: { method: "biaffine" },
  autoner: { method: "autoner" },
  mrc: { method: "mrc", more: { head: { query: "vector" } } },
  "mrc-read": { method: "mrc", more: { head: { query: "read" } } },
};

/** The cost of training on a token with each method beside that of plain cross-entropy, in one run. */
export const methods: Bench = {
  prefix: "method",
  async run(report) {
    const wanted = Object.keys(measured).filter((name) => report.wants(`method.${name}-step`));
    const sentences = await sampleSentences();
    const perToken = async (method: string, more?: SettingsInput): Promise<number> => {
      const session = await sessionOf("bilstm", sentences, method, more);
      const { tokens } = await steps(session);
      const seconds = await bestSeconds(5, () => steps(session).then(() => {}));
      await closeSession(session);
      return seconds / tokens;
    };
    const plain = await perToken("ce");
    for (const name of wanted) {
      const { method, more } = measured[name]!;
      report.figure(`method.${name}-step`, (await perToken(method, more)) / plain, "× the ce step");
    }
  },
};
