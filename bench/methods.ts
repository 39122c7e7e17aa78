import { closeSession } from "../src/training/session.ts";
import { type Bench, bestSeconds } from "./harness.ts";
import { sampleSentences, sessionOf, steps } from "./pipeline.ts";

const measured = ["top-neg", "nrces", "scl"] as const;

/** The cost of a training step of each method beside that of plain cross-entropy, in one run. */
export const methods: Bench = {
  prefix: "method",
  async run(report) {
    const wanted = measured.filter((method) => report.wants(`method.${method}-step`));
    const sentences = await sampleSentences();
    const seconds = new Map<string, number>();
    for (const method of ["ce", ...wanted]) {
      const session = await sessionOf("bilstm", sentences, method);
      seconds.set(method, await bestSeconds(5, () => steps(session).then(() => {})));
      await closeSession(session);
    }
    for (const method of wanted)
      report.figure(`method.${method}-step`, seconds.get(method)! / seconds.get("ce")!, "× the ce step");
  },
};
