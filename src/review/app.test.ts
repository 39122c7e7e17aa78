import { request } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Calls, Card, Decided, Start } from "./calls.ts";
import type { Entry } from "./model.ts";
import type { QueuePage } from "./queue.ts";
import { auditOf, documentOf, suspicion } from "./review.suite.ts";
import { openReview } from "./review.ts";
import { serveReview } from "./serve.ts";
import { session } from "./session.ts";
import { sessionCalls } from "./session-calls.ts";

const hostile = `</script><script>alert(1)</script><img src=x onerror=alert(2)>`;
const documents = [
  documentOf(`Ana met Bo in Porto . Ana left . ${hostile}`, [["Porto", "PER"]]),
  documentOf("Ana is back ."),
];
const items = [
  { ...suspicion("missing", documents, 1, "Ana", "PER"), reasons: [hostile] },
  { ...suspicion("missing", documents, 2, "Ana", "PER") },
  suspicion("type", documents, 1, "Porto", "LOC", ["Porto", "PER"]),
  suspicion("missing", documents, 1, "Bo", hostile),
];

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

interface Served {
  readonly address: URL;
  readonly saved: readonly Entry[];
  ask(path: string, options?: { method?: string; headers?: Record<string, string>; body?: string }): Promise<Answer>;
  call<Name extends keyof Calls>(
    name: Name,
    body: Parameters<Calls[Name]>[0],
  ): Promise<Awaited<ReturnType<Calls[Name]>>>;
}

