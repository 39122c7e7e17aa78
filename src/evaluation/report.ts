import { type GoldReport, goldTally, type JudgeOptions } from "./incomplete.ts";
import type { SentencePair } from "./pairs.ts";
import { type Scores, tally } from "./scores.ts";

/**
 * The scores of a system beside what they are worth. The scores count every prediction that is not annotated as
 * wrong, as conlleval does; `gold` says whether that was fair and what can be said where it was not.
 */
export interface Report extends Scores {
  readonly gold: GoldReport;
}

/** Adds up sentences one at a time, so that a corpus need not be held in memory. */
export interface Evaluator {
  add(pair: SentencePair): void;
  report(): Report;
}

export function evaluator(options: JudgeOptions = {}): Evaluator {
  const scores = tally();
  const gold = goldTally(options);
  return {
    add(pair) {
      scores.add(pair);
      gold.add(pair);
    },
    report: () => ({ ...scores.scores(), gold: gold.report() }),
  };
}

/** The report of a whole corpus. */
export async function evaluate(
  pairs: Iterable<SentencePair> | AsyncIterable<SentencePair>,
  options: JudgeOptions = {},
): Promise<Report> {
  const all = evaluator(options);
  for await (const pair of pairs) all.add(pair);
  return all.report();
}
