import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Folder, makeFolder, outcomeOf, run, start } from "./lacuna.ts";

const text = "Ana met Bo in Porto .";
const data = `${JSON.stringify({ text, entities: [[14, 19, "PER"]] })}\n${JSON.stringify({ text: "Ana left .", entities: [] })}\n`;
const place = { score: 0.9, document: 1, reasons: ["why"] };
const suspicions = [
  { ...place, kind: "missing", start: 0, end: 3, text: "Ana", type: "PER", given: null, group: "ana" },
  { ...place, kind: "missing", document: 2, start: 0, end: 3, text: "Ana", type: "PER", given: null, group: "ana" },
  {
    ...{ ...place, kind: "type", start: 14, end: 19, text: "Porto", type: "LOC", group: "porto" },
    given: { start: 14, end: 19, type: "PER" },
  },
];
const audit = suspicions.map((each) => `${JSON.stringify(each)}\n`).join("");
const files = ["--data", "data.jsonl", "--audit", "audit.jsonl"];
const kept = "out.jsonl.decisions.jsonl";

interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly address: string;
  readonly outcome: ReturnType<typeof outcomeOf>;
  call(name: string, body: object): Promise<never>;
  decide(item: number, verdict: string, more?: object): Promise<never>;
}

async function review(folder: Folder, ...more: string[]): Promise<Running> {
  const child = start(folder, "review", ...files, "--out", "out.jsonl", "--no-open", ...more);
  onTestFinished(() => void child.kill("SIGKILL"));
  const outcome = outcomeOf(child);
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk) => resolve(String(chunk).trim()));
    outcome.then(({ stderr }) => reject(new Error(stderr)));
  });
  const call = async (name: string, body: object): Promise<never> => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${address}call/${name}`, { method: "POST", headers, body: JSON.stringify(body) });
    return (await response.json()) as never;
  };
  const decide = (item: number, verdict: string, rest: object = {}): Promise<never> =>
    call("decide", { client: "tab", item, version: 0, verdict, filter: {}, ...rest });
  return { child, address, outcome, call, decide };
}

const inputs = { "data.jsonl": data, "audit.jsonl": audit };

function entities(folder: Folder, name = "out.jsonl"): unknown[] {
  const lines = folder.read(name).trim().split("\n");
  return lines.map((line) => JSON.parse(line).sentences.map((sentence: { entities?: unknown }) => sentence.entities));
}

const byReview = { provenance: { source: "review" } };
const both = [
  [
    [
      { start: 0, end: 1, type: "PER", ...byReview },
      { start: 4, end: 5, type: "LOC", ...byReview },
    ],
  ],
  [[{ start: 0, end: 1, type: "PER", ...byReview }]],
];

describe("lacuna review", () => {
  it("keeps every decision at once, and writes the reviewed file at Ctrl-C", async () => {
    const folder = makeFolder(inputs);
    const { child, address, outcome, decide } = await review(folder);
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{24}\/$/);
    await decide(1, "accept", { group: true });
    expect(folder.read(kept).split("\n")[1]).toContain('"verdict":"accept","items":[1,2]');
    await decide(3, "accept");
    child.kill("SIGINT");
    const { code, stderr } = await outcome;
    expect(code).toBe(130);
    expect(stderr).toContain("3 of 3 suspicions decided: 3 accepted, 0 rejected, 0 unsure");
    expect(entities(folder)).toEqual(both);
    expect(folder.names()).toEqual(["audit.jsonl", "data.jsonl", "out.jsonl", kept]);
  });

  it("goes on where it was killed, and finishes with exit code 0 from the page", async () => {
    const folder = makeFolder(inputs);
    const first = await review(folder);
    await first.decide(1, "accept", { group: true });
    first.child.kill("SIGKILL");
    await first.outcome;
    const second = await review(folder, "--quiet");
    expect(await second.call("start", { client: "other" })).toMatchObject({
      summary: { accept: 2, open: 1 },
      card: { item: 3 },
    });
    await second.decide(3, "accept");
    expect(await second.call("write", { finish: true })).toEqual({ file: "out.jsonl" });
    expect(await second.outcome).toMatchObject({ code: 0, stderr: "" });
    expect(entities(folder)).toEqual(both);
  });

  it("writes on demand and goes on", async () => {
    const folder = makeFolder(inputs);
    const { decide, call } = await review(folder);
    await decide(3, "reject");
    await call("write", { finish: false });
    expect(entities(folder)[0]).toEqual([[{ start: 4, end: 5, type: "PER", ...byReview }]]);
    expect(await call("summary", { client: "tab" })).toMatchObject({ reject: 1, open: 2 });
  });

  it("refuses a second process on the same file, and files that have changed since", async () => {
    const folder = makeFolder(inputs);
    const first = await review(folder);
    await first.decide(1, "accept");
    await expect(review(folder)).rejects.toThrow(/another process works on this review \(\d+\)/);
    first.child.kill("SIGTERM");
    expect((await first.outcome).code).toBe(143);
    folder.write("data.jsonl", data.replace("Bo", "Al"));
    await expect(review(folder)).rejects.toThrow(
      `lacuna: ${kept}: these decisions were made on other files: --data changed since; give the old ones, or start anew with another --out\n`,
    );
    folder.write("data.jsonl", data);
    folder.write("audit.jsonl", audit.replace("0.9", "0.8"));
    await expect(review(folder)).rejects.toThrow("--audit changed since");
  });

  it.each([
    ["no output", [], "lacuna: review: where to write is missing (--out FILE, or --html FILE for a page)\n"],
    ["standard output", ["--out", "-"], "lacuna: review: --out must be a file: the decisions are kept beside it\n"],
    [
      "the data as output",
      ["--out", "./data.jsonl"],
      "lacuna: data.jsonl: would be overwritten; choose another --out\n",
    ],
    [
      "a port that is none",
      ["--out", "o", "--port", "70000"],
      "lacuna: option '--port <number>' argument '70000' is invalid. Expected a port from 0 to 65535.\n",
    ],
    [
      "a page and an output",
      ["--out", "o", "--html", "p"],
      "lacuna: option '--html <file>' cannot be used with option '--out <file>'\n",
    ],
  ])("refuses %s", async (_, args, message) => {
    expect(await run(makeFolder(inputs), ["review", ...files, ...args])).toEqual({
      code: 2,
      stdout: "",
      stderr: message,
    });
  });

  it("names the line of an audit that is none, or of other data", async () => {
    const folder = makeFolder({ ...inputs, "bad.jsonl": `${audit}{"kind":"maybe"}\n`, "other.conll": "Eva\tO\n" });
    const bad = await run(folder, ["review", "--data", "data.jsonl", "--audit", "bad.jsonl", "--out", "o"]);
    expect(bad.stderr).toMatch(/^lacuna: bad\.jsonl:4: not a line of an audit: "kind" .*\n$/);
    const other = await run(folder, ["review", "--data", "other.conll", "--audit", "audit.jsonl", "--out", "o"]);
    expect(other.stderr).toBe(
      'lacuna: audit.jsonl:1: expected "Ana" at [0, 3), got "Eva"; is this the audit of --data?\n',
    );
    expect([bad.code, other.code]).toEqual([2, 2]);
    expect(folder.names()).not.toContain("o");
  });
});

describe("a review without a server", () => {
  it("applies the decisions of a file, and prints how many there are as JSON", async () => {
    const folder = makeFolder(inputs);
    const { child, outcome, decide } = await review(folder);
    await decide(1, "accept", { group: true });
    await decide(3, "accept");
    child.kill("SIGINT");
    await outcome;
    const apply = ["review", ...files, "--decisions", kept, "--out", "again.jsonl", "--json", "--quiet"];
    const { code, stdout } = await run(folder, apply);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      entities: 3,
      decisions: { accepted: 3, rejected: 0, unsure: 0, open: 0 },
    });
    expect(readFileSync(join(folder.path, "again.jsonl"))).toEqual(readFileSync(join(folder.path, "out.jsonl")));
  });

  const header = (folder: Folder): string => folder.read(kept).split("\n")[0]!;
  const entry = { sequence: 1, time: "2026-01-01T00:00:00Z", client: "x", verdict: "accept", items: [1] };

  it.each([
    ["a span that is none", { ...entry, start: 0, end: 2 }, "[0, 2) are not whole tokens of one sentence"],
    ["a suspicion that is not there", { ...entry, items: [9] }, "there is no suspicion 9: the audit has 3"],
    ["a missing line", { ...entry, sequence: 2 }, "expected the sequence number 1, got 2"],
  ])("refuses %s in the file, with its line", async (_, bad, message) => {
    const folder = makeFolder(inputs);
    const { child, outcome } = await review(folder);
    child.kill("SIGINT");
    await outcome;
    folder.write("d.jsonl", `${header(folder)}\n${JSON.stringify(bad)}\n`);
    const { code, stderr } = await run(folder, ["review", ...files, "--decisions", "d.jsonl", "--out", "o.jsonl"]);
    expect([code, stderr]).toEqual([2, `lacuna: d.jsonl:2: ${message}\n`]);
    expect(folder.names()).not.toContain("o.jsonl");
  });

  it("writes the page as one file that names nothing outside", async () => {
    const hostile = "</script><script>alert(1)</script><!--";
    const line = { ...suspicions[0], reasons: [hostile] };
    const folder = makeFolder({ ...inputs, "audit.jsonl": `${JSON.stringify(line)}\n` });
    const { code, stderr } = await run(folder, ["review", ...files, "--html", "page.html"]);
    expect([code, stderr]).toEqual([0, "page.html: a page with 1 suspicion; open it in a browser\n"]);
    const page = folder.read("page.html");
    expect(page).not.toContain(hostile);
    expect(page.match(/<script/g)!.length).toBe(2);
    expect(page).toContain("Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-");
    expect(page).not.toMatch(/\b(src|href)="(?!data:)/);
  });
});
