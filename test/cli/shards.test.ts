import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { type Folder, run, sharedFolder } from "./lacuna.ts";
import { trainTiny } from "./tiny.ts";

const lines = Array.from({ length: 60 }, (_, i) =>
  ["Ada lives in Rome .", "Nothing happened today .", "", "Bob met Eve in Łódź today ."][i % 4]!.replace(
    "Rome",
    `Rome ${i}`,
  ),
);

/** Enough for several blocks that go through a model together. */
const long = Array.from(
  { length: 3000 },
  (_, i) => `Ada met Bob ${i} in Rome today , and Eve lives in ${"Oslo ".repeat(i % 7)}.\n`,
);

const labelling = ["label", "--dict", "names.tsv", "--workers", "0", "--quiet"];

async function done(folder: Folder, ...args: string[]): Promise<string> {
  const { code, stderr, stdout } = await run(folder, args);
  expect(stderr).not.toContain("lacuna:");
  expect(code).toBe(0);
  return stdout + stderr;
}

describe("an input in shards", () => {
  const folder = sharedFolder({ "text.txt": `${lines.join("\n")}\n`, "names.tsv": "Ada\tPER\nRome\tLOC\nŁódź\tLOC\n" });
  beforeAll(async () => {
    await trainTiny(folder, "model");
    folder.write("long.txt", long.join(""));
    await done(folder, "tag", "--model", "model", "--in", "long.txt", "--out", "whole.jsonl", "--quiet");
    await done(folder, ...labelling, "--in", "text.txt", "--out", "labelled.jsonl");
  });

  it.each([
    ["tag", ["tag", "--model", "model", "--in", "long.txt", "--quiet"], "whole.jsonl"],
    ["label", [...labelling, "--in", "text.txt"], "labelled.jsonl"],
  ])("%s gives the bytes of a run in one piece, whoever does which share", async (_, command, expected) => {
    const all = [...command, "--out", "out.jsonl"];
    for (const share of ["2/3", "0/3", "1/3", "1/3"])
      await done(folder, ...all, "--shard", share, "--shard-size", "200");
    await done(folder, ...all, "--merge");
    expect(folder.read("out.jsonl")).toBe(folder.read(expected));
    expect(folder.names()).not.toContain("out.jsonl.shards");
  });

  it("is written like the input where their names agree, as in one piece", async () => {
    const rows = lines.map((line) => JSON.stringify({ text: line, label: [] })).join("\n");
    folder.write("tasks.jsonl", rows);
    const command = [...labelling, "--in", "tasks.jsonl", "--out"];
    await done(folder, ...command, "in-one-piece.jsonl");
    await done(folder, ...command, "joined.jsonl", "--shard", "0/1", "--shard-size", "500", "--merge");
    expect(folder.read("joined.jsonl")).toBe(folder.read("in-one-piece.jsonl"));
    expect(folder.read("joined.jsonl")).toMatch(/^\{"text":"Ada lives in Rome 0 \.","label":\[\[0,3,"PER"\]/);
  });

  it("is the files of a pattern in the order of their names, packed or not", async () => {
    writeFileSync(join(folder.path, "b.txt"), lines.slice(20, 50).join("\n"));
    writeFileSync(join(folder.path, "a.txt.gz"), gzipSync(`${lines.slice(0, 20).join("\n")}\n`));
    writeFileSync(join(folder.path, "c.txt"), `${lines.slice(50).join("\n")}\n`);
    const command = [...labelling, "--in", "?.txt*"];
    await done(folder, ...command, "--out", "in-one-go.jsonl");
    expect(folder.read("in-one-go.jsonl")).toBe(folder.read("labelled.jsonl"));
    await done(folder, ...command, "--out", "out.jsonl", "--shard", "0/1", "--shard-size", "300", "--merge");
    expect(folder.read("out.jsonl")).toBe(folder.read("labelled.jsonl"));
  });

  it("says what is missing when it is joined too early, and which shard was damaged", async () => {
    const command = [...labelling, "--in", "text.txt", "--out", "part.jsonl", "--shard-size", "400"];
    await done(folder, ...command, "--shard", "0/2");
    const early = await run(folder, [...labelling, "--in", "text.txt", "--out", "part.jsonl", "--merge"]);
    expect(early.code).toBe(2);
    expect(early.stderr).toMatch(/part\.jsonl\.shards: 1 of 3 shards are missing \(1\); run them first/);
    await done(folder, ...command, "--shard", "1/2");
    const shards = join(folder.path, "part.jsonl.shards");
    const output = readdirSync(shards).find((name) => name.endsWith(".jsonl"))!;
    const before = readFileSync(join(shards, output), "utf8");
    writeFileSync(join(shards, output), before.replace("PER", "ORG"));
    const damaged = await run(folder, [...labelling, "--in", "text.txt", "--out", "part.jsonl", "--merge"]);
    expect(damaged.code).toBe(2);
    expect(damaged.stderr).toContain(`${output}: is not what was written`);
    rmSync(join(shards, output));
    await done(folder, ...command, "--shard", "0/1", "--merge");
    expect(folder.read("part.jsonl")).toBe(folder.read("labelled.jsonl"));
  });

  it("is refused where shards of other inputs or settings are there, or the input has changed", async () => {
    const command = [...labelling, "--in", "changing.txt", "--out", "change.jsonl", "--shard", "0/1"];
    folder.write("changing.txt", "Ada lives in Rome .\n");
    await done(folder, ...command);
    folder.write("changing.txt", "Ada lives in Rome , too .\n");
    const { code, stderr } = await run(folder, command);
    expect(code).toBe(2);
    expect(stderr).toContain("change.jsonl.shards: holds shards of other inputs, settings or a changed model");
  });

  it.each([
    ["--shard 3/3", ["--out", "x.jsonl", "--shard", "3/3"], "Expected I/N with I from 0 to N-1"],
    ["standard output", ["--shard", "0/2"], "name a file with --out"],
    ["columns", ["--out", "x.conll", "--shard", "0/2"], "shards cannot be joined as conll"],
    ["--upload alone", ["--out", "x.jsonl", "--upload"], "--upload needs --queue URL"],
    ["no such file", ["--out", "x.jsonl", "--in", "no*.txt", "--shard", "0/2"], "no*.txt: no file has such a name"],
  ])("refuses %s in a line", async (_, args, message) => {
    const { code, stderr } = await run(folder, ["tag", "--model", "model", "--in", "text.txt", ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});

it("a queue at an address where there is none, or that is no address, is refused in a line without the password", async () => {
  const folder = sharedFolder({ "text.txt": "Ada\n", "names.tsv": "Ada\tPER\n" });
  const command = ["label", "--dict", "names.tsv", "--in", "text.txt", "--out", "out.jsonl", "--queue"];
  const none = await run(folder, [...command, "redis://me:secret@127.0.0.1:1"]);
  expect(none.code).toBe(2);
  expect(none.stderr).toMatch(/^lacuna: --queue: redis:\/\/me@127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED.*\n$/);
  const wrong = await run(folder, [...command, "http://me:secret@127.0.0.1:1"]);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain("--queue: expected redis://[USER:PASSWORD@]HOST:PORT[/DB]");
  expect(none.stderr + wrong.stderr).not.toContain("secret");
});
