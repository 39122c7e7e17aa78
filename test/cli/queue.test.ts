import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { freePort, redisMissing, startRedis, type TestRedis } from "../support/redis.ts";
import { type Folder, makeFolder, outcomeOf, run, sharedFolder, start, until } from "./lacuna.ts";
import { corpus, trainTiny } from "./tiny.ts";

if (redisMissing !== undefined) console.warn(`the tests of work on a queue are skipped: ${redisMissing}`);

/** Starts workers that are gone after the test; what each has said so far. */
function startWorkers(folder: Folder, url: string, names: readonly string[], ...args: string[]): (() => string)[] {
  return names.map((name) => {
    const child = start(folder, "worker", "--queue", url, "--name", name, "--slots", "1", "--lease", "5", ...args);
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        text += chunk;
      });
    const over = new Promise((resolve) => child.on("close", resolve));
    onTestFinished(async () => {
      child.kill("SIGKILL");
      await over;
    });
    return () => text;
  });
}

const study = `title: T
purpose: P
data: { toy: { train: corpus.conll, dev: corpus.conll, test: corpus.conll } }
settings: { epochs: 1, batchTokens: 64, rate: 0.02, encoder: { units: 8, wordWidth: 8 }, head: { hidden: 8 } }
seeds: [1, 2, 3]
`;

/** Results by their runs, without what differs from one time to the next. */
function results(folder: Folder, out: string): string[] {
  const lines = folder.read(`${out}/results.jsonl`).trim().split("\n");
  return lines.map((line) => line.replaceAll(/"(seconds|memory)":[\d.]+/g, "")).sort();
}

