import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { columns, program, run, sharedFolder, start, until } from "./lacuna.ts";
import { trainTiny } from "./tiny.ts";

const folder = sharedFolder();
beforeAll(() => trainTiny(folder, "model"));

const tag = (args: readonly string[], input = "") => run(folder, ["tag", "--model", "model", ...args], input);

describe("tag", () => {
  it("marks entities in plain text from standard input, line by line, empty lines and spaces kept", async () => {
    const text = "Ada lives in  Oslo.\r\n\nThey flew to Rome. Mia met Tom today.\n\tNothing happened today .";
    expect(await tag([], text)).toEqual({
      code: 0,
      stdout:
        "[Ada](PER) lives in  [Oslo](LOC).\n\n" +
        "They flew to [Rome](LOC). [Mia](PER) met [Tom](PER) today.\n\tNothing happened today .\n",
      stderr: "",
    });
  });

  it("writes JSON lines with character offsets and scores, and keeps the names of documents", async () => {
    const line = JSON.stringify({ text: "😀 Ada lives in Oslo.", entities: [[0, 1, "X"]], meta: { id: "d7" } });
    const { stdout, code } = await tag(["--format", "jsonl"], `${line}\n`);
    expect(code).toBe(0);
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({ id: "d7", text: "😀 Ada lives in Oslo." });
    const [sentence] = document.sentences;
    const found = sentence.entities.map(
      ({ start, end, type, score }: Record<"start" | "end" | "type" | "score", never>) => [
        document.text.slice(sentence.tokens[2 * start], sentence.tokens[2 * end - 1]),
        type,
        score > 0.5 && score <= 1,
      ],
    );
    // What the emoji is to a model that never saw one does not matter; that it counts as two units does.
    expect(found).toContainEqual(["Ada", "PER", true]);
    expect(found).toContainEqual(["Oslo", "LOC", true]);
  });

  it("replaces the tags of columns, told by their look, and keeps their tokens and sentences", async () => {
    const gold = columns("Bob/O met/B-LOC Eve/O today/O ./O | They/O flew/O to/O Cairo/O ./O");
    const { stdout, stderr } = await tag(["--format", "conll"], gold);
    expect(stderr).toBe("");
    expect(stdout.trimEnd()).toBe(
      columns("Bob/B-PER met/O Eve/B-PER today/O ./O | They/O flew/O to/O Cairo/B-LOC ./O").trimEnd(),
    );
  });

  it("reads and writes files, by their endings, with a summary on standard error", async () => {
    folder.write("in.txt", "Ada lives in Oslo.\n");
    const { stdout, stderr } = await tag(["--in", "in.txt", "--out", "out.conll"]);
    expect(stdout).toBe("");
    expect(stderr).toBe("out.conll: 1 document, 1 sentence, 5 tokens, 2 entities\n");
    expect(folder.read("out.conll")).toBe("Ada\tB-PER\nlives\tO\nin\tO\nOslo\tB-LOC\n.\tO\n\n");
    await tag(["--in", "out.conll", "--out", "out.jsonl", "--quiet"]);
    expect(JSON.parse(folder.read("out.jsonl")).lacuna).toBe(1);
    await tag(["--in", "out.conll", "--out", "out.txt", "--threads", "1", "--quiet"]);
    expect(folder.read("out.txt")).toBe("[Ada](PER) lives in [Oslo](LOC) .\n");
    await tag(["--in", "in.txt", "--from", "text", "--out", "out.md", "--quiet"]);
    expect(folder.read("out.md")).toBe("[Ada](PER) lives in [Oslo](LOC).\n");
  });

  it("leaves out entities below a probability", async () => {
    const { stdout } = await tag(["--min-score", "1"], "Ada lives in Oslo.\n");
    expect(stdout).toBe("Ada lives in Oslo.\n");
  });

  it("makes nothing of nothing", async () => {
    expect(await tag([])).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("tags lines of a pipe that is still being written as they come", async () => {
    const child = start(folder, "tag", "--model", "model", "--from", "text", "--quiet");
    let stdout = "";
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    child.stdin.write("Ada lives in Oslo.\n");
    await until(() => stdout === "[Ada](PER) lives in [Oslo](LOC).\n");
    child.stdin.write("They flew to Rome.\nNothing happened ");
    await until(() => stdout.endsWith("They flew to [Rome](LOC).\n"));
    child.stdin.end("today.");
    const [code] = await once(child, "close");
    expect(code).toBe(0);
    expect(stdout.endsWith("\nNothing happened today.\n")).toBe(true);
  });

  it("takes a line of any length, and finds entities to its end", async () => {
    const line = `${"x".repeat(17 << 20)} Ada lives in Oslo.`;
    const { code, stdout } = await tag(["--from", "text"], line);
    expect(code).toBe(0);
    expect(stdout.endsWith(" [Ada](PER) lives in [Oslo](LOC).\n")).toBe(true);
  });

  it("ends quietly when nobody reads any more", async () => {
    const child = start(folder, "tag", "--model", "model", "--quiet");
    child.stdin.on("error", () => {});
    child.stdin.end("Ada lives in Oslo.\n".repeat(60_000));
    child.stdout.once("data", () => child.stdout.destroy());
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    const [code] = await once(child, "close");
    expect(stderr).toBe("");
    expect(code).toBe(0);
  });

  it("works on when nobody reads its progress", async () => {
    const child = spawn(process.execPath, [program, "tag", "--model", "model", "--out", "unread.txt"], {
      cwd: folder.path,
    });
    child.stderr.destroy();
    child.stdin.end("Ada lives in Oslo.\n");
    const [code] = await once(child, "close");
    expect(code).toBe(0);
    expect(folder.read("unread.txt")).toBe("[Ada](PER) lives in [Oslo](LOC).\n");
  });
});

describe("a model that cannot be used is refused in one line", () => {
  let number = 0;
  const broken = async (spoil: (model: string) => void): Promise<string> => {
    const name = `broken${number++}`;
    cpSync(join(folder.path, "model"), join(folder.path, name), { recursive: true });
    spoil(join(folder.path, name));
    const { code, stdout, stderr } = await run(folder, ["tag", "--model", name], "Ada\n");
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^lacuna: [^\n]+\n$/);
    return stderr.replace(name, "it").replace(/^lacuna: /, "");
  };
  const change = (name: string, pattern: string, replacement: string) => (model: string) => {
    const text = folder.read(join(model.slice(folder.path.length + 1), name));
    expect(text).toContain(pattern);
    writeFileSync(join(model, name), text.replace(pattern, replacement));
  };

  it.each<[string, (model: string) => void, string]>([
    [
      "weights that are cut off",
      (m) => truncateSync(join(m, "model.safetensors"), 5000),
      "it/model.safetensors: safetensors: the header describes ",
    ],
    ["no weights", (m) => unlinkSync(join(m, "model.safetensors")), "it/model.safetensors: no such file"],
    [
      "a configuration that is cut off",
      (m) => truncateSync(join(m, "config.json"), 100),
      "it/config.json: not a model configuration: ",
    ],
    [
      "no configuration",
      (m) => unlinkSync(join(m, "config.json")),
      "it/config.json: no such file; is this a model directory?",
    ],
    [
      "another configuration",
      (m) => writeFileSync(join(m, "config.json"), "{}"),
      "it/config.json: not a Lacuna model configuration: format: ",
    ],
    [
      "a later version",
      change("config.json", '"version": 2', '"version": 3'),
      "it/config.json: not a Lacuna model configuration: version: ",
    ],
    [
      "other sizes",
      change("config.json", '"hidden": 16', '"hidden": 17'),
      'it/model.safetensors: tensor "span.difference" must have shape [32, 17], got [32, 16]',
    ],
    [
      "an unknown encoder",
      change("config.json", '"name": "bilstm"', '"name": "lattice"'),
      'encoder: unknown "lattice" (known: bilstm, transformer',
    ],
    [
      "an unknown way of decoding",
      change("config.json", '"overlap": "flat"', '"overlap": "odd"'),
      "it: decode settings: ",
    ],
    [
      "a vocabulary that is cut off",
      (m) => truncateSync(join(m, "vocabulary.json"), 20),
      "it: config.json and vocabulary.json do not make a model: ",
    ],
    ["no vocabulary", (m) => unlinkSync(join(m, "vocabulary.json")), "it/vocabulary.json: no such file"],
  ])("%s", async (_, spoil, message) => {
    expect(await broken(spoil)).toContain(message);
  });

  it("no directory, or a file", async () => {
    folder.write("file", "");
    const refusal = async (model: string) => (await run(folder, ["tag", "--model", model], "Ada\n")).stderr;
    expect(await refusal("none")).toBe("lacuna: none/config.json: no such file; is this a model directory?\n");
    expect(await refusal("file")).toBe("lacuna: file/config.json: no such file; is this a model directory?\n");
  });
});
