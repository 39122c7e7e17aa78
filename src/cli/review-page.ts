import { writeDocuments } from "../formats/index.ts";
import {
  type History,
  openDecisions,
  pageFiles,
  type Review,
  serveReview,
  session,
  sessionCalls,
} from "../review/index.ts";
import type { CommandContext } from "./command.ts";
import { openBrowser } from "./open-browser.ts";
import { note, print } from "./output.ts";
import { namesOf, type ReviewFlags } from "./review-load.ts";

/** Serves the page until somebody ends the review there or stops the command, and gives all decisions. */
export async function reviewOnPage(
  review: Review,
  flags: ReviewFlags,
  { out, kept }: { readonly out: string; readonly kept: string },
  stop: CommandContext,
): Promise<History> {
  const page = await pageFiles();
  const file = await openDecisions(kept, review.header);
  try {
    // Checks what was decided before, so that an edited file is refused with its line.
    review.historyOf({ header: review.header, entries: file.entries, length: 0 }, kept);
    const open = session({
      items: review.items,
      types: review.types,
      ...namesOf(flags),
      entries: file.entries,
      passageOf: review.passageOf,
      save: file.append,
      now: () => new Date().toISOString(),
    });
    const finished = promise();
    const calls = sessionCalls(open, async ({ finish }) => {
      await writeDocuments(out, review.reviewed(open.history), { format: "lacuna" });
      // The answer goes out first.
      if (finish) setTimeout(finished.resolve, 100);
      return { file: out };
    });
    const served = await serveReview(calls, page, flags.port);
    // The reviewed file is written before the end.
    stop.allowTime();
    stop.signal.addEventListener("abort", finished.resolve, { once: true });
    if (stop.signal.aborted) finished.resolve();
    if (!flags.quiet) {
      note(`${kept}: every decision is kept here at once`);
      note("the page is open until you finish there or press Ctrl-C");
    }
    // Standard output belongs to the summary where that is asked for as JSON.
    if (flags.json) note(served.address);
    else print(served.address);
    if (flags.open) openBrowser(served.address);
    await finished.done;
    await served.close();
    return open.history;
  } finally {
    await file.close();
  }
}

function promise(): { readonly done: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const done = new Promise<void>((ready) => {
    resolve = ready;
  });
  return { done, resolve };
}
