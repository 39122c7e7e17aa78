import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  type Item,
  openDecisions,
  openReview,
  pageFiles,
  type Review,
  type Session,
  serveReview,
  session,
  sessionCalls,
} from "../../src/review/index.ts";
import { auditOf } from "../../src/review/review.suite.ts";
import type { Document } from "../../src/text/index.ts";

export interface ReviewServer {
  readonly address: string;
  readonly folder: string;
  readonly review: Review;
  readonly session: Session;
  /** The documents as the decisions leave them now. */
  documents(): Document[];
}

/** A review as the command serves it, with its decisions in a file; gone after the test. */
export async function serveTestReview(documents: readonly Document[], items: readonly Item[]): Promise<ReviewServer> {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-review-"));
  const review = await openReview(documents, auditOf(items));
  const file = await openDecisions(join(folder, "decisions.jsonl"), review.header);
  const open = session({
    ...review,
    ...{ data: "data.jsonl", audit: "audit.jsonl", entries: file.entries, now: () => new Date().toISOString() },
    save: file.append,
  });
  const calls = sessionCalls(open, async () => ({ file: "out.jsonl" }));
  const served = await serveReview(calls, await pageFiles(), 0);
  onTestFinished(async () => {
    await served.close();
    await file.close();
    rmSync(folder, { recursive: true });
  });
  return {
    address: served.address,
    folder,
    review,
    session: open,
    documents: () => [...review.reviewed(open.history)],
  };
}
