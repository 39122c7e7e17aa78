import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { alone } from "./lock.ts";

describe("alone in a folder", () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "lacuna-lock-"));
    file = join(folder, "process");
    onTestFinished(() => rmSync(folder, { recursive: true }));
  });

  it("holds it while it works, and lets go also when the work fails", async () => {
    expect(await alone(folder, async () => readFileSync(file, "utf8"))).toBe(String(process.pid));
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
    writeFileSync(file, String(process.pid));
    await expect(alone(folder, async () => 1, { patience: 0 })).rejects.toThrow(
      `${folder}: another process works on this run (${process.pid})`,
    );
    await expect(alone(folder, async () => 1, { signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow(
      "stop",
    );
    expect(readFileSync(file, "utf8")).toBe(String(process.pid));
  });

  it.each(["a dead process", "a file that is no lock"])("takes over from %s", async (what) => {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    writeFileSync(file, what === "a file that is no lock" ? "" : String(pid));
    expect(await alone(folder, async () => 1, { patience: 0 })).toBe(1);
  });
});
