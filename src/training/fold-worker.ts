/** The process of one fold. */
import { serveParent } from "../util/child-process.ts";
import type { FoldOrders } from "./cross-fit.ts";
import { runFold } from "./run-fold.ts";
import type { StageRecord } from "./train-stage.ts";

serveParent<FoldOrders, StageRecord, null>(async (orders, tell, signal) => {
  await runFold(orders, (record) => void tell(record), signal);
  return null;
});
