/** The process of one run: gets its orders from the process of the study, tells how it goes, and ends with a result. */
import { serveParent } from "../util/child-process.ts";
import type { Measured } from "./execute.ts";
import { executeRun } from "./execute-run.ts";
import type { RunOrders, ToldRecord } from "./run-study.ts";

serveParent<RunOrders, ToldRecord, Measured>(executeRun);
