import { type Audit, auditLines, taskDocuments } from "../audit/index.ts";
import { writeDocuments, writeFileAtomically, writeStream } from "../formats/index.ts";
import { auditFigure, writeFigure } from "../report/index.ts";
import type { Document } from "../text/index.ts";
import { isStandardOutput } from "../util/output-target.ts";
import { describeLosses, note } from "./output.ts";

export const taskFormats = ["label-studio", "prodigy"] as const;
export type TaskFormat = (typeof taskFormats)[number];

/** Where the parts of an audit go. */
export interface AuditOutputs {
  readonly out: string;
  readonly tasks?: string;
  readonly to?: TaskFormat;
  readonly figure?: string;
  readonly quiet?: boolean;
}

/** Writes the suspicions, and tasks and a figure where they are asked for; each as a whole or not at all. */
export async function writeAudit(result: Audit, documents: readonly Document[], flags: AuditOutputs): Promise<void> {
  const { out, tasks, to = "label-studio", figure, quiet } = flags;
  if (tasks !== undefined) {
    const wanted = taskDocuments(documents, result.suspicions, { keepGiven: to === "label-studio" });
    // A task that nobody went through has no answer yet.
    const silence = to === "prodigy" ? "negative" : "unknown";
    const losses = await writeDocuments(tasks, wanted, { format: to, onLoss: "list", silence });
    if (!quiet) for (const line of describeLosses(losses, tasks)) note(line);
  }
  const figures = figure === undefined ? [] : await writeFigure(figure, auditFigure(result.review));
  if (isStandardOutput(out)) await writeStream(process.stdout, asynchronous(auditLines(result.suspicions)));
  else await writeFileAtomically(out, asynchronous(auditLines(result.suspicions)));
  if (!quiet) for (const file of [...(tasks === undefined ? [] : [tasks]), ...figures]) note(`${file}: written`);
}

async function* asynchronous<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}
