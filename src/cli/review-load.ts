import { basename } from "node:path";
import type { Silence } from "../formats/index.ts";
import { openReview, type Review, readAudit } from "../review/index.ts";
import type { Document } from "../text/index.ts";
import { noticeCollector } from "./notices.ts";
import { progress } from "./progress.ts";
import { openDocuments, type ReadingFlags, readingFlags } from "./reading.ts";
import { watch } from "./watch.ts";

export interface ReviewFlags extends ReadingFlags {
  readonly data: readonly string[];
  readonly audit: string;
  readonly out?: string;
  readonly html?: string;
  readonly decisions?: string;
  readonly port: number;
  readonly open: boolean;
  readonly from?: string;
  readonly silence?: Silence;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Reads the data and their audit, which must fit together. */
export async function loadReview(flags: ReviewFlags, signal: AbortSignal): Promise<Review> {
  const notices = noticeCollector();
  const documents: Document[] = [];
  for (const path of flags.data) {
    const reading = { ...readingFlags({ ...flags, ...notices }), format: flags.from, silence: flags.silence };
    const source = await openDocuments(path, reading);
    const watched = watch(source.documents, progress("reading", { unit: "documents", quiet: flags.quiet }), signal);
    for await (const document of watched.documents) documents.push(document);
    notices.tell(path, flags.quiet);
  }
  return openReview(documents, await readAudit(flags.audit));
}

/** The names of the files, for a title: not where they are. */
export function namesOf({ data, audit }: ReviewFlags): { readonly data: string; readonly audit: string } {
  return { data: data.map((path) => basename(path)).join(", "), audit: basename(audit) };
}
