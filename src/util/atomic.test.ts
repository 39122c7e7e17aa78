import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { writeAtomically, writeTextAtomically } from "./atomic.ts";
import { InputError } from "./errors.ts";
import { processIdentity } from "./process-identity.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lacuna-test-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);
const isRoot = process.getuid?.() === 0;
const hasModes = process.platform !== "win32";

describe("a file is written as a whole or not at all", () => {
  it("replaces what was there, and leaves nothing beside it", async () => {
    writeFileSync(at("out"), "before");
    await writeTextAtomically(at("out"), "after");
    expect(readFileSync(at("out"), "utf8")).toBe("after");
    expect(readdirSync(folder)).toEqual(["out"]);
  });

  it("leaves what was there when writing fails", async () => {
    writeFileSync(at("out"), "before");
    const failing = writeAtomically(at("out"), async (file) => {
      await file.writeFile("half");
      throw new Error("the source failed");
    });
    await expect(failing).rejects.toThrow("the source failed");
    expect(readFileSync(at("out"), "utf8")).toBe("before");
    expect(readdirSync(folder)).toEqual(["out"]);
  });

  it("writes a file whose name is as long as names may be", async () => {
    const name = "n".repeat(250);
    await writeTextAtomically(at(name), "text");
    expect(readdirSync(folder)).toEqual([name]);
  });

  it("says which folder is missing", async () => {
    await expect(writeTextAtomically(at("none/out"), "")).rejects.toThrow(
      `${at("none/out")}: cannot be written: the folder ${at("none")} does not exist`,
    );
  });

  it("refuses a directory, a socket and a part of the path that is a file", async () => {
    mkdirSync(at("directory"));
    writeFileSync(at("file"), "");
    await expect(writeTextAtomically(at("directory"), "")).rejects.toThrow("expected a file to write, got a directory");
    await expect(writeTextAtomically(at("file/out"), "")).rejects.toThrow(InputError);
    const server = createServer().listen(at("socket"));
    await new Promise((resolve) => server.once("listening", resolve));
    await expect(writeTextAtomically(at("socket"), "")).rejects.toThrow(/it is a socket or a block device$/);
    expect(lstatSync(at("socket")).isSocket()).toBe(true);
    server.close();
  });
});

describe.skipIf(!hasModes)("what is at the path stays what it is", () => {
  it.each([0o600, 0o640, 0o755])("keeps the mode %o", async (mode) => {
    writeFileSync(at("out"), "before");
    chmodSync(at("out"), mode);
    await writeTextAtomically(at("out"), "after");
    expect(statSync(at("out")).mode & 0o777).toBe(mode);
  });

  it("shows a private text to nobody while it is being written", async () => {
    writeFileSync(at("out"), "before");
    chmodSync(at("out"), 0o600);
    await writeAtomically(at("out"), async (file) => {
      expect((await file.stat()).mode & 0o777).toBe(0o600);
    });
  });

  it.skipIf(!isRoot)("keeps the owner and the group", async () => {
    writeFileSync(at("out"), "before");
    chownSync(at("out"), 1234, 2345);
    await writeTextAtomically(at("out"), "after");
    expect(statSync(at("out"))).toMatchObject({ uid: 1234, gid: 2345 });
  });

  it.skipIf(isRoot)("refuses a file that may not be written", async () => {
    writeFileSync(at("out"), "before", { mode: 0o444 });
    await expect(writeTextAtomically(at("out"), "after")).rejects.toThrow("cannot be written: permission denied");
    expect(readFileSync(at("out"), "utf8")).toBe("before");
  });

  it("follows symbolic links, also to what does not exist yet", async () => {
    mkdirSync(at("elsewhere"));
    symlinkSync("elsewhere/target", at("second"));
    symlinkSync("second", at("first"));
    for (const text of ["new", "replaced"]) {
      await writeTextAtomically(at("first"), text);
      expect(readlinkSync(at("first"))).toBe("second");
      expect(readFileSync(at("elsewhere/target"), "utf8")).toBe(text);
    }
    expect(readdirSync(at("elsewhere"))).toEqual(["target"]);
  });

  it("refuses links that go round in a circle", async () => {
    symlinkSync("b", at("a"));
    symlinkSync("a", at("b"));
    await expect(writeTextAtomically(at("a"), "")).rejects.toThrow("too many symbolic links");
  });

  it("streams into a FIFO, which stays a FIFO", async () => {
    execFileSync("mkfifo", [at("fifo")]);
    const reader = spawn("cat", [at("fifo")]);
    let read = "";
    reader.stdout.on("data", (chunk) => {
      read += chunk;
    });
    const closed = new Promise((resolve) => reader.on("close", resolve));
    const long = "x".repeat(1 << 18);
    await writeTextAtomically(at("fifo"), long);
    await closed;
    expect(read).toBe(long);
    expect(lstatSync(at("fifo")).isFIFO()).toBe(true);
  });

  it("writes to a device, which stays a device", async () => {
    await writeTextAtomically("/dev/null", "text");
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
    symlinkSync("/dev/null", at("null"));
    await writeTextAtomically(at("null"), "text");
    expect(readlinkSync(at("null"))).toBe("/dev/null");
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  });
});

describe.skipIf(!existsSync("/dev/shm"))("files below /dev", () => {
  it("are replaced like any, and open files by their number are appended to", async () => {
    const shared = mkdtempSync("/dev/shm/lacuna-test-");
    onTestFinished(() => rmSync(shared, { recursive: true }));
    const path = join(shared, "out");
    for (const text of ["a long first text", "second"]) await writeTextAtomically(path, text);
    expect(readFileSync(path, "utf8")).toBe("second");
    const file = openSync(path, "a");
    await writeTextAtomically(`/dev/fd/${file}`, " and third");
    closeSync(file);
    expect(readFileSync(path, "utf8")).toBe("second and third");
  });
});

describe("leftovers of processes that were killed", () => {
  const [machine, id, start] = processIdentity().split("-") as [string, string, string];
  const write = (name: string): void => writeFileSync(at(name), "half");
  const random = "0123456789ab";

  it("are removed when the same file is written again, and nothing else is", async () => {
    const dead = execFileSync(process.execPath, ["-p", "process.pid"], { encoding: "utf8" }).trim();
    const leftover = `.out.${machine}-${dead}-1-${random}.tmp`;
    const reused = `.out.${machine}-${id}-${start === "0" ? "0" : "1"}-${random}.tmp`;
    const kept = [
      `.out.${machine}-${id}-${start}-${random}.tmp`, // of this process, which is alive
      `.out.00000000-${dead}-1-${random}.tmp`, // of another machine, and new
      `.other.${machine}-${dead}-1-${random}.tmp`,
      ".out.notes.tmp",
    ];
    for (const name of [leftover, reused, ...kept]) write(name);
    await writeTextAtomically(at("out"), "text");
    expect(existsSync(at(leftover))).toBe(false);
    if (start !== "0") expect(existsSync(at(reused))).toBe(false);
    for (const name of kept) expect(existsSync(at(name))).toBe(true);
  });
});
