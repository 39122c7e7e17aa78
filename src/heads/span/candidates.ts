import type { Candidate, ItemScores } from "../head.ts";

/** The spans whose best label is a type. */
export function spanCandidates(scores: ItemScores): Candidate[] {
  const { items, logits } = scores;
  const [starts, ends] = [items.starts(), items.ends()];
  const labels = logits.length / items.size;
  const result: Candidate[] = [];
  for (let span = 0; span < items.size; span++) {
    const label = bestLabel(logits, span * labels, labels);
    if (label === 0) continue;
    result.push({ start: starts[span]!, end: ends[span]!, label, score: scores.logProbs[span * labels + label]! });
  }
  return result;
}

function bestLabel(scores: Float32Array, from: number, labels: number): number {
  let best = 0;
  for (let label = 1; label < labels; label++) if (scores[from + label]! > scores[from + best]!) best = label;
  return best;
}
