import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fileIn, readTextFile } from "./regular-file.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "lacuna-test-"));
  mkdirSync(join(root, "model"));
  writeFileSync(join(root, "model", "vocabulary.json"), "[]");
  writeFileSync(join(root, "secret"), "secret");
});
afterEach(() => rmSync(root, { recursive: true }));

describe("a file that another file names", () => {
  it("is found by its plain name", async () => {
    const path = await fileIn(join(root, "model"), "vocabulary.json");
    expect(await readTextFile(path)).toBe("[]");
  });

  it.each(["../secret", "..", ".", "", "a/b", "/etc/passwd", "a\\b", "a\0b"])("is refused as %j", async (name) => {
    await expect(fileIn(join(root, "model"), name)).rejects.toThrow(/expected the plain name of a file in it, got /);
  });

  it("is refused when it is a link that leads out of the folder", async () => {
    symlinkSync("../secret", join(root, "model", "link"));
    symlinkSync("vocabulary.json", join(root, "model", "inside"));
    await expect(fileIn(join(root, "model"), "link")).rejects.toThrow("and points elsewhere");
    expect(await fileIn(join(root, "model"), "inside")).toBe(join(root, "model", "inside"));
  });

  it("is refused when it is missing", async () => {
    await expect(fileIn(join(root, "model"), "none")).rejects.toThrow("none: no such file");
  });
});

describe("the text of a file", () => {
  it("does not come from a FIFO, a device or a folder, which are not waited for", async () => {
    execFileSync("mkfifo", [join(root, "fifo")]);
    await expect(readTextFile(join(root, "fifo"))).rejects.toThrow("expected a file, got a FIFO");
    await expect(readTextFile("/dev/zero")).rejects.toThrow("expected a file, got a FIFO, a socket or a device");
    await expect(readTextFile(root)).rejects.toThrow("expected a file, got a directory");
  });

  it("is UTF-8", async () => {
    writeFileSync(join(root, "latin"), Buffer.from([0x61, 0xff]));
    await expect(readTextFile(join(root, "latin"))).rejects.toThrow("latin: is not valid UTF-8");
  });
});
