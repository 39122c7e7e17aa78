import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";
import {
  type AuditFile,
  openDecisions,
  openReview,
  type Served,
  serveReview,
  session,
  sessionCalls,
} from "../src/review/index.ts";
import { tokenise } from "../src/text/index.ts";
import { computed } from "../test/support/page-work.ts";
import type { Bench } from "./harness.ts";

const [few, many] = [1000, 100_000];
const decisions = 40;

/** The page in a browser, as its user sees it: until the first suspicion is painted, and from a key to the next one. */
export const review: Bench = {
  prefix: "review",
  async run(report) {
    const folder = await mkdtemp(join(tmpdir(), "lacuna-bench-"));
    const browser = await playwright.launch({
      executablePath: await chromium.executablePath(),
      args: ["--no-sandbox", "--disable-gpu"],
    });
    try {
      report.progress(`a review of ${few} suspicions`);
      const small = await measured(browser, few, join(folder, "few"));
      report.progress(`a review of ${many} suspicions`);
      const large = await measured(browser, many, join(folder, "many"));
      report.figure("review.first-paint", large.firstPaint, "ms");
      report.figure("review.decision", large.decision, "ms");
      report.figure("review.decision-work", large.work, "ms");
      report.figure("review.first-paint-growth", large.firstPaint / small.firstPaint, `x ${few}`);
      report.figure("review.decision-growth", large.decision / small.decision, `x ${few}`);
    } finally {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

interface Measured {
  /** Milliseconds, the median. */
  readonly firstPaint: number;
  readonly decision: number;
  /** What page and command compute for a decision, in the mean: also a busy machine leaves that alone. */
  readonly work: number;
}

async function measured(browser: Browser, count: number, path: string): Promise<Measured> {
  const { served, close } = await serve(count, path);
  try {
    const paints: number[] = [];
    const page = await browser.newPage();
    for (let i = 0; i < 5; i++) {
      await page.goto(served.address);
      paints.push((await page.evaluate(painted)) as number);
    }
    const before = await computed(page);
    const times = (await page.evaluate(decided)) as number[];
    const work = ((await computed(page)) - before) / decisions;
    await page.close();
    return { firstPaint: median(paints), decision: median(times), work };
  } finally {
    await close();
  }
}

/** Runs in the page: milliseconds from its beginning until the question is painted. */
const painted = `new Promise((resolve) => {
  const look = () => {
    if (document.querySelector("#question")) requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    else requestAnimationFrame(look);
  };
  look();
})`;

/** Runs in the page: milliseconds from each key until the next suspicion is painted. */
const decided = `(async () => {
  const times = [];
  for (let i = 0; i < ${decisions}; i++) {
    const before = document.querySelector("#question").textContent;
    const start = performance.now();
    dispatchEvent(new KeyboardEvent("keydown", { key: i % 3 === 0 ? "r" : "a" }));
    await new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        if (document.querySelector("#question")?.textContent === before) return;
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(resolve));
      });
      observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    times.push(performance.now() - start);
  }
  return times;
})()`;

async function serve(count: number, path: string): Promise<{ readonly served: Served; close(): Promise<void> }> {
  const documents = Array.from({ length: count }, (_, i) =>
    tokenise(`In May Ana${i} left Porto for a walk by the river.`),
  );
  const suspicions = documents.map((_, i) => ({
    ...{ kind: "missing" as const, score: 1 - i / count, document: i + 1, start: 7, end: 10 + String(i).length },
    ...{ text: `Ana${i}`, type: "PER", given: null, reasons: ["It looks like a name."], group: `Ana${i % 5000}` },
  }));
  const audit: AuditFile = { path: "audit", suspicions, lines: suspicions.map((_, i) => i + 1), sha256: "" };
  const opened = await openReview(documents, audit);
  const file = await openDecisions(path, opened.header);
  const open = session({
    ...opened,
    ...{ data: "data", audit: "audit", entries: [], save: file.append, now: () => new Date().toISOString() },
  });
  const page = {
    script: await readFile("dist/review/page/review.js", "utf8"),
    style: await readFile("dist/review/page/review.css", "utf8"),
  };
  const served = await serveReview(
    sessionCalls(open, async () => ({ file: "" })),
    page,
    0,
  );
  return {
    served,
    async close() {
      await served.close();
      await file.close();
    },
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
