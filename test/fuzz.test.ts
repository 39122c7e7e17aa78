import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { inputAt } from "../fuzz/inputs.ts";
import { judge } from "../fuzz/judge.ts";
import { minimised } from "../fuzz/minimise.ts";
import { ensure, type Target } from "../fuzz/target.ts";
import { targets } from "../fuzz/targets/index.ts";
import { watched } from "../fuzz/watchdog.ts";
import { InputError } from "../src/util/errors.ts";

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe.each(targets.map((target) => [target.name, target] as const))("the target %s", (_, target) => {
  it("accepts seeds as they are, finds no defect in changed ones, and refuses some of them", async () => {
    const folder = scratch();
    const seeds = await target.seeds(folder);
    const kinds = new Set<string>();
    for (const seed of seeds) kinds.add((await judge(target, seed, folder, 0)).kind);
    expect([...kinds]).toContain("accepted");
    for (let number = 0; number < 12; number++) {
      const { bytes, variant } = inputAt(seeds, target, 20, number);
      expect(await judge(target, bytes, folder, variant)).not.toHaveProperty("report");
    }
  });
});

describe("inputs", () => {
  const [target] = targets as readonly [Target];
  let seeds: readonly Buffer[];
  beforeAll(async () => {
    seeds = await target.seeds("");
  });
  const inputs = (seed: number): string[] =>
    Array.from({ length: 50 }, (_, number) => inputAt(seeds, target, seed, number).bytes.toString("latin1"));

  it("are the same for the same seed, others for another, and hardly ever the seed files themselves", () => {
    expect(inputs(1)).toEqual(inputs(1));
    expect(new Set([...inputs(1), ...inputs(2)]).size).toBeGreaterThan(90);
  });
});

describe("what is a defect", () => {
  const failing = (error: unknown): Target => ({
    name: "planted",
    shape: "lines",
    seeds: async () => [],
    run: (input) => (input.includes("bad") ? Promise.reject(error) : Promise.resolve()),
  });

  it.each<[string, unknown, string]>([
    ["an input error", new InputError("no"), "refused"],
    ["a raw error", new TypeError("x is undefined"), "defect"],
    ["a message that steers a terminal", Object.assign(new InputError("a"), { message: "a\u001b[2J" }), "defect"],
    ["a message without an end", Object.assign(new InputError("a"), { message: "a".repeat(9000) }), "defect"],
  ])("%s", async (_, error, kind) => {
    expect(await judge(failing(error), Buffer.from("bad"), "", 0)).toMatchObject({ kind });
    expect(await judge(failing(error), Buffer.from("good"), "", 0)).toEqual({ kind: "accepted" });
  });

  it("is an invariant that does not hold, and inputs are made small that show it", async () => {
    const target: Target = {
      ...failing(undefined),
      run: async (input) => ensure(!input.includes("bad"), "planted: it holds something bad"),
    };
    const long = Buffer.from(`${"x".repeat(1000)}bad${"y".repeat(3000)}`);
    const verdict = await judge(target, long, "", 0);
    expect(verdict).toMatchObject({ kind: "defect", signature: expect.stringContaining("planted") });
    const { signature } = verdict as { signature: string };
    expect((await minimised(target, long, "", 0, signature)).toString()).toBe("bad");
  });
});

describe("the watchdog", () => {
  const order = { kind: "one", target: "none", scratch: "", input: "", variant: 0 } as const;
  const begin = 'process.send({ kind: "begin", number: 7 });';
  it.each<[string, string, object]>([
    ["a worker that does its work", `process.disconnect();`, { kind: "done" }],
    ["a worker that hangs", "for (;;);", { kind: "hang", number: 7 }],
    [
      "a worker that grows",
      "const held = []; setInterval(() => held.push(Buffer.alloc(2e7, 1)), 5);",
      { kind: "growth", number: 7 },
    ],
    ["a worker that dies", "process.abort();", { kind: "crash", number: 7 }],
  ])("ends and tells of %s", async (_, code, expected) => {
    const script = join(scratch(), "worker.cjs");
    writeFileSync(script, `process.on("message", () => { ${begin} setTimeout(() => { ${code} }, 200); });`);
    expect(await watched(order, { time: 4000, memory: 2e8 }, () => {}, script)).toMatchObject(expected);
  });

  it("ends a worker that waits for ever, though it does no work", async () => {
    const script = join(scratch(), "worker.cjs");
    writeFileSync(script, `process.on("message", () => { ${begin} setInterval(() => {}, 1e6); });`);
    const ending = await watched(order, { time: 300, memory: 2e8 }, () => {}, script);
    expect(ending).toMatchObject({ kind: "hang", number: 7 });
  });
});
