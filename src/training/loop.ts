import { anneal } from "./annealing.ts";
import { epochBatches } from "./batches.ts";
import { decide } from "./decision.ts";
import { type EvaluationRecord, emptyTally, isOver, type Progress } from "./progress.ts";
import { schedules } from "./schedule.ts";
import type { Session } from "./session.ts";

export interface StepRecord {
  readonly kind: "step";
  readonly epoch: number;
  readonly batch: number;
  readonly batches: number;
  readonly loss: number;
  readonly norm: number;
  readonly tokens: number;
}

export type TrainingRecord = StepRecord | EvaluationRecord;

/**
 * The training loop. Yields a record after each step and each evaluation and does nothing else: saving, logging and
 * stopping are the caller's. `progress` is up to date at every yield, so the caller may keep it and go on later.
 */
export async function* trainingLoop(
  session: Session,
  progress: Progress,
  { evaluateFirst = false }: { readonly evaluateFirst?: boolean } = {},
): AsyncGenerator<TrainingRecord> {
  const { settings, task, learner } = session;
  if (evaluateFirst) yield await evaluation(session, progress, 1);
  const schedule = schedules[settings.schedule]({ warmup: settings.warmup });
  while (!progress.finished && progress.epoch < settings.epochs) {
    const { epoch } = progress;
    const batches = epochBatches(task.sizes, { tokens: settings.batchTokens, seed: settings.seed, epoch });
    const marks = evaluationMarks(batches.length, settings.evaluations);
    for (const [number, members] of batches.entries()) {
      if (number < progress.batch) continue;
      const { batch, counts: countUp } = task.batch(members, { seed: settings.seed, epoch });
      const done = (epoch + number / batches.length) / settings.epochs;
      const { loss, norm, outputs } = await learner.step(
        batch,
        progress.annealing.scale * schedule(done + 1 / (2 * batches.length * settings.epochs)),
      );
      const counts = countUp(outputs);
      progress.batch = number + 1;
      progress.tally.loss += loss;
      progress.tally.batches++;
      progress.tally.negatives += counts.negatives;
      progress.tally.missampled += counts.missampled;
      yield { kind: "step", epoch, batch: number + 1, batches: batches.length, loss, norm, tokens: counts.tokens };
      if (marks.has(number + 1)) yield await evaluation(session, progress, batches.length);
      if (progress.finished) return;
    }
  }
}

async function evaluation(session: Session, progress: Progress, batches: number): Promise<EvaluationRecord> {
  const { settings, predictor, dev, task, shiftWithoutDev } = session;
  const { tally } = progress;
  const { dev: report, shift, unshifted } = await decide(predictor, dev, settings, shiftWithoutDev);
  const epoch = progress.epoch + progress.batch / batches;
  const isBetter = report === null || progress.best === null || report.f1 > progress.best.f1;
  const improved = isBetter || settings.keep === "last";
  if (improved) progress.best = { f1: report?.f1 ?? 0, epoch };
  progress.stale = improved ? 0 : progress.stale + 1;
  progress.annealing = anneal(progress.annealing, improved, settings.annealing);
  progress.tally = emptyTally();
  if (progress.batch === batches) {
    progress.epoch++;
    progress.batch = 0;
  }
  progress.finished = isOver(progress, settings);
  const record: EvaluationRecord = {
    kind: "evaluation",
    epoch,
    loss: tally.loss / Math.max(1, tally.batches),
    dev: report,
    ...(shift !== undefined && { shift }),
    ...(unshifted !== undefined && { unshifted }),
    improved,
    negatives: tally.negatives,
    ...(task.knowsHidden && { missampling: tally.negatives === 0 ? 0 : tally.missampled / tally.negatives }),
  };
  progress.history.push(record);
  return record;
}

/** After which batches of an epoch dev is looked at. */
function evaluationMarks(batches: number, evaluations: number): Set<number> {
  const marks = Array.from({ length: evaluations }, (_, i) => Math.round((batches * (i + 1)) / evaluations));
  return new Set(marks.filter((mark) => mark > 0));
}
