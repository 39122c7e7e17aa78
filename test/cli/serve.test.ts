import { spawnSync } from "node:child_process";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run, sharedFolder, until } from "./lacuna.ts";
import { open, raw, type StartedServer, serving, startServing } from "./server.ts";
import { trainTiny } from "./tiny.ts";

const folder = sharedFolder();
let server: StartedServer;
let end: () => Promise<void>;
beforeAll(async () => {
  await trainTiny(folder, "model");
  ({ server, end } = await serving(folder, "--model", "model", "--max-body", "20000", "--max-queue", "500"));
});
afterAll(() => end());

const ada = "Ada lives in Oslo.";
const adaEntities = [
  { entity_group: "PER", word: "Ada", start: 0, end: 3 },
  { entity_group: "LOC", word: "Oslo", start: 13, end: 17 },
];
const oneLine = /^\{"error":"[^\n]{5,600}"\}$/;

describe("an answer", () => {
  it("to a text is its entities, in the shape of Hugging Face, at / and /tag and by the model's name", async () => {
    for (const path of ["/", "/tag", "/models/model/tag"]) {
      const { status, json, headers } = await server.post({ inputs: ada }, path);
      expect(status).toBe(200);
      expect(headers.get("content-type")).toBe("application/json");
      expect(json).toEqual(adaEntities.map((each) => ({ ...each, score: expect.any(Number) })));
      for (const { score } of json) expect(score > 0.5 && score <= 1).toBe(true);
      expect(Object.keys(json[0])).toEqual(["entity_group", "score", "word", "start", "end"]);
    }
  });

  it("to a list is a list of lists, in order; to nothing it is empty", async () => {
    const { json } = await server.post({ inputs: [ada, "", "Nothing happened today.", "They flew to Rome.", "   "] });
    expect(json.map((each: { word: string }[]) => each.map(({ word }) => word))).toEqual([
      ["Ada", "Oslo"],
      [],
      [],
      ["Rome"],
      [],
    ]);
    expect((await server.post({ inputs: [] })).json).toEqual([]);
    expect((await server.post({ inputs: "" })).json).toEqual([]);
    expect((await server.post({ inputs: [ada] })).json.length).toBe(1);
  });

  it("counts UTF-16 code units, or code points when asked, in texts that are never changed", async () => {
    const text = "😀 \u2067e\u0301 Ada lives in Oslo.";
    const places = async (parameters: object) =>
      (await server.post({ inputs: text, parameters })).json
        .filter(({ word }: { word: string }) => word === "Oslo")
        .map(({ start, end: stop }: { start: number; end: number }) => [start, stop]);
    const at = text.indexOf("Oslo");
    expect(await places({})).toEqual([[at, at + 4]]);
    expect(await places({ offsets: "utf-16" })).toEqual([[at, at + 4]]);
    expect(await places({ offsets: "code-points" })).toEqual([[at - 1, at + 3]]);
    expect([...text].slice(at - 1, at + 3).join("")).toBe("Oslo");
  });

  it("follows the parameters of its request", async () => {
    const all = await server.post({ inputs: ada, parameters: { overlap: "all" } });
    expect(all.json.length).toBeGreaterThanOrEqual(2);
    expect((await server.post({ inputs: ada, parameters: { minScore: 1 } })).json).toEqual([]);
    const known = await server.post({
      inputs: ada,
      parameters: { ignore_labels: ["PER"], aggregation_strategy: "simple" },
    });
    expect(known.json.map(({ word }: { word: string }) => word)).toEqual(["Oslo"]);
  });

  it("to a document of many windows has every entity of it", async () => {
    const text = `${"Ada lives in Oslo . They flew to Rome . ".repeat(200)}`;
    const sentence = `${"Ada lives in Oslo and ".repeat(400)}nothing`;
    const [{ json }, { json: cut }] = await Promise.all([
      server.post({ inputs: text }),
      server.post({ inputs: sentence }),
    ]);
    expect(json.length).toBe(600);
    for (const { word, start, end: stop } of json) expect(text.slice(start, stop)).toBe(word);
    const words = cut.map(({ word }: { word: string }) => word);
    expect(words.filter((word: string) => word === "Oslo").length).toBeGreaterThan(350);
  });

  it("is what the command tag says", async () => {
    const text = "Eve met Tom today. Mia lives in  Lima.";
    const { stdout } = await run(folder, ["tag", "--model", "model"], `${text}\n`);
    const { json } = await server.post({ inputs: text });
    let marked = text;
    for (const { start, end: stop, word, entity_group } of json.toReversed())
      marked = `${marked.slice(0, start)}[${word}](${entity_group})${marked.slice(stop)}`;
    expect(stdout).toBe(`${marked}\n`);
  });

  it("never reaches another client, whatever comes together", async () => {
    const people = ["Ada", "Bob", "Eve", "Ivan", "Mia", "Tom"];
    const places = ["Paris", "Rome", "Oslo", "Lima", "Cairo", "Bonn"];
    const sentence = fc
      .tuple(fc.nat(5), fc.nat(5))
      .map(([p, q]) => ({ text: `${people[p]} lives in ${places[q]} .`, names: [people[p], places[q]] }));
    const document = fc.array(sentence, { maxLength: 6 }).map((all) => ({
      text: all.map(({ text }) => text).join("\n"),
      names: all.flatMap(({ names }) => names),
    }));
    const client = fc.oneof(document, fc.array(document, { maxLength: 4 }));
    await fc.assert(
      fc.asyncProperty(fc.array(client, { minLength: 1, maxLength: 40 }), async (clients) => {
        const answers = await Promise.all(
          clients.map((each) =>
            server.post({ inputs: Array.isArray(each) ? each.map(({ text }) => text) : each.text }),
          ),
        );
        const wordsOf = (entities: { word: string }[]) => entities.map(({ word }) => word);
        answers.forEach(({ status, json }, i) => {
          const sent = clients[i]!;
          expect(status).toBe(200);
          if (Array.isArray(sent)) expect(json.map(wordsOf)).toEqual(sent.map(({ names }) => names));
          else expect(wordsOf(json)).toEqual(sent.names);
        });
      }),
      { numRuns: 15 },
    );
  });
});

