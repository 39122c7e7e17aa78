/** The process of one fold. */
import { serveParent } from "../util/child-process.ts";
import { type FoldOrders, fitFold } from "./cross-fit.ts";
import { readSentences } from "./data.ts";
import type { StageRecord } from "./train-stage.ts";

serveParent<FoldOrders, StageRecord, null>(async ({ fold, folds, settings, directory, data }, tell, signal) => {
  const train = await readSentences([data]);
  await fitFold(train, settings, {
    directory,
    fold,
    folds,
    signal,
    tell: (record) => {
      if (record.kind !== "step") void tell(record);
    },
  });
  return null;
});
