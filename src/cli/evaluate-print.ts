import type {
  Comparison,
  EntityError,
  GoldReport,
  Interval,
  Judgement,
  Mention,
  Report,
  Score,
} from "../evaluation/index.ts";
import { grouped } from "./progress.ts";
import { table } from "./table.ts";
import { wrapped } from "./terminal.ts";
import { plural } from "./watch.ts";

/** What unlabelled text in the gold was taken to mean. */
export interface GoldSilence {
  /** `declared`: the file itself says which parts are complete. */
  readonly silence: "declared" | "negative" | "unknown";
  /** Nobody said so: neither the file nor the user. */
  readonly silenceAssumed: boolean;
}

/** All that `lacuna evaluate` knows; printed as it is with `--json`. */
export interface Evaluation extends Report {
  readonly gold: GoldReport & GoldSilence;
  readonly interval?: Interval;
  /** The difference is that of the predictions minus those of the other file. */
  readonly versus?: Comparison;
  readonly errors?: readonly EntityError[];
}

export function describeEvaluation(evaluation: Evaluation): string {
  const { gold, interval, versus, errors } = evaluation;
  const parts = [scoreTable(evaluation), wrapped(describeGold(gold))];
  if (interval) parts.push(`F1 ${percent(interval.f1)} %, 95 % interval ${range(interval)}`);
  if (versus) parts.push(wrapped(describeComparison(versus)));
  if (errors) parts.push(describeErrors(errors));
  return parts.join("\n\n");
}

/** `81.25`: a fraction of 1 as a percentage, as the papers print it. */
export function percent(share: number): string {
  return (100 * share).toFixed(2);
}

function scoreTable({ byType, macro, relaxed, ...micro }: Report): string {
  const row = (name: string, score: Omit<Score, "support">, support = ""): string[] => [
    name,
    percent(score.precision),
    percent(score.recall),
    percent(score.f1),
    support,
  ];
  const scored = (name: string, score: Score): string[] => row(name, score, String(score.support));
  const space = ["", "", "", "", ""];
  return table([
    ["%", "precision", "recall", "F1", "support"],
    ...Object.entries(byType).map(([name, score]) => scored(name, score)),
    space,
    scored("micro", micro),
    row("macro", macro),
    space,
    scored("boundaries, type ignored", relaxed.boundaries),
    scored("same, half a point for overlap", relaxed.partial),
    scored("type, any overlap", relaxed.type),
  ]);
}

function describeGold(gold: Evaluation["gold"]): string {
  if (!gold.complete) return describeIncomplete(gold);
  if (gold.silence === "declared") return "Gold: complete, as the file declares.";
  if (!gold.silenceAssumed) return "Gold: read as complete (--silence negative).";
  return (
    "Gold: read as complete, because its format cannot say what unlabelled text means. " +
    "If annotations may be missing, use --silence unknown."
  );
}

function describeIncomplete({ sentences, completeSentences, predictions, precision }: Evaluation["gold"]): string {
  const decided = plural(predictions.correct + predictions.negative + predictions.conflicting, "prediction");
  const count = (judgement: Judgement): string => grouped(predictions[judgement]);
  return [
    `Gold: incomplete, ${grouped(completeSentences)} of ${plural(sentences, "sentence")} complete. Recall is that of annotated entities; ` +
      "the precision above counts predictions of which nothing is known as wrong.",
    `Predictions: ${count("correct")} correct, ${count("negative")} on known negatives, ${count("conflicting")} in conflict with annotations, ` +
      `${count("unsure")} on undecided spans, ${count("unknown")} on unknown spans.`,
    `Precision: at least ${percent(precision.lowest)} %, at most ${percent(precision.highest)} %, ` +
      `${percent(precision.decided)} % over the ${decided} that can be decided.`,
  ].join("\n");
}

function describeComparison({ first, second, difference, p }: Comparison): string {
  const sign = difference.f1 < 0 ? "" : "+";
  return (
    `F1 ${percent(second.f1)} % (${range(second)}) versus ${percent(first.f1)} % (${range(first)}): ` +
    `difference ${sign}${percent(difference.f1)}, 95 % interval ${range(difference)}, p = ${p.toPrecision(2)} (paired bootstrap)`
  );
}

function range({ low, high }: { readonly low: number; readonly high: number }): string {
  return `${percent(low)} to ${percent(high)}`;
}

const hanging = { indent: "  " };

function describeErrors(errors: readonly EntityError[]): string {
  return [plural(errors.length, "error"), ...errors.map((error) => wrapped(describeError(error), hanging))].join("\n");
}

/** `wrong-type  document 1 ("d1"), sentence 2, token 3: PER "Paris" → LOC "Paris"`, counted from one as people do. */
function describeError({ kind, document, sentence, id, gold, predicted }: EntityError): string {
  const name = id === undefined ? "" : ` (${JSON.stringify(id)})`;
  const first = (gold ?? predicted)!.start + 1;
  const mentions = [gold, predicted].filter((mention) => mention !== undefined).map(describeMention);
  return `${kind}  document ${document + 1}${name}, sentence ${sentence + 1}, token ${first}: ${mentions.join(" → ")}`;
}

function describeMention({ type, surface }: Mention): string {
  return `${type} ${JSON.stringify(surface)}`;
}
