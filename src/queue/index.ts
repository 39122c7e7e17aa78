/** The public list of the queue layer; it loads neither the training nor the packages of the queue. */
export { type QueueAddress, queueAddress, withoutPassword } from "./address.ts";
export { openClient, type QueueClient } from "./client.ts";
export { type CutOptions, cutFile, type Shard } from "./cut-file.ts";
export { doQueued, type QueuedEvent, type SetAside } from "./do-queued.ts";
export { doShare, type ShareEvent } from "./do-share.ts";
export { drainWorkers } from "./drain.ts";
export type { WorkerStatus } from "./fleet.ts";
export { JobFailure } from "./job.ts";
export { mergeShards, removeShards } from "./merge.ts";
export { hashOfModel } from "./model-hash.ts";
export { describeShard, inputFiles, makePlan, type Plan, type Share } from "./plan.ts";
export { placePlan, readPlan, type ShardRecord, shardsFolder } from "./shards-folder.ts";
export { startWorker } from "./worker.ts";
export { metricsText } from "./worker-metrics.ts";
export type { LabelSettings } from "./works/label.ts";
export { markEntities, marked } from "./works/marked-text.ts";
export { expectedLosses, type TagSettings, tagFormats } from "./works/tag-settings.ts";
export { worthLabelling } from "./works/worth-labelling.ts";
