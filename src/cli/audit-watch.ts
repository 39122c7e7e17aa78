import type { AuditEvent } from "../audit/index.ts";
import { clock, grouped, progress } from "./progress.ts";
import { plural } from "./watch.ts";

/** How much an audit has to do. */
export interface AuditSize {
  readonly folds: number;
  readonly repeats: number;
  readonly epochs: number;
  readonly tokens: number;
  readonly jobs: number;
}

/** Tokens that the tagger over a BiLSTM learns in a second on one core, roughly. */
const usualSpeed = 5000;

/** What is about to be done, and how long it takes where that is known beforehand. */
export function announce(size: AuditSize, encoder: string): string {
  const { folds, repeats, epochs, jobs } = size;
  const models = folds * repeats;
  const work = `${plural(models, "model")}, each ${plural(epochs, "pass", "passes")} over ${grouped(tokensOfModel(size))} tokens`;
  if (encoder !== "bilstm") return `${work}; the progress says how long it takes`;
  const rounds = repeats * Math.ceil(folds / jobs);
  return `${work}: about ${clock((1000 * rounds * epochs * tokensOfModel(size)) / usualSpeed)} on a usual core`;
}

/** A model is trained on all parts but one. */
function tokensOfModel({ tokens, folds }: AuditSize): number {
  return Math.round((tokens * (folds - 1)) / Math.max(1, folds));
}

/** Shows how far the trainings are. */
export function watchAudit(
  size: AuditSize,
  quiet: boolean | undefined,
): { readonly see: (event: AuditEvent) => void; finish(): void } {
  const { folds, repeats, epochs } = size;
  const passes = folds * repeats * epochs;
  const each = tokensOfModel(size);
  const bar = progress("learning", { unit: "tokens", total: passes * each, quiet });
  const done = new Map<number, number>();
  return {
    see({ repeat, fold, record }) {
      if (record.kind !== "step") return;
      done.set(repeat * folds + fold, record.epoch + record.batch / record.batches);
      // A model that was there already makes no steps: what comes before the latest one is over.
      let sum = 0;
      for (let model = 0; model <= Math.max(...done.keys()); model++) sum += done.get(model) ?? epochs;
      bar.update(Math.round(sum * each), `model ${repeat * folds + fold + 1} of ${folds * repeats}`);
    },
    finish: () => bar.finish(),
  };
}
