/** The process of one fold. */
import { serveParent } from "../util/child-process.ts";
import { type FoldOrders, fitFold } from "./cross-fit.ts";
import { readSentences } from "./data.ts";
import type { StageRecord } from "./train-stage.ts";

serveParent<FoldOrders, StageRecord, null>(
  async ({ data, dev, fold, folds, trained, adjustments, settings, directory }, tell, signal) => {
    await fitFold(await readSentences([data], { format: "lacuna" }), settings, {
      trained,
      adjustments,
      dev: await readSentences([dev], { format: "lacuna" }),
      directory,
      fold,
      folds,
      signal,
      tell: (record) => {
        if (record.kind !== "step") void tell(record);
      },
    });
    return null;
  },
);
