import { type FoldOrders, fitFold } from "./cross-fit.ts";
import { readSentences } from "./data.ts";
import type { StageRecord } from "./train-stage.ts";

/** A fold whose sentences are in files: for a process of its own, here or elsewhere. */
export async function runFold(
  { data, dev, fold, folds, trained, adjustments, settings, directory }: FoldOrders,
  tell: (record: StageRecord) => void,
  signal: AbortSignal,
): Promise<void> {
  await fitFold(await readSentences([data], { format: "lacuna" }), settings, {
    trained,
    adjustments,
    dev: await readSentences([dev], { format: "lacuna" }),
    directory,
    fold,
    folds,
    signal,
    tell: (record) => {
      if (record.kind !== "step") tell(record);
    },
  });
}
