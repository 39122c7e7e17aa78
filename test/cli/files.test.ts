import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { columns, type Folder, makeFolder, outcomeOf, run, start, until } from "./lacuna.ts";

/** Expects one line on standard error, exit code 2, an output as it was before, and nothing left behind. */
async function expectRefusal(folder: Folder, args: readonly string[], line: string | RegExp): Promise<void> {
  folder.write("out.jsonl", "as before");
  const before = folder.names();
  const { code, stdout, stderr } = await run(folder, args);
  expect(stderr).toMatch(/^lacuna: [^\n]+\n$/);
  if (typeof line === "string") expect(stderr).toBe(`lacuna: ${line}\n`);
  else expect(stderr).toMatch(line);
  expect(code).toBe(2);
  expect(stdout).toBe("");
  expect(folder.read("out.jsonl")).toBe("as before");
  expect(folder.names()).toEqual(before);
  expect(readdirSync(folder.scratch)).toEqual([]);
}

describe("bad input is named by file and line, and leaves the output alone", () => {
  const spacy = (text: string, entities: unknown[]): string => `${JSON.stringify({ text, entities })}\n`;
  const fine = spacy("Ada met Bob.", [[0, 3, "PER"]]);
  it.each<[string, string, string | Buffer, string[], RegExp]>([
    ["a wrong column count", "bad.conll", "Ada\tB-PER\nmet\n", [], /bad\.conll:2: .*expected 2 columns, got 1.*met/],
    ["an unknown tag", "bad.conll", "Ada\tB-PER\nmet\tX-PER\n", [], /bad\.conll:2: .*unknown tag "X-PER"/],
    ["an empty label in a tag", "bad.conll", "Ada\tB-\n", [], /bad\.conll:1: .*"B-".*empty label/],
    [
      "I after O in strict mode",
      "bad.conll",
      "a\tO\nb\tI-PER\nc\tB-LOC\n",
      ["--strict"],
      /bad\.conll:2: .*I-PER.* after O/,
    ],
    ["invalid UTF-8", "bad.conll", Buffer.from("a\tO\n\xff\tO\n", "latin1"), [], /bad\.conll:2: .*UTF-8.*0xff/],
    ["a span past the end of the text", "bad.jsonl", fine + spacy("Ada", [[0, 9, "PER"]]), [], /bad\.jsonl:2: .*9/],
    [
      "overlapping entities that must be flat",
      "bad.jsonl",
      fine +
        spacy("Ada Bo", [
          [0, 6, "PER"],
          [4, 6, "PER"],
        ]),
      ["--flat"],
      /bad\.jsonl:2: .*overlap/,
    ],
    [
      "one span with two types",
      "bad.jsonl",
      fine +
        spacy("Ada", [
          [0, 3, "PER"],
          [0, 3, "LOC"],
        ]),
      [],
      /bad\.jsonl:2: .*two types.*LOC.*PER/,
    ],
    ["an empty label", "bad.jsonl", fine + spacy("Ada", [[0, 3, ""]]), [], /bad\.jsonl:2: .*label/],
    ["broken JSON", "bad.jsonl", `${fine}{"text": \n`, ["--from", "spacy"], /bad\.jsonl:2: /],
  ])("%s", async (_, name, content, flags, line) => {
    const folder = makeFolder({ [name]: content });
    await expectRefusal(folder, ["convert", "--in", name, "--out", "out.jsonl", ...flags], line);
  });
});

it("says the same of bad input to mask and evaluate", async () => {
  const folder = makeFolder({ "good.conll": columns("Ada/B-PER met/O"), "bad.conll": "Ada\tB-PER\nmet\tX-PER\n" });
  const line = /bad\.conll:2: .*unknown tag "X-PER"/;
  await expectRefusal(folder, ["mask", "--in", "bad.conll", "--out", "out.jsonl", "--rate", "0.5"], line);
  await expectRefusal(folder, ["evaluate", "--gold", "bad.conll", "--pred", "good.conll"], line);
  await expectRefusal(folder, ["evaluate", "--gold", "good.conll", "--pred", "bad.conll"], line);
});

