import { trialRows } from "../methods/index.ts";
import type { SearchRecord } from "../training/index.ts";
import { percent } from "./evaluate-print.ts";
import { table } from "./table.ts";

/** What a search tells, for the person who waits. */
export function describeSearch(record: SearchRecord): string[] {
  switch (record.kind) {
    case "proposal":
      return [
        record.facts,
        ...record.candidates.map(({ name, reason }) => `candidate ${name}: ${reason}`),
        ...(record.leftOut.length > 0 ? [`no time for: ${record.leftOut.join("; ")}`] : []),
        record.plan,
      ];
    case "trial": {
      const { name, epochs, f1, unshifted, failure } = record.trial;
      if (f1 === null) return [`trial of ${name}: ${failure}`];
      return [`trial of ${name}, ${epochs} epochs: dev F1 ${percent(f1)} %, without shift ${percent(unshifted!)} %`];
    }
    case "choice": {
      const { method, epochs, reason, trials } = record;
      const chosen = `chosen: ${method}, trained for at most ${epochs} epochs; ${reason}`;
      return trials.length === 0 ? [chosen] : [...table(trialRows(trials)).split("\n"), chosen];
    }
  }
}
