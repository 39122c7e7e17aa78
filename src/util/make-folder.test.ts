import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeFolder } from "./make-folder.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lacuna-make-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("makeFolder", () => {
  it("makes what is missing, and returns the uppermost that it made", async () => {
    expect(await makeFolder(join(folder, "a/b/c"))).toBe(join(folder, "a"));
    expect(existsSync(join(folder, "a/b/c"))).toBe(true);
    expect(await makeFolder(join(folder, "a/b/d"))).toBe(join(folder, "a/b/d"));
    expect(await makeFolder(join(folder, "a/b"))).toBeUndefined();
  });

  it("makes folders side by side below one that is still missing, whoever makes that first", async () => {
    for (let round = 0; round < 50; round++) {
      const names = Array.from({ length: 8 }, (_, i) => join(folder, `${round}`, "runs", `${i}`));
      await Promise.all(names.map(makeFolder));
      expect(names.every((name) => existsSync(name))).toBe(true);
    }
  });

  it("refuses a file in the way, as the folder or above it", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "mine");
    await expect(makeFolder(file)).rejects.toThrow(`${file}: expected a folder, got a file`);
    await expect(makeFolder(join(file, "x/y"))).rejects.toThrow(/a part of the path is a file, expected a folder$/);
  });

  it.skipIf(!existsSync("/proc/self"))("ends where the system makes no folders", async () => {
    await expect(makeFolder("/proc/x")).rejects.toThrow("/proc/x: the system makes no folder there");
    await expect(makeFolder("/proc/x/y/z")).rejects.toThrow("/proc/x: the system makes no folder there");
  });
});