describe.skipIf(redisMissing !== undefined)("work on a queue", () => {
  let redis: TestRedis;
  const folder = sharedFolder({ "names.tsv": "Ada\tPER\nRome\tLOC\n" });
  beforeAll(async () => {
    redis = await startRedis();
    await trainTiny(folder, "model");
    const lines = Array.from({ length: 800 }, (_, i) => `Ada met Bob ${i} in Rome today , and Eve lives in Oslo .\n`);
    folder.write("text.txt", lines.join(""));
    folder.write("long.txt", lines.join("").repeat(5));
  });
  afterAll(() => redis?.stop());

  it.each([
    ["tag", ["tag", "--model", "model", "--in", "long.txt"], ["first"]],
    ["tag", ["tag", "--model", "model", "--in", "long.txt", "--format", "text"], ["first", "second"]],
    ["label", ["label", "--dict", "names.tsv", "--in", "text.txt", "--workers", "0"], ["first", "second"]],
  ])("gives the bytes of %s without a queue: %o by the workers %o", async (name, command, workers) => {
    const all = [...command, "--quiet"];
    expect((await run(folder, [...all, "--out", `${name}-alone.jsonl`])).code).toBe(0);
    startWorkers(folder, redis.url, workers);
    const queued = [...all, "--out", `${name}.jsonl`, "--queue", redis.url, "--shard-size", "8KB", "--merge"];
    const { code, stderr } = await run(folder, queued);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(folder.read(`${name}.jsonl`)).toBe(folder.read(`${name}-alone.jsonl`));
  });

  it("sets aside a shard that always fails, does the others, says so, and tries it again when asked", async () => {
    const lines = folder.read("text.txt").split("\n");
    const bad = Buffer.concat([
      Buffer.from(lines.slice(0, 200).join("\n")),
      Buffer.from([0x0a, 0xff, 0x0a]),
      Buffer.from(lines.slice(200).join("\n")),
    ]);
    folder.write("bad.txt", bad);
    startWorkers(folder, redis.url, ["first"]);
    const command = [
      "label",
      "--dict",
      "names.tsv",
      "--in",
      "bad.txt=text",
      "--out",
      "bad.jsonl",
      "--shard-size",
      "8KB",
    ];
    const { code, stderr } = await run(folder, [...command, "--queue", redis.url, "--tries", "2"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/5 of 6 shards done/);
    expect(stderr).toMatch(
      /1 shard of 6 set aside \(set-aside\.jsonl\), the first: .*bad\.txt, bytes \d+ to \d+: worker first: .*not valid UTF-8.*the same command tries them again/,
    );
    const [aside] = readFileSync(join(folder.path, "bad.jsonl.shards/set-aside.jsonl"), "utf8").trim().split("\n");
    expect(JSON.parse(aside!)).toMatchObject({ shard: 1, format: "text" });
    const again = await run(folder, [...command, "--queue", redis.url, "--tries", "1"]);
    expect(again.code).toBe(1);
    expect(again.stderr).toMatch(/5 of 6 shards done/);
  });

  it("is refused by a worker whose folders it leaves, and said to be", async () => {
    const elsewhere = makeFolder();
    mkdirSync(join(elsewhere.path, "own"));
    startWorkers(elsewhere, redis.url, ["strict"], "--allow", "own");
    const command = [
      "label",
      "--dict",
      "names.tsv",
      "--in",
      "text.txt",
      "--out",
      "refused.jsonl",
      "--queue",
      redis.url,
    ];
    const { code, stderr } = await run(folder, command);
    expect(code).toBe(1);
    expect(stderr).toContain("worker strict: ");
    expect(stderr).toContain("lies outside the folders that this worker was given (--allow DIR)");
  });

  it.each([
    ["tag", ["tag", "--model", "model", "--in", "long.txt"]],
    ["label", ["label", "--dict", "names.tsv", "--in", "text.txt", "--workers", "0"]],
  ])("is done by a worker that sees none of the files of %s, when they are uploaded", async (name, command) => {
    const all = [...command, "--quiet"];
    expect((await run(folder, [...all, "--out", `${name}-alone.jsonl`])).code).toBe(0);
    const elsewhere = makeFolder();
    mkdirSync(join(elsewhere.path, "own"));
    startWorkers(elsewhere, redis.url, ["strange"], "--allow", "own");
    const queued = [
      ...all,
      "--out",
      `${name}-up.jsonl`,
      "--queue",
      redis.url,
      "--upload",
      "--shard-size",
      "16KB",
      "--merge",
    ];
    const { code, stderr } = await run(folder, queued);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(folder.read(`${name}-up.jsonl`)).toBe(folder.read(`${name}-alone.jsonl`));
    expect(readdirSync(elsewhere.path)).toEqual(["own"]);
  });

  it("gives the results of a study without a queue", async () => {
    mkdirSync(join(folder.path, "study"), { recursive: true });
    folder.write("study/study.yaml", study);
    const command = ["experiment", "study", "--data", ".", "--quiet"];
    expect((await run(folder, [...command, "--out", "alone", "--jobs", "1"])).code).toBe(0);
    startWorkers(folder, redis.url, ["first", "second"]);
    const { code, stderr } = await run(folder, [...command, "--out", "queued", "--queue", redis.url]);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(results(folder, "queued")).toEqual(results(folder, "alone"));
    expect(results(folder, "queued")).toHaveLength(3);
  });

  it("gives the suspicions of an audit without a queue", async () => {
    folder.write("corpus.conll", corpus.replaceAll("Rome\tB-LOC", "Rome\tO"));
    const small = ["--set", "encoder.units=8", "--set", "encoder.wordWidth=8", "--set", "batchTokens=64"];
    const command = ["audit", "--data", "corpus.conll", "--folds", "2", "--epochs", "2", "--quiet", ...small];
    expect((await run(folder, [...command, "--out", "alone-audit.jsonl", "--jobs", "1"])).code).toBe(0);
    startWorkers(folder, redis.url, ["first", "second"]);
    const { code, stderr } = await run(folder, [...command, "--out", "queued-audit.jsonl", "--queue", redis.url]);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(folder.read("queued-audit.jsonl")).toBe(folder.read("alone-audit.jsonl"));
    expect(folder.names()).not.toContain("queued-audit.jsonl.work");
  });

  it("is counted in the metrics of a worker, which ends when it is drained", async () => {
    const child = start(folder, "worker", "--queue", redis.url, "--name", "measured", "--port", "0");
    const outcome = outcomeOf(child);
    let log = "";
    child.stderr.on("data", (chunk) => {
      log += chunk;
    });
    await until(() => log.includes("/metrics"));
    const url = /http:[^"]+metrics/.exec(log)![0];
    const command = ["label", "--dict", "names.tsv", "--in", "text.txt", "--out", "m.jsonl", "--shard-size", "8KB"];
    expect((await run(folder, [...command, "--queue", redis.url])).code).toBe(0);
    const metrics = await (await fetch(url)).text();
    expect(metrics).toMatch(/lacuna_worker_jobs_total\{worker="measured",kind="shard",ending="done"\} 6/);
    expect(metrics).toMatch(/lacuna_queue_jobs\{state="waiting"\} 0/);
    expect((await fetch(url.replace("metrics", "other"))).status).toBe(404);
    const drained = await run(folder, ["worker", "--queue", redis.url, "--drain", "--name", "measured"]);
    expect(drained.stderr).toContain("asked 1 worker to finish and end: measured");
    expect((await outcome).code).toBe(0);
  });
});

describe.skipIf(redisMissing !== undefined)("a queue behind TLS and a user with few rights", () => {
  it("works, and no password is in any log", async () => {
    const certificates = mkdtempSync(join(tmpdir(), "lacuna-tls-"));
    onTestFinished(() => rmSync(certificates, { recursive: true, force: true }));
    const [key, certificate] = [join(certificates, "key.pem"), join(certificates, "cert.pem")];
    const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
    execFileSync(
      "openssl",
      ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2", ...names],
      { stdio: "ignore" },
    );
    writeFileSync(
      join(certificates, "users.acl"),
      "user default off\nuser ann on >hunter2 ~lacuna:* &lacuna:* -@all +@read +@write +@connection +@scripting +@stream +@blocking +@transaction +info +time\n",
    );
    const port = await freePort();
    const tls = ["--tls-port", String(port), "--tls-cert-file", certificate, "--tls-key-file", key];
    const redis = await startRedis([...tls, "--tls-auth-clients", "no", "--aclfile", join(certificates, "users.acl")]);
    onTestFinished(() => redis.stop());
    const folder = makeFolder({ "names.tsv": "Ada\tPER\n", "text.txt": "Ada met Bob .\n" });
    process.env.NODE_EXTRA_CA_CERTS = certificate;
    onTestFinished(() => {
      delete process.env.NODE_EXTRA_CA_CERTS;
    });
    const url = `rediss://ann:hunter2@localhost:${port}`;
    const [said] = startWorkers(folder, url, ["first"]);
    const command = ["label", "--dict", "names.tsv", "--in", "text.txt", "--out", "out.jsonl", "--merge", "--queue"];
    const { code, stderr } = await run(folder, [...command, url]);
    expect(stderr).toContain("out.jsonl: 1 document");
    expect(code).toBe(0);
    const wrong = await run(folder, [...command, url.replace("hunter2", "letmein")]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toMatch(/rediss:\/\/ann@localhost:\d+ cannot be used: .*WRONGPASS/);
    const fromEnvironment = await run(folder, [...command, url.replace(":hunter2", "")], "", {
      LACUNA_QUEUE_PASSWORD: "hunter2",
    });
    expect(fromEnvironment.code).toBe(0);
    const untrusted = await run(folder, [...command, url], "", { NODE_EXTRA_CA_CERTS: "" });
    expect(untrusted.stderr).toContain("self-signed certificate");
    for (const text of [stderr, wrong.stderr, fromEnvironment.stderr, untrusted.stderr, said!()])
      expect(text).not.toMatch(/hunter2|letmein/);
    expect(said!()).toContain(`rediss://ann@localhost:${port}`);
  });
});
