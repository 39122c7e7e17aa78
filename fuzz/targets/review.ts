import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openReview, parseDecisions, readAudit } from "../../src/review/index.ts";
import { tokenise } from "../../src/text/tokenise.ts";
import { ensure, type Target } from "../target.ts";

const text = "Ana met Bo in Porto. 東京 😀 Ana left.";
const documents = [tokenise(text, { entities: [{ start: 14, end: 19, type: "PER" }] })];
const place = { score: 0.9, document: 1, reasons: ["why"], group: "g" };
const audit = [
  { ...place, kind: "missing", start: 0, end: 3, text: "Ana", type: "PER", given: null },
  {
    ...place,
    kind: "type",
    start: 14,
    end: 19,
    text: "Porto",
    type: "LOC",
    given: { start: 14, end: 19, type: "PER" },
  },
];
const lines = (values: readonly object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join("");

async function reviewOf(content: Buffer | string, scratch: string) {
  const path = join(scratch, "audit.jsonl");
  writeFileSync(path, content);
  return openReview(documents, await readAudit(path));
}

const signed = { time: "2026-01-01T00:00:00.000Z", client: "tab" };
const entries = [
  { sequence: 1, ...signed, verdict: "accept", items: [1, 2] },
  { sequence: 2, ...signed, verdict: "accept", items: [1], type: "LOC", start: 0, end: 7 },
  { sequence: 3, ...signed, undo: 2 },
  { sequence: 4, ...signed, redo: 2 },
];

export const reviewTargets: readonly Target[] = [
  {
    name: "audit",
    shape: "json-lines",
    seeds: async () => [Buffer.from(lines(audit))],
    async run(input, scratch) {
      const review = await reviewOf(input, scratch);
      for (const [i, item] of review.items.entries()) {
        const { offset, text: shown } = review.passageOf(i + 1);
        ensure(
          shown.slice(item.start - offset, item.end - offset) === item.text,
          "audit: a passage shows its suspicion",
        );
      }
    },
  },
  {
    name: "decisions",
    shape: "json-lines",
    async seeds(scratch) {
      const { header } = await reviewOf(lines(audit), scratch);
      return [Buffer.from(lines([header, ...entries]))];
    },
    async run(input, scratch) {
      const review = await reviewOf(lines(audit), scratch);
      const history = review.historyOf(parseDecisions(input.toString("utf8"), "decisions"), "decisions");
      for (const document of review.reviewed(history)) ensure(document.text === text, "decisions: the text stays");
    },
  },
];