describe("files that cannot be used", () => {
  it("a missing input", async () => {
    await expectRefusal(makeFolder(), ["convert", "--in", "no.conll", "--out", "out.jsonl"], "no.conll: no such file");
  });

  it("a directory instead of a file", async () => {
    const folder = makeFolder();
    mkdirSync(join(folder.path, "in"));
    mkdirSync(join(folder.path, "in.conll"));
    await expectRefusal(
      folder,
      ["convert", "--in", "in", "--out", "out.jsonl"],
      /^lacuna: in: expected a file, got a directory/,
    );
    await expectRefusal(
      folder,
      ["convert", "--in", "in.conll", "--out", "out.jsonl"],
      /^lacuna: in\.conll: expected a file, got a directory/,
    );
  });

  it("an output folder that does not exist, or is a file", async () => {
    const folder = makeFolder({ "a.conll": columns("Ada/B-PER") });
    await expectRefusal(
      folder,
      ["convert", "--in", "a.conll", "--out", "no/b.jsonl"],
      /^lacuna: no\/b\.jsonl: cannot be written/,
    );
    await expectRefusal(
      folder,
      ["convert", "--in", "a.conll", "--out", "a.conll/b.jsonl"],
      /^lacuna: a\.conll\/b\.jsonl: /,
    );
  });

  it("a directory as output", async () => {
    const folder = makeFolder({ "a.conll": columns("Ada/B-PER") });
    mkdirSync(join(folder.path, "b.jsonl"));
    await expectRefusal(folder, ["convert", "--in", "a.conll", "--out", "b.jsonl"], /^lacuna: b\.jsonl: .*directory/);
  });

  it("writes neither output when one of the two cannot be written", async () => {
    const folder = makeFolder({ "a.conll": columns("Ada/B-PER") });
    const args = ["mask", "--in", "a.conll", "--rate", "0.5", "--out"];
    await expectRefusal(folder, [...args, "out.jsonl", "--hidden", "no/h.jsonl"], /no\/h\.jsonl: cannot be written/);
    await expectRefusal(folder, [...args, "no/o.jsonl", "--hidden", "out.jsonl"], /no\/o\.jsonl: cannot be written/);
  });

  it.runIf(existsSync("/dev/full"))("a full disk behind standard output", async () => {
    const folder = makeFolder({ "a.conll": columns("Ada/B-PER") });
    const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
    for (const args of [
      ["evaluate", "--gold", "a.conll", "--pred", "a.conll"],
      ["convert", "--in", "a.conll", "--out", "-", "--quiet"],
    ]) {
      const child = spawn(process.execPath, [program, ...args], {
        cwd: folder.path,
        stdio: ["ignore", openSync("/dev/full", "w"), "pipe"],
      });
      let stderr = "";
      child.stderr!.on("data", (chunk) => {
        stderr += chunk;
      });
      const [code] = await once(child, "close");
      expect(stderr).toBe("lacuna: standard output: no space left on the device\n");
      expect(code).toBe(1);
    }
  });
});

/** Enough sentences to fill any pipe. */
function long(): string {
  return columns(Array.from({ length: 40_000 }, (_, index) => `Ada/B-PER met/O Bob${index}/B-PER`).join(" | "));
}

describe("a reader that goes away", () => {
  it.each([
    ["convert", ["--quiet"]],
    ["mask", ["--quiet", "--rate", "0.5", "--hidden", "hidden.jsonl"]],
  ])("ends %s quietly and leaves no half-written file", async (command, flags) => {
    const folder = makeFolder({ "a.conll": long() });
    const child = start(folder, command, "--in", "a.conll", "--out", "-", ...flags);
    child.stdout.once("data", () => child.stdout.destroy());
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    const [code] = await once(child, "close");
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(folder.names()).toEqual(["a.conll"]);
  });
});

describe("an interrupt", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s ends with %d, the old output in place and nothing half-written", async (signal, code) => {
    const folder = makeFolder({ "out.jsonl": "as before" });
    const child = start(folder, "convert", "--in", "-", "--from", "lacuna", "--out", "out.jsonl");
    child.stdin.write(
      `${(await run(folder, ["convert", "--in", "-", "--from", "conll", "--out", "-"], columns("Ada/B-PER"))).stdout}`,
    );
    await until(() => folder.names().length > 1);
    child.kill(signal);
    expect(await outcomeOf(child)).toEqual({ code, stdout: "", stderr: "" });
    expect(folder.names()).toEqual(["out.jsonl"]);
    expect(folder.read("out.jsonl")).toBe("as before");
  });

  it("takes away the copy of an input that is read twice", async () => {
    const folder = makeFolder();
    const child = start(folder, "convert", "--in", "-", "--from", "conll", "--out", "out.jsonl");
    child.stdin.write(columns("Ada/B-PER"));
    await until(() => readdirSync(folder.scratch).length > 0);
    child.kill("SIGINT");
    expect((await outcomeOf(child)).code).toBe(130);
    expect(readdirSync(folder.scratch)).toEqual([]);
    expect(folder.names()).toEqual([]);
  });
});
