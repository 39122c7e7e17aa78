import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { reviewApp } from "../../src/review/app.ts";
import { openReview, parseDecisions, readAudit, session, sessionCalls } from "../../src/review/index.ts";
import { tokenise } from "../../src/text/tokenise.ts";
import { InputError } from "../../src/util/errors.ts";
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

const tab = { client: "tab", filter: {} };
/** Each call of the page as it is meant. */
const calls = [
  { call: "start", body: { client: "tab" } },
  { call: "queue", body: { filter: { kind: "missing", search: "an" }, from: 0, count: 20 } },
  { call: "card", body: { item: 2, filter: {} } },
  { call: "step", body: { item: 1, filter: { status: "open" }, direction: 1, openOnly: true } },
  { call: "summary", body: { client: "tab" } },
  { call: "decide", body: { ...tab, item: 1, version: 0, verdict: "accept", type: "LOC", start: 0, end: 7 } },
  { call: "decide", body: { ...tab, item: 2, version: 0, verdict: "reject", group: true } },
  { call: "undo", body: tab },
  { call: "redo", body: tab },
  { call: "write", body: { finish: true } },
];
const token = "token";
const page = { script: "", style: "" };

/** What a review answers to a call that somebody sends it, after a decision that can be undone. */
async function answerTo(input: Buffer, scratch: string): Promise<Response> {
  const review = await reviewOf(lines(audit), scratch);
  const parts = { data: "data.jsonl", audit: "audit.jsonl", entries: [], now: () => signed.time, save: async () => {} };
  const open = session({ ...review, ...parts });
  await open.decide({ ...tab, item: 2, version: 0, verdict: "unsure" });
  const app = reviewApp(
    sessionCalls(open, async () => ({ file: "out.jsonl" })),
    page,
    token,
  );
  const { call, body } = callOf(input);
  return app.fetch(
    new Request(`http://127.0.0.1/${token}/call/${call}`, {
      method: "POST",
      headers: { Host: "127.0.0.1", "Content-Type": "application/json" },
      body,
    }),
  );
}

/** The call that an input names, with its body; an input that names none is a body itself. */
function callOf(input: Buffer): { readonly call: string; readonly body: Uint8Array<ArrayBuffer> | string } {
  try {
    const { call, body } = JSON.parse(input.toString("utf8"));
    if (typeof call === "string") return { call: encodeURIComponent(call), body: JSON.stringify(body) ?? "" };
  } catch {
    // Sent as it is.
  }
  return { call: "decide", body: new Uint8Array(input) };
}

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
  {
    name: "review",
    shape: "json",
    weight: 0.5,
    seeds: async () => calls.map((each) => Buffer.from(JSON.stringify(each))),
    async run(input, scratch) {
      const response = await answerTo(input, scratch);
      const answer = await response.text();
      ensure(response.status < 500, `review: status ${response.status}: ${answer.slice(0, 200)}`);
      ensure(!/node_modules|\/tmp\/|\.[jt]s:\d| at .*\(/.test(answer), "review: an answer that speaks of the machine");
      if (response.status < 400) return;
      throw new InputError(response.status === 404 ? "not found" : JSON.parse(answer).error);
    },
  },
];
