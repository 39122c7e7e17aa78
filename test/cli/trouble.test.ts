import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { columns, outcomeOf, program, run, sharedFolder } from "./lacuna.ts";
import { corpus, tiny } from "./tiny.ts";

const folder = sharedFolder({ "a.conll": columns("Ada/B-PER left/O"), "corpus.conll": corpus });
const train = ["train", "--train", "corpus.conll", ...tiny];

describe("what the machine cannot do", () => {
  it.skipIf(!existsSync("/dev/full"))("is exit code 1 with the path, where the disk is full", async () => {
    const { code, stderr } = await run(folder, ["convert", "--in", "a.conll", "--out", "/dev/full", "--to", "lacuna"]);
    expect(stderr).toBe("lacuna: /dev/full: no space left on the device\n");
    expect(code).toBe(1);
  });

  it("is exit code 1 with the path, where a file may not grow", async () => {
    const shell = `ulimit -f 8 && exec "${process.execPath}" "${program}" mask --in corpus.conll --out big.jsonl --rate 0 --quiet`;
    folder.write("corpus-20.conll", corpus.repeat(20));
    const child = spawn("sh", ["-c", shell.replace("corpus.conll", "corpus-20.conll")], { cwd: folder.path });
    const { code, stderr } = await outcomeOf(child);
    expect(stderr).toBe("lacuna: big.jsonl: the file grew larger than the system allows\n");
    expect(code).toBe(1);
    expect(existsSync(join(folder.path, "big.jsonl"))).toBe(false);
  });

  it.skipIf(!existsSync("/proc/self"))("ends at once, where the system makes no files", async () => {
    const model = await run(folder, [...train, "--epochs", "1", "--out", "/proc/x"]);
    expect(model.stderr).toBe("lacuna: /proc/x: the system makes no folder there\n");
    const file = await run(folder, ["convert", "--in", "a.conll", "--out", "/proc/x.jsonl"]);
    expect(file.stderr).toBe("lacuna: /proc/x.jsonl: cannot be written: the folder /proc takes no files\n");
    expect([model.code, file.code]).toEqual([2, 2]);
  });
});

describe("a folder that may not be written to", () => {
  // Root may write everywhere; a user without rights may read what is here.
  const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

  function runAs(args: readonly string[]) {
    const env = { ...process.env, TMPDIR: "/tmp", HOME: "/tmp" };
    return outcomeOf(spawn(process.execPath, [program, ...args], { cwd: folder.path, env, ...user }));
  }

  beforeAll(() => {
    chmodSync(folder.path, 0o755);
    mkdirSync(join(folder.path, "fixed"));
    chmodSync(join(folder.path, "fixed"), 0o555);
  });

  it("is said to be read-only, for files and for models", async () => {
    const file = await runAs(["convert", "--in", "a.conll", "--out", "fixed/x.jsonl"]);
    expect(file.stderr).toBe("lacuna: fixed/x.jsonl: cannot be written: the folder fixed is read-only for this user\n");
    const model = await runAs([...train, "--epochs", "1", "--out", "fixed/model"]);
    expect(model.stderr).toBe("lacuna: fixed/model: the folder above is read-only: no permission to write in it\n");
    expect([file.code, model.code]).toEqual([2, 2]);
  });
});

describe("--epochs", () => {
  it.each(["0", "-1", "1.5"])("%s is refused with the rule that holds", async (epochs) => {
    const { code, stderr } = await run(folder, [...train, "--out", "none", `--epochs=${epochs}`]);
    expect(stderr).toMatch(/Expected a whole number from 1\.\n$/);
    expect(code).toBe(2);
    expect(existsSync(join(folder.path, "none"))).toBe(false);
  });
});

describe("a model directory", () => {
  const file = (name: string): string => join(folder.path, "model", name);

  beforeAll(async () => {
    const { code } = await run(folder, [...train, "--epochs", "1", "--out", "model", "--no-state", "--quiet"]);
    expect(code).toBe(0);
  });

  it("whose weights were altered is refused, though they are numbers still", async () => {
    const before = readFileSync(file("model.safetensors"));
    const handle = openSync(file("model.safetensors"), "r+");
    // The lowest bits of the last weight.
    writeSync(handle, Buffer.from([before.at(-4)! ^ 1]), 0, 1, before.length - 4);
    const { code, stderr } = await run(folder, ["tag", "--model", "model", "--in", "a.conll"]);
    expect(stderr).toMatch(
      /^lacuna: model\/model\.safetensors: the weights are not those that config\.json was written for/,
    );
    expect(code).toBe(2);
    writeFileSync(file("model.safetensors"), before);
    expect((await run(folder, ["tag", "--model", "model", "--in", "a.conll", "--quiet"])).code).toBe(0);
  });

  it("with an empty vocabulary is refused with the name of the file", async () => {
    const before = readFileSync(file("vocabulary.json"));
    writeFileSync(file("vocabulary.json"), "");
    const { code, stderr } = await run(folder, ["tag", "--model", "model", "--in", "a.conll"]);
    expect(stderr).toMatch(/^lacuna: .*vocabulary\.json.*\n$/);
    expect(code).toBe(2);
    writeFileSync(file("vocabulary.json"), before);
  });
});