describe("what is wrong with a request is said in one line, without a word about the machine", () => {
  const deep = `{"inputs":${"[".repeat(5000)}${"]".repeat(5000)}}`;
  it.each<[string, unknown, Record<string, string>, number, RegExp]>([
    ["broken JSON", '{"inputs": "a', {}, 400, /not JSON/],
    ["no body", "", {}, 400, /not JSON/],
    ["deep nesting", deep, {}, 400, /nested more than 200 deep/],
    ["a name that changes what objects are", '{"inputs":"a","__proto__":{}}', {}, 400, /__proto__/],
    ["bytes that are no text", Buffer.from([0x7b, 0xff, 0xfe, 0]), {}, 400, /not valid UTF-8/],
    ["no inputs", {}, {}, 422, /inputs: expected a text or a list of texts/],
    ["another type", { inputs: 7 }, {}, 422, /inputs: expected a text or a list of texts/],
    ["a list of other things", { inputs: ["a", null] }, {}, 422, /inputs/],
    ["a list", [], {}, 422, /the body: /],
    ["nothing", null, {}, 422, /the body: /],
    ["an unknown key", { inputs: "a", input: "b" }, {}, 422, /Unrecognized key/],
    ["a score above 1", { inputs: "a", parameters: { minScore: 2 } }, {}, 422, /parameters\.minScore: /],
    ["an unknown overlap", { inputs: "a", parameters: { overlap: "odd" } }, {}, 422, /parameters\.overlap: /],
    ["another content type", "a", { "Content-Type": "text/plain" }, 415, /application\/json/],
    ["another charset", "{}", { "Content-Type": "application/json; charset=latin1" }, 415, /UTF-8/],
    ["a packed body", "{}", { "Content-Encoding": "gzip" }, 415, /without Content-Encoding/],
    ["a large body", { inputs: "x".repeat(20_000) }, {}, 413, /20000 bytes at most; nothing of it was tagged/],
    ["too many texts", { inputs: Array(501).fill("a") }, {}, 413, /500 texts at most, got 501/],
  ])("%s", async (_, body, headers, status, message) => {
    const answer = await server.post(body, "/tag", headers);
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(oneLine);
    expect(answer.json.error).toMatch(message);
    expect(answer.text).not.toMatch(/node_modules|dist|\.[jt]s\b|\/tmp| at .*\(/);
  });

  it.each([
    ["GET", "/tag", 405, "POST"],
    ["PUT", "/", 405, "GET, POST"],
    ["POST", "/health", 405, "GET"],
    ["GET", "/nowhere", 404, null],
    ["GET", "/../../etc/passwd", 404, null],
    ["GET", "/models/..%2f..%2fetc/tag", 405, "POST"],
  ])("%s %s", async (method, path, status, allow) => {
    const response = await fetch(new URL(path, server.url), { method });
    expect([response.status, response.headers.get("allow")]).toEqual([status, allow]);
    expect(await response.text()).toMatch(oneLine);
  });

  it("a model that is not there", async () => {
    const { status, json } = await server.post({ inputs: "a" }, "/models/constructor/tag");
    expect([status, json.error]).toEqual([404, "no such model (known: model)"]);
  });

  it("a body that grows over the limit while it is sent, and one that ends too early", async () => {
    const head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    const piece = `1000\r\n${"x".repeat(0x1000)}\r\n`;
    const large = await raw(server.port, `${head}Transfer-Encoding: chunked\r\n\r\n`, piece.repeat(6), "0\r\n\r\n");
    expect(large).toMatch(/^HTTP\/1\.1 413 /);
    const socket = await open(server.port);
    socket.write(`${head}Content-Length: 500\r\n\r\n{"inputs`);
    socket.destroy();
    expect((await server.post({ inputs: ada })).status).toBe(200);
  });

  it("what is no HTTP at all", async () => {
    for (const bytes of [
      Buffer.from([0, 1, 2, 3, 13, 10, 13, 10]),
      "GET / HTTP/9.9\r\n\r\n",
      "POST / HTTP/1.1\r\n\r\n",
    ])
      expect(await raw(server.port, bytes)).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect((await server.get("/health")).json).toEqual({ status: "ok" });
  });

  it("a host that this server is not, as when a name of the internet points here", async () => {
    const headers = `Host: evil.example\r\nContent-Type: application/json\r\nContent-Length: 14\r\nConnection: close\r\n`;
    expect(await raw(server.port, `POST / HTTP/1.1\r\n${headers}\r\n{"inputs":"a"}`)).toMatch(/^HTTP\/1\.1 421 /);
  });
});

describe("beside the answers", () => {
  it("is a page without any other file, which may do nothing but ask this server", async () => {
    const { status, text, headers } = await server.get("/");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toMatch(/^text\/html/);
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; script-src 'sha256-[^' ]+'; style-src 'sha256-[^' ]+'; connect-src 'self'; /,
    );
    expect(text).not.toMatch(/https?:|(src|href)="(?!data:|\/openapi|\/health)|innerHTML/);
    expect(text).toContain('<html lang="en">');
  });

  it("is a description that the answers keep to", async () => {
    const { json } = await server.get("/openapi.json");
    expect(json.openapi).toBe("3.1.0");
    expect(Object.keys(json.paths)).toEqual([
      "/",
      "/tag",
      "/models/{name}/tag",
      "/models",
      "/health",
      "/metrics",
      "/openapi.json",
    ]);
    const { TagRequest, Entity } = json.components.schemas;
    expect(TagRequest).toMatchObject({ type: "object", required: ["inputs"], additionalProperties: false });
    expect(Object.keys(TagRequest.properties.parameters.properties)).toContain("minScore");
    expect(Object.keys(Entity.properties)).toEqual(["entity_group", "score", "word", "start", "end"]);
    const references = JSON.stringify(json).match(/"\$ref":"[^"]+"/g) ?? [];
    for (const each of new Set(references)) {
      const name = /schemas\/(\w+)/.exec(each)![1]!;
      expect(Object.keys(json.components.schemas)).toContain(name);
    }
    expect(references.length).toBeGreaterThan(10);
  });

  it("are the models with their types", async () => {
    expect((await server.get("/models")).json).toEqual([{ name: "model", types: ["LOC", "PER"], workers: 1 }]);
  });

  it("are counters that Prometheus reads, and that count", async () => {
    const sample = /^([a-z_]+)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\.)*",?)*)\})? (-?[\d.e+-]+)$/;
    const read = async () => {
      const { text, headers } = await server.get("/metrics");
      expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
      const values = new Map<string, number>();
      const typed = new Set<string>();
      for (const line of text.trimEnd().split("\n")) {
        const type = /^# TYPE ([a-z_]+) (counter|gauge|histogram)$/.exec(line);
        if (type) typed.add(type[1]!);
        if (line.startsWith("#")) continue;
        expect(line).toMatch(sample);
        const [, name, labels = "", value] = sample.exec(line)!;
        expect([...typed].some((known) => name === known || name!.replace(/_(bucket|sum|count)$/, "") === known)).toBe(
          true,
        );
        values.set(`${name}{${labels}}`, Number(value));
      }
      return values;
    };
    const before = await read();
    await server.post({ inputs: [ada, ada, ada] }, "/tag");
    await server.post("{", "/tag");
    const after = await read();
    const grown = (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    expect(grown('lacuna_requests_total{route="/tag",status="200"}')).toBe(1);
    expect(grown('lacuna_requests_total{route="/tag",status="400"}')).toBe(1);
    expect(grown('lacuna_errors_total{status="400"}')).toBe(1);
    expect(grown('lacuna_texts_total{model="model"}')).toBe(3);
    expect(grown('lacuna_characters_total{model="model"}')).toBe(3 * ada.length);
    expect(grown('lacuna_tokens_total{model="model"}')).toBe(15);
    expect(grown('lacuna_batch_texts_sum{model="model"}')).toBe(3);
    expect(grown('lacuna_request_seconds_count{route="/tag"}')).toBe(2);
    expect(grown('lacuna_request_seconds_bucket{route="/tag",le="+Inf"}')).toBe(2);
    expect(after.get("lacuna_queue_texts{}")).toBe(0);
    expect(after.get("lacuna_queue_bytes{}")).toBe(0);
    expect(after.get('lacuna_workers{model="model"}')).toBe(1);
  });

  it("is a log of JSON lines that never holds a text, a path of a client or a header", async () => {
    await server.post({ inputs: "Secretname lives in Oslo." }, "/tag", { "X-Thing": "Secrethead" });
    await server.post('{"Secretbody', "/tag");
    await server.get("/Secretpath?q=Secretquery");
    await until(() => server.log().some(({ route, status }) => route === "other" && status === 404));
    expect(server.stderr()).not.toContain("Secret");
    const last = server
      .log()
      .filter(({ route, status }) => route === "/tag" && status === 200)
      .at(-1);
    expect(last).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      level: "info",
      message: "request",
      method: "POST",
      route: "/tag",
      status: 200,
      milliseconds: expect.any(Number),
      texts: 1,
      characters: 25,
    });
  });
});

