import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { columns, makeFolder, run } from "./lacuna.ts";

const commands = [
  "label",
  "mask",
  "check",
  "train",
  "evaluate",
  "tag",
  "audit",
  "review",
  "serve",
  "convert",
  "import",
  "experiment",
  "demo",
];

describe("help", () => {
  it("lists every command, on standard output", async () => {
    const { code, stdout, stderr } = await run(makeFolder(), ["--help"]);
    expect(code).toBe(0);
    for (const command of commands) expect(stdout).toMatch(new RegExp(`^  ${command} `, "m"));
    expect(stderr).toBe("");
  });

  it.each(commands)("of %s has an example of its use", async (command) => {
    const { code, stdout } = await run(makeFolder(), [command, "--help"]);
    expect(code).toBe(0);
    expect(stdout.slice(stdout.indexOf("\nExamples:\n"))).toMatch(new RegExp(`^  \\$ .*lacuna ${command}\\b`, "m"));
  });

  it("is the answer to no command at all, on standard error with exit code 2", async () => {
    const { code, stdout, stderr } = await run(makeFolder(), []);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain("Usage: lacuna [options] [command]");
  });

  it("--version prints that of the package", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    expect(await run(makeFolder(), ["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });
});

describe("wrong usage ends with exit code 2 and one line", () => {
  it.each([
    ["a misspelt command", ["convret"], "lacuna: unknown command 'convret' (Did you mean convert?)"],
    ["a misspelt flag", ["convert", "--inn", "a", "--out", "b"], "lacuna: unknown option '--inn' (Did you mean --in?)"],
    ["another", ["mask", "--seeed", "1"], "lacuna: unknown option '--seeed' (Did you mean --seed?)"],
    ["a missing flag", ["convert", "--in", "a"], "lacuna: required option '--out <file>' not specified"],
    [
      "a flag without its argument",
      ["convert", "--in", "a", "--out"],
      "lacuna: option '--out <file>' argument missing",
    ],
    [
      "a rate above 1",
      ["mask", "--in", "a", "--out", "b", "--rate", "1.5"],
      "lacuna: option '--rate <share>' argument '1.5' is invalid. Expected a number from 0 to 1.",
    ],
    [
      "an empty rate",
      ["mask", "--in", "a", "--out", "b", "--rate", ""],
      "lacuna: option '--rate <share>' argument '' is invalid. Expected a number from 0 to 1.",
    ],
    [
      "a seed that is not whole",
      ["mask", "--in", "a", "--out", "b", "--rate", "1", "--seed", "1.5"],
      "lacuna: option '--seed <number>' argument '1.5' is invalid. Expected a whole number from 0.",
    ],
    [
      "a type without a rate",
      ["mask", "--in", "a", "--out", "b", "--type", "PER"],
      "lacuna: option '--type <TYPE=RATE>' argument 'PER' is invalid. Expected TYPE=RATE, such as PER=0.5.",
    ],
    [
      "two ways of hiding",
      ["mask", "--in", "a", "--out", "b", "--rate", "0.5", "--type", "PER=0.5"],
      "lacuna: option '--type <TYPE=RATE>' cannot be used with option '--rate <share>'",
    ],
    [
      "no way of hiding",
      ["mask", "--in", "a", "--out", "b"],
      "lacuna: mask: how much to hide is missing (--rate SHARE, or --type TYPE=RATE)",
    ],
    [
      "a scheme that does not exist",
      ["convert", "--in", "a", "--out", "b", "--scheme", "BIOX"],
      "lacuna: option '--scheme <name>' argument 'BIOX' is invalid. " +
        'unknown tag scheme "BIOX" (known: IOB1, IOB2, BIOES, BMES, BILOU)',
    ],
    [
      "the summary where the data goes",
      ["convert", "--in", "a", "--out", "-", "--json"],
      "lacuna: --json prints to standard output, where --out - already puts the data",
    ],
    [
      "one file for both outputs",
      ["mask", "--in", "a", "--out", "b", "--hidden", "./b", "--rate", "0.5"],
      "lacuna: ./b: --out and --hidden must be two files",
    ],
    [
      "standard input twice",
      ["evaluate", "--gold", "-", "--pred", "-"],
      "lacuna: evaluate: standard input can be read once only, give the other input as a file",
    ],
  ])("%s", async (_, args, line) => {
    expect(await run(makeFolder(), args)).toEqual({ code: 2, stdout: "", stderr: `${line}\n` });
  });

  it("an unknown format, naming those there are", async () => {
    const folder = makeFolder({ "a.conll": columns("x/O") });
    const { code, stderr } = await run(folder, ["convert", "--in", "a.conll", "--from", "xml", "--out", "b.jsonl"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^lacuna: option '--from <format>' argument 'xml' is invalid\. Allowed choices are .*conll.*\n$/,
    );
  });
});