async function serve(save?: (entry: Entry) => Promise<void>): Promise<Served> {
  const review = await openReview(documents, auditOf(items));
  const saved: Entry[] = [];
  const open = session({
    ...review,
    ...{ data: "data", audit: "audit", entries: [], now: () => new Date().toISOString() },
    save: save ?? (async (entry) => void saved.push(entry)),
  });
  const calls = sessionCalls(open, async () => ({ file: "out" }));
  const served = await serveReview(calls, { script: "script()", style: "body{}" }, 0);
  onTestFinished(served.close);
  const address = new URL(served.address);
  const ask: Served["ask"] = (path, { method = "GET", headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const sent = request({ host: "127.0.0.1", port: address.port, path, method, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode!, headers: response.headers, body: text }));
      });
      sent.on("error", reject);
      sent.end(body);
    });
  return {
    address,
    saved,
    ask,
    async call(name, body) {
      const headers = { "content-type": "application/json", origin: address.origin };
      const path = `${address.pathname}call/${name}`;
      const answer = await ask(path, { method: "POST", headers, body: JSON.stringify(body) });
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body}`);
      return JSON.parse(answer.body);
    },
  };
}

const json = { "content-type": "application/json" };

describe("the page is served to itself alone", () => {
  it("with a policy that allows nothing from elsewhere", async () => {
    const server = await serve();
    const { status, headers, body } = await server.ask(server.address.pathname);
    expect(status).toBe(200);
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(headers["content-security-policy"]).not.toContain("unsafe");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["referrer-policy"]).toBe("no-referrer");
    expect(headers["cache-control"]).toBe("no-store");
    expect(body).not.toMatch(/https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
    expect((await server.ask(`${server.address.pathname}review.js`)).body).toBe("script()");
  });

  it("on this machine only", async () => {
    const server = await serve();
    expect(server.address.hostname).toBe("127.0.0.1");
    expect(server.address.pathname).toMatch(/^\/[\w-]{24}\/$/);
  });

  it("to no one without the token", async () => {
    const server = await serve();
    const wrong = [`/`, "/review.js", `/${"x".repeat(24)}/`, `/${"x".repeat(24)}/call/start`, "/favicon.ico", "/x/../"];
    for (const path of wrong) {
      expect((await server.ask(path)).status).toBe(404);
      expect((await server.ask(path, { method: "POST", headers: json, body: '{"client":"a"}' })).status).toBe(404);
    }
  });

  it.each([
    ["another host", { host: "evil.example" }],
    ["a host that only begins well", { host: "127.0.0.1.evil.example" }],
    ["another origin", { origin: "https://evil.example" }],
    ["a page from a file", { origin: "null" }],
    ["a request that another page made", { "sec-fetch-site": "cross-site" }],
  ])("not by %s, also with the token", async (_, headers) => {
    const server = await serve();
    expect((await server.ask(server.address.pathname, { headers })).status).toBe(403);
    const call = `${server.address.pathname}call/start`;
    const sent = { method: "POST", headers: { ...json, ...headers }, body: '{"client":"a"}' };
    expect((await server.ask(call, sent)).status).toBe(403);
  });

  it.each([
    ["a form", { "content-type": "text/plain" }, '{"client":"a"}', 415],
    ["no JSON", json, "{", 400],
    ["nothing", json, "", 400],
    ["too little", json, "{}", 400],
    ["too much", json, '{"client":"a","path":"/etc/passwd"}', 400],
    ["megabytes", json, JSON.stringify({ client: "a".repeat(100_000) }), 413],
  ])("refusing %s", async (_, headers, body, status) => {
    const server = await serve();
    const answer = await server.ask(`${server.address.pathname}call/start`, { method: "POST", headers, body });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body).error).toMatch(/./);
  });

  it("without other paths: none leads to a file", async () => {
    const server = await serve();
    for (const path of ["../../../etc/passwd", "..%2f..%2fetc%2fpasswd", "page/review.js", "call/constructor", "x"]) {
      for (const method of ["GET", "POST", "PUT", "DELETE"]) {
        const answer = await server.ask(`${server.address.pathname}${path}`, { method, headers: json, body: "" });
        expect(answer.status).toBe(404);
      }
    }
  });
});

describe("the calls of the page", () => {
  it("begin with the first that is open, and list all", async () => {
    const server = await serve();
    const start: Start = await server.call("start", { client: "a" });
    expect(start).toMatchObject({ kinds: { missing: 3, type: 1 }, summary: { total: 4, open: 4, canUndo: false } });
    expect(start.card).toMatchObject({ item: 1, text: "Ana", status: "open", version: 0, group: { size: 2, open: 2 } });
    expect(start.card!.reasons).toEqual([hostile]);
    const page: QueuePage = await server.call("queue", { filter: { kind: "missing" }, from: 1, count: 9 });
    expect(page).toMatchObject({ total: 3, rows: [{ item: 2 }, { item: 4, type: hostile }] });
  });

  it("save a decision, show the next, take it back and redo it", async () => {
    const server = await serve();
    const decided: Decided = await server.call("decide", {
      ...{ client: "a", item: 1, version: 0, verdict: "accept", type: "PER", start: 0, end: 3, filter: {} },
    });
    expect(decided).toMatchObject({ outcome: "saved", items: 1, next: { item: 2 }, summary: { accept: 1, open: 3 } });
    expect(server.saved).toEqual([
      { sequence: 1, time: expect.any(String), client: "a", verdict: "accept", items: [1] },
    ]);
    expect(await server.call("undo", { client: "b", filter: {} })).toMatchObject({ card: null });
    expect(await server.call("undo", { client: "a", filter: {} })).toMatchObject({
      card: { item: 1, status: "open" },
      summary: { open: 4, canRedo: true },
    });
    expect(await server.call("redo", { client: "a", filter: {} })).toMatchObject({ card: { status: "accept" } });
    expect(server.saved.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  });

  it("decide a group at once, without those that are decided", async () => {
    const server = await serve();
    const decide = (item: number, group: boolean, verdict: "accept" | "reject") =>
      server.call("decide", { client: "a", item, version: 0, verdict, group, filter: {} });
    expect(await decide(1, true, "reject")).toMatchObject({ items: 2, next: { item: 3 } });
    expect(server.saved[0]).toMatchObject({ items: [1, 2] });
  });

  it("do not let one tab replace what another decided and it has not seen", async () => {
    const server = await serve();
    const decide = (client: string, verdict: "accept" | "reject") =>
      server.call("decide", { client, item: 3, version: 0, verdict, filter: {} });
    const answers = await Promise.all([decide("a", "accept"), decide("b", "reject")]);
    expect(answers.map(({ outcome }) => outcome)).toEqual(["saved", "conflict"]);
    const card: Card = await server.call("card", { item: 3, filter: {} });
    expect(card.status).toBe("accept");
    expect(server.saved.length).toBe(1);
  });

  it.each([
    ["a type that is not there", { type: "NOSUCH" }, "there is no type"],
    ["half a token", { start: 0, end: 2 }, "is not one of whole tokens"],
    ["a span elsewhere", { start: 900, end: 903 }, "is not one of whole tokens"],
    ["a suspicion that is not there", { item: 99 }, "there is no suspicion 99"],
  ])("refuse %s", async (_, change, message) => {
    const server = await serve();
    const request = { client: "a", item: 1, version: 0, verdict: "accept", filter: {}, ...change } as const;
    await expect(server.call("decide", request)).rejects.toThrow(/^400 /);
    await expect(server.call("decide", request)).rejects.toThrow(message);
    expect(server.saved).toEqual([]);
  });

  it("do not count a decision that could not be saved", async () => {
    const server = await serve(() => Promise.reject(new Error("no space left on the device")));
    const decide = () => server.call("decide", { client: "a", item: 1, version: 0, verdict: "accept", filter: {} });
    await expect(decide()).rejects.toThrow("no space left on the device");
    expect(await server.call("summary", { client: "a" })).toMatchObject({ open: 4, sequence: 0 });
    await expect(decide()).rejects.toThrow("no space left");
  });

  it("show what was decided beside, in the passage of the next", async () => {
    const server = await serve();
    await server.call("decide", { client: "a", item: 3, version: 0, verdict: "accept", filter: {} });
    const card: Card = await server.call("card", { item: 1, filter: {} });
    expect(card.passage.entities).toEqual([{ start: 14, end: 19, type: "LOC" }]);
  });
});
