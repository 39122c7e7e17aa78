import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { alone } from "./lock.ts";
import { processIdentity } from "./process-identity.ts";

describe("alone in a folder", () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "lacuna-lock-"));
    file = join(folder, "process");
    onTestFinished(() => rmSync(folder, { recursive: true }));
  });

  it("holds it while it works, and lets go also when the work fails", async () => {
    expect(await alone(folder, async () => readFileSync(file, "utf8"))).toContain(processIdentity());
    expect(existsSync(file)).toBe(false);
    await expect(alone(folder, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(existsSync(file)).toBe(false);
  });

  it("waits for who is there", async () => {
    const order: string[] = [];
    const first = alone(folder, async () => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      order.push("first");
    });
    await new Promise((resolve) => setTimeout(resolve, 10));
    await alone(folder, async () => void order.push("second"));
    await first;
    expect(order).toEqual(["first", "second"]);
  });

  it("gives up after a while, naming the process, and when it is told to stop", async () => {
    const held = `${processIdentity()}-0123456789ab`;
    writeFileSync(file, held);
    await expect(alone(folder, async () => 1, { patience: 0 })).rejects.toThrow(
      `${folder}: another process works on this run (${process.pid})`,
    );
    await expect(alone(folder, async () => 1, { signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow(
      "stop",
    );
    expect(readFileSync(file, "utf8")).toBe(held);
  });

  it("leaves alone what a process of another machine holds", async () => {
    writeFileSync(file, "00000000-17-1-0123456789ab");
    await expect(alone(folder, async () => 1, { patience: 0 })).rejects.toThrow("(17 on another machine)");
  });

  const [machine, id, start] = processIdentity().split("-") as [string, string, string];
  const { pid: dead } = spawnSync(process.execPath, ["--version"]);

  it.each([
    ["a dead process", `${machine}-${dead}-1-0123456789ab`],
    ["a file that is no lock", ""],
  ])("takes over from %s", async (_, content) => {
    writeFileSync(file, content);
    expect(await alone(folder, async () => 1, { patience: 0 })).toBe(1);
  });

  it.skipIf(start === "0")("takes over from a dead process whose number another process has now", async () => {
    writeFileSync(file, `${machine}-${id}-1-0123456789ab`);
    expect(await alone(folder, async () => 1, { patience: 0 })).toBe(1);
  });

  it("takes over once when many find a dead lock at the same time, and one died while it did", async () => {
    const [first, second] = ["0123456789ab", "ba9876543210"].map((random) => `${machine}-${dead}-1-${random}`);
    writeFileSync(file, first!);
    writeFileSync(`${file}.of-${first}`, second!);
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setTimeout(resolve, 2));
      inside--;
    };
    await Promise.all(Array.from({ length: 20 }, () => alone(folder, work)));
    expect(most).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });
});