describe("limits", () => {
  it("a full queue refuses with 429 and says when to come again; what was taken is answered", async () => {
    const small = await startServing(folder, "--model", "model", "--max-queue", "3", "--batch-wait", "300", "--quiet");
    const answers = await Promise.all(Array.from({ length: 12 }, () => small.post({ inputs: ada })));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200).length).toBe(12 - refused.length);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers, text } of refused) {
      expect(headers.get("retry-after")).toMatch(/^\d+$/);
      expect(text).toMatch(oneLine);
    }
    const { status, json } = await small.post({ inputs: [ada, ada, ada] });
    expect([status, json.length]).toEqual([200, 3]);
    expect(small.log().some(({ message }) => message === "request")).toBe(false);
  });

  it("slow clients are hung up on: slow heads, slow bodies, slow answers; others are served meanwhile", async () => {
    const strict = await startServing(folder, "--model", "model", "--timeout", "1");
    const head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n";
    const slow = [raw(strict.port, "POST / HT"), raw(strict.port, head), raw(strict.port, `${head}\r\n{"inp`)];
    expect((await strict.post({ inputs: ada })).status).toBe(200);
    for (const answer of await Promise.all(slow)) expect(answer).toMatch(/^HTTP\/1\.1 (408|503) /);
    expect((await strict.post({ inputs: ada })).status).toBe(200);
    await until(() => strict.log().length > 0);
    const { text } = await strict.get("/metrics");
    expect(text).toContain("lacuna_queue_bytes 0\n");
  });

  it("a request that takes too long is answered with 503 and given up", async () => {
    const hurried = await startServing(folder, "--model", "model", "--timeout", "1", "--batch-wait", "3000");
    const { status, headers, json } = await hurried.post({ inputs: ada });
    expect([status, headers.get("retry-after"), json.error]).toEqual([503, "1", "not answered within 1 s"]);
    expect((await hurried.get("/metrics")).text).toContain('lacuna_refused_total{reason="time"} 1\n');
  });

  it("two thousand connections that say nothing do not keep others from being answered", async () => {
    const sockets = await Promise.all(Array.from({ length: 2000 }, () => open(server.port)));
    expect((await server.post({ inputs: ada })).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
});

describe("who may ask", () => {
  it("with a token: nobody without it, but for the page, the description and whether the server is well", async () => {
    const { server: closed, end: close } = await serving(folder, "--model", "model", "--token", "s3cret-token");
    try {
      for (const authorization of [
        undefined,
        "",
        "Bearer",
        "Bearer s3cret",
        "Bearer s3cret-tokens",
        "Basic s3cret-token",
      ]) {
        const headers = authorization === undefined ? {} : { Authorization: authorization };
        const { status, headers: given, text } = await closed.post({ inputs: ada }, "/", headers);
        expect([status, given.get("www-authenticate")]).toEqual([401, 'Bearer realm="lacuna"']);
        expect(text).not.toContain("s3cret");
      }
      for (const path of ["/metrics", "/models"]) expect((await closed.get(path)).status).toBe(401);
      for (const path of ["/", "/health", "/openapi.json"]) expect((await closed.get(path)).status).toBe(200);
      const own = { Authorization: "Bearer s3cret-token" };
      expect((await closed.post({ inputs: ada }, "/", own)).status).toBe(200);
      expect((await closed.get("/metrics", own)).status).toBe(200);
      expect((await closed.get("/openapi.json")).json.security).toEqual([{ token: [] }]);
      expect(closed.stderr()).not.toContain("s3cret");
    } finally {
      await close();
    }
  });

  it("pages of other origins may not, unless they are named", async () => {
    const preflight = async (port: number, origin: string) => {
      const response = await fetch(`http://127.0.0.1:${port}/tag`, {
        method: "OPTIONS",
        headers: { Origin: origin, "Access-Control-Request-Method": "POST" },
      });
      return response.headers.get("access-control-allow-origin");
    };
    expect(await preflight(server.port, "https://app.example")).toBe(null);
    const shared = await startServing(folder, "--model", "model", "--cors", "https://app.example", "--quiet");
    expect(await preflight(shared.port, "https://app.example")).toBe("https://app.example");
    expect(await preflight(shared.port, "https://evil.example")).toBe(null);
    const { headers } = await shared.post({ inputs: ada }, "/", { Origin: "https://app.example" });
    expect(headers.get("access-control-allow-origin")).toBe("https://app.example");
  });

  it("whoever reaches an address beyond this machine, and the command warns of it", async () => {
    const wide = await startServing(folder, "--model", "model", "--host", "0.0.0.0", "--quiet");
    expect(wide.stderr()).toContain(
      "warning: --host 0.0.0.0: whoever reaches this address can use the server; --token",
    );
  });
});

describe("several models", () => {
  it("answer by name, each in its processes; the first answers those who name none", async () => {
    folder.write("other.conll", "Zed\tB-CAT\nsleeps\tO\n\n".repeat(40));
    const args = [
      "train",
      "--train",
      "other.conll",
      "--dev",
      "other.conll",
      "--out",
      "cats",
      "--epochs",
      "12",
      "--quiet",
    ];
    const sizes = ["encoder.units=8", "encoder.wordWidth=8", "head.hidden=8", "rate=0.03"];
    await run(folder, [...args, ...sizes.flatMap((each) => ["--set", each])]);
    const both = await startServing(
      folder,
      "--model",
      "tiny=model",
      "--model",
      "cats",
      "--workers",
      "2",
      "--threads",
      "1",
    );
    expect((await both.get("/models")).json).toEqual([
      { name: "tiny", types: ["LOC", "PER"], workers: 2 },
      { name: "cats", types: ["CAT"], workers: 2 },
    ]);
    const types = async (path: string, inputs: string) => [
      ...new Set((await both.post({ inputs }, path)).json.map((each: { entity_group: string }) => each.entity_group)),
    ];
    expect(await types("/tag", ada)).toEqual(["PER", "LOC"]);
    expect(await types("/models/tiny/tag", ada)).toEqual(["PER", "LOC"]);
    expect(await types("/models/cats/tag", "Zed sleeps")).toEqual(["CAT"]);
  });

  it.each([
    ["a folder that is none", ["--model", "nowhere"], "nowhere/config.json: no such file; is this a model directory?"],
    ["two of one name", ["--model", "model", "--model", "./model/"], '--model: two models are called "model"'],
    ["a port that is no port", ["--model", "model", "--port", "70000"], "Expected a port from 0 to 65535."],
    ["an empty token", ["--model", "model", "--token", ""], "--token is empty"],
  ])("%s are refused before anything is served", async (_, args, message) => {
    const { code, stdout, stderr } = await run(folder, ["serve", ...args]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr.trimEnd().split("\n").at(-1)).toContain(message);
  });

  it("a port that is taken is said", async () => {
    const { code, stderr } = await run(folder, ["serve", "--model", "model", "--port", String(server.port)]);
    expect(code).toBe(2);
    expect(stderr).toContain(`127.0.0.1:${server.port}: another program listens there; give another --port`);
  });
});

describe("signals", () => {
  /** Clients that ask again as soon as they are answered; what became of every request. */
  function load(url: string, clients: number) {
    const agent = new Agent({ keepAlive: true, maxSockets: clients });
    const outcomes = { answered: 0, wrong: 0, refused: 0, lost: [] as string[] };
    let isOver = false;
    const ask = (): Promise<void> =>
      new Promise((resolve) => {
        let isSent = false;
        const asked = request(url, { method: "POST", agent, headers: { "Content-Type": "application/json" } });
        asked.on("response", (response) => {
          let text = "";
          response.on("data", (chunk) => {
            text += chunk;
          });
          response.on("end", () => {
            const words = response.statusCode === 200 && JSON.parse(text).map(({ word }: { word: string }) => word);
            if (words && words.join() === "Ada,Oslo") outcomes.answered++;
            else outcomes.wrong++;
            resolve();
          });
          response.on("error", () => {
            outcomes.lost.push("cut off");
            resolve();
          });
        });
        asked.on("finish", () => {
          isSent = true;
        });
        asked.on("error", (error: NodeJS.ErrnoException) => {
          if (error.code === "ECONNREFUSED" && !isSent) outcomes.refused++;
          else outcomes.lost.push(String(error.code));
          isOver = true;
          resolve();
        });
        asked.end(JSON.stringify({ inputs: ada }));
      });
    const done = Promise.all(
      Array.from({ length: clients }, async () => {
        while (!isOver) await ask();
      }),
    ).then(() => agent.destroy());
    return {
      outcomes,
      async stop() {
        isOver = true;
        await done;
        return outcomes;
      },
      done,
    };
  }

  it("SIGTERM under load: every request that was taken is answered, then the server ends with 0", async () => {
    const loaded = await startServing(folder, "--model", "model", "--quiet");
    const clients = load(loaded.url, 16);
    await until(() => clients.outcomes.answered > 100);
    loaded.child.kill("SIGTERM");
    expect(await loaded.ended()).toEqual([0, null]);
    await clients.done;
    expect(clients.outcomes).toMatchObject({ wrong: 0, lost: [] });
    expect(clients.outcomes.refused).toBeGreaterThan(0);
    expect(loaded.log().map(({ message }) => message)).toEqual(["model loaded", "listening", "stopping", "stopped"]);
  });

  it("SIGTERM waits for what is in work; a second one ends at once", async () => {
    const slow = await startServing(folder, "--model", "model", "--batch-wait", "1500");
    const answer = slow.post({ inputs: ada });
    await until(() => slow.stderr().includes("listening"));
    await new Promise((resolve) => setTimeout(resolve, 300));
    slow.child.kill("SIGTERM");
    expect((await answer).json.length).toBe(2);
    expect(await slow.ended()).toEqual([0, null]);

    const stuck = await startServing(folder, "--model", "model", "--batch-wait", "60000");
    const unanswered = stuck.post({ inputs: ada }).catch(() => "hung up");
    await new Promise((resolve) => setTimeout(resolve, 300));
    stuck.child.kill("SIGTERM");
    await until(() => stuck.stderr().includes("stopping"));
    stuck.child.kill("SIGTERM");
    expect(await stuck.ended()).toEqual([null, "SIGTERM"]);
    expect(await unanswered).toBe("hung up");
  });

  it("a worker that is killed is started again; the server says meanwhile that the model is not there", async () => {
    const robust = await startServing(folder, "--model", "model", "--batch-wait", "400");
    const inWork = robust.post({ inputs: ada });
    await new Promise((resolve) => setTimeout(resolve, 150));
    const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
    const workers = [...stdout.matchAll(/^ *(\d+) +(\d+)$/gm)].filter(
      ([, , parent]) => Number(parent) === robust.child.pid,
    );
    expect(workers.length).toBe(1);
    process.kill(Number(workers[0]![1]), "SIGKILL");
    const { status, headers, json } = await inWork;
    expect([status, headers.get("retry-after"), json.error]).toEqual([503, "2", "the model is being started again"]);
    expect([(await robust.get("/health")).json, (await robust.post({ inputs: ada })).status]).toEqual([
      { status: "unavailable" },
      503,
    ]);
    await until(() => robust.log().some(({ message }) => message === "a worker was started again"));
    expect((await robust.post({ inputs: ada })).json.length).toBe(2);
    expect((await robust.get("/health")).json).toEqual({ status: "ok" });
    expect(robust.log().find(({ level }) => level === "error")).toMatchObject({
      message: "a worker died",
      ending: "SIGKILL",
    });
  });

  it("SIGHUP opens models anew under load and drops nothing; one that does not load leaves the old one", async () => {
    cpSync(join(folder.path, "model"), join(folder.path, "changing"), { recursive: true });
    const changing = await startServing(folder, "--model", "changing", "--quiet");
    const clients = load(changing.url, 8);
    const messages = (text: string) => changing.log().filter(({ message }) => message === text).length;
    await until(() => clients.outcomes.answered > 20);
    changing.child.kill("SIGHUP");
    await until(() => messages("model reloaded") === 1);
    const config = folder.read("changing/config.json");
    writeFileSync(join(folder.path, "changing/config.json"), "{");
    changing.child.kill("SIGHUP");
    await until(() => messages("model not reloaded, the old one stays") === 1);
    const { answered } = clients.outcomes;
    await until(() => clients.outcomes.answered > answered + 20);
    writeFileSync(join(folder.path, "changing/config.json"), config.replaceAll('"LOC"', '"GPE"'));
    changing.child.kill("SIGHUP");
    await until(() => messages("model reloaded") === 2);
    expect(await clients.stop()).toMatchObject({ wrong: 0, lost: [], refused: 0 });
    expect((await changing.get("/models")).json).toEqual([{ name: "changing", types: ["GPE", "PER"], workers: 1 }]);
    expect((await changing.post({ inputs: ada })).json[1].entity_group).toBe("GPE");
    rmSync(join(folder.path, "changing"), { recursive: true });
  });
});
