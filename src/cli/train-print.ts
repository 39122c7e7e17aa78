import type { FeatureProgress } from "../encoders/index.ts";
import { shiftText } from "../inference/index.ts";
import type { EvaluationRecord, Preparation, RunRecord } from "../training/index.ts";
import { percent } from "./evaluate-print.ts";
import { note, warn } from "./output.ts";
import { grouped, type Progress, progress } from "./progress.ts";
import { describeSearch } from "./search-print.ts";
import { plural } from "./watch.ts";

/** What a training run does, told to the person who waits for it; keeps what matters at the end. */
export interface TrainingWatch {
  see(record: RunRecord): void;
  finish(): void;
  preparation(): Preparation | undefined;
  /** The evaluation whose state was kept, with the scores that it has in the end. */
  best(): EvaluationRecord | undefined;
}

export interface WatchOptions {
  readonly label: string;
  /** Epochs at most. */
  readonly epochs: number;
  /** What else to say when the run starts. */
  readonly notes?: (start: Extract<RunRecord, { kind: "start" }>) => readonly string[];
  readonly quiet?: boolean | undefined;
  /** A line for each evaluation, beside the progress. */
  readonly lines?: boolean;
}

export function watchTraining({ label, epochs: all, notes, quiet, lines = true }: WatchOptions): TrainingWatch {
  let bar: Progress | undefined;
  let epochs = all;
  let preparation: Preparation | undefined;
  let best: EvaluationRecord | undefined;
  let lastF1 = "";
  const say = (text: readonly string[]): void => {
    bar?.finish();
    if (quiet || !lines) return;
    for (const line of text) {
      const [, warning] = /^warning: (.*)$/s.exec(line) ?? [];
      if (warning === undefined) note(line);
      else warn(warning);
    }
  };
  return {
    see(record) {
      if (record.kind === "start") {
        preparation = record.preparation;
        say([...describePreparation(record.preparation), ...(notes?.(record) ?? [])]);
      } else if (record.kind === "evaluation") {
        if (record.improved && record.stage === undefined) best = record;
        if (record.dev) lastF1 = `  dev F1 ${percent(record.dev.f1)} %`;
        say([describeEvaluation(record)]);
      } else if (record.kind === "stage") {
        bar?.finish();
        bar = undefined;
        epochs = record.epochs;
      } else if (record.kind === "prepared") {
        say([record.files.length === 0 ? record.summary : `${record.summary} (listed in ${record.files.join(", ")})`]);
      } else if (record.kind === "proposal" || record.kind === "trial" || record.kind === "choice") {
        bar?.finish();
        bar = undefined;
        say(describeSearch(record));
      } else if (record.kind === "retrieval") {
        if (best) best = { ...best, dev: record.dev };
        const score = record.dev ? `: dev F1 ${percent(record.dev.f1)} %` : "";
        say([`retrieval with weight ${record.alpha}${score}`]);
      } else {
        const { epoch, batch, batches, loss } = record;
        const done = epoch * batches + batch;
        bar ??= progress(label, { unit: "steps", total: epochs * batches, before: done - 1, quiet });
        bar.update(done, `loss ${loss.toFixed(4)}${lastF1}`);
      }
    },
    finish: () => bar?.finish(),
    preparation: () => preparation,
    best: () => best,
  };
}

/** Shows how far the computation of frozen parts is, with a bar for each. */
export function watchFeatures(quiet: boolean | undefined): (progress: FeatureProgress) => void {
  let bar: { readonly part: string; readonly progress: Progress } | undefined;
  return ({ part, done, total }) => {
    if (bar?.part !== part) {
      bar?.progress.finish();
      bar = { part, progress: progress(`vectors of ${part}`, { unit: "tokens", total, quiet }) };
    }
    bar.progress.update(done);
    if (done < total) return;
    bar.progress.finish();
    bar = undefined;
  };
}

function describePreparation(preparation: Preparation): string[] {
  const { sentences, entities, types, leftOut, unseenTypes } = preparation;
  const lines = [
    `${plural(sentences, "sentence")}, ${plural(entities, "labelled entity", "labelled entities")}, types ${types.join(", ")}`,
  ];
  lines.push(describeItems(preparation.items));
  for (const { count, reason } of leftOut) lines.push(`${plural(count, "entity is", "entities are")} ${reason}`);
  if (unseenTypes.length > 0)
    lines.push(`the dev set has types that the training data lack, never to be found: ${unseenTypes.join(", ")}`);
  return lines;
}

/** `spans or tokens: 90 labelled, 12 known to be no entity, 3 of some types only, 800 of which nothing is said`. */
function describeItems({ entity, outside, restricted, unknown, excluded }: Preparation["items"]): string {
  const parts = [
    `${grouped(entity)} labelled`,
    `${grouped(outside)} known to be no entity`,
    ...(restricted > 0 ? [`${grouped(restricted)} known not to be of some types`] : []),
    `${grouped(unknown)} of which nothing is said`,
    ...(excluded > 0 ? [`${grouped(excluded)} left out`] : []),
  ];
  const all = plural(entity + outside + restricted + unknown + excluded, "span or token", "spans or tokens");
  return `what the annotation says of ${all}: ${parts.join(", ")}`;
}

function describeEvaluation(record: EvaluationRecord): string {
  const { stage, dev, shift, improved, missampling } = record;
  const parts = describeProgress(record).map((part, i) =>
    i === 0 && stage !== undefined ? `${stage}: ${part}` : part,
  );
  if (dev)
    parts.push(
      `dev P ${percent(dev.precision)} R ${percent(dev.recall)} F1 ${percent(dev.f1)} %${improved ? " (best so far)" : ""}`,
    );
  if (shift !== undefined) parts.push(`shift ${shiftText(shift)}`);
  if (missampling !== undefined) parts.push(`missampling ${(100 * missampling).toFixed(3)} %`);
  return parts.join(", ");
}

function describeProgress({ untrained, epoch, loss }: EvaluationRecord): string[] {
  if (untrained) return ["made without training"];
  // A stage that goes on with another's model looks at it first.
  return epoch === 0 ? ["before the first epoch"] : [`epoch ${roundedEpoch(epoch)}`, `loss ${loss.toFixed(4)}`];
}

/** `3`, `2.33`: evaluations may stand within an epoch. */
export function roundedEpoch(epoch: number): string {
  return String(Math.round(100 * epoch) / 100);
}
