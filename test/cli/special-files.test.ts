import { execFileSync, spawn } from "node:child_process";
import { chmodSync, lstatSync, openSync, readFileSync, readlinkSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { columns, type Folder, makeFolder, outcomeOf, program, run, start } from "./lacuna.ts";

const corpus = `${columns("Ada/B-PER met/O Bob/B-PER ./O")}\n`;
const converted = ["convert", "--in", "in.conll", "--quiet", "--to", "conll", "--out"];

function folderWithFifo(): Folder {
  const folder = makeFolder({ "in.conll": corpus });
  execFileSync("mkfifo", [join(folder.path, "fifo")]);
  return folder;
}

describe.skipIf(process.platform === "win32")("what is not a plain file stays what it is", () => {
  it("writes to /dev/stdout as to standard output: a pipe, and a file that is appended to", async () => {
    const folder = makeFolder({ "in.conll": corpus, log: "first line\n" });
    expect(await run(folder, [...converted, "/dev/stdout"])).toMatchObject({ code: 0, stdout: corpus });
    const log = openSync(join(folder.path, "log"), "a");
    const child = spawn(process.execPath, [program, ...converted, "/dev/stdout"], {
      cwd: folder.path,
      stdio: ["ignore", log, "inherit"],
    });
    await new Promise((resolve) => child.on("close", resolve));
    expect(folder.read("log")).toBe(`first line\n${corpus}`);
  });

  it("streams into a FIFO and throws away at /dev/null", async () => {
    const folder = folderWithFifo();
    const reader = spawn("cat", ["fifo"], { cwd: folder.path });
    const [read, written] = await Promise.all([outcomeOf(reader), run(folder, [...converted, "fifo"])]);
    expect(written).toMatchObject({ code: 0, stderr: "" });
    expect(read.stdout).toBe(corpus);
    expect(lstatSync(join(folder.path, "fifo")).isFIFO()).toBe(true);
    expect(await run(folder, [...converted, "/dev/null"])).toMatchObject({ code: 0, stderr: "" });
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  });

  it("writes through a symbolic link and keeps a private file private", async () => {
    const folder = makeFolder({ "in.conll": corpus, "target.conll": "old" });
    const target = join(folder.path, "target.conll");
    chmodSync(target, 0o600);
    symlinkSync("target.conll", join(folder.path, "link.conll"));
    expect(await run(folder, [...converted, "link.conll"])).toMatchObject({ code: 0 });
    expect(readlinkSync(join(folder.path, "link.conll"))).toBe("target.conll");
    expect(readFileSync(target, "utf8")).toBe(corpus);
    expect(statSync(target).mode & 0o777).toBe(0o600);
  });

  it.each([
    ["reading from", ["convert", "--in", "fifo", "--from", "conll", "--out", "out.jsonl"]],
    ["writing to", [...converted, "fifo"]],
  ])("can be interrupted while %s a FIFO that nobody opens", async (_, args) => {
    const folder = folderWithFifo();
    const child = start(folder, ...args);
    const outcome = outcomeOf(child);
    // Long enough to reach the FIFO; on a slower machine the signal comes before, and ends the command as well.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const asked = Date.now();
    child.kill("SIGINT");
    const { code } = await outcome;
    expect(code ?? child.signalCode).toBeOneOf([130, "SIGINT"]);
    // Not a measure of speed: without the rule the command waits for ever.
    expect(Date.now() - asked).toBeLessThan(10_000);
    expect(folder.names()).toEqual(["fifo", "in.conll"]);
  });
});
