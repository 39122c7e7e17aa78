import { describe, expect, it } from "vitest";
import { columns, makeFolder, run } from "./lacuna.ts";

const sentences = columns("Ada/B-PER Lovelace/I-PER met/O Bob/B-PER | Paris/B-LOC sleeps/O");

describe("convert", () => {
  it("goes to Lacuna's own format and back without a change, and reports on standard error", async () => {
    const folder = makeFolder({ "a.conll": sentences });
    const there = await run(folder, ["convert", "--in", "a.conll", "--out", "a.jsonl"]);
    expect(there).toEqual({ code: 0, stdout: "", stderr: "a.jsonl: 2 documents, 2 sentences, 6 tokens, 3 entities\n" });
    const back = await run(folder, ["convert", "--in", "a.jsonl", "--out", "b.conll", "--quiet"]);
    expect(back).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(folder.read("b.conll").trimEnd()).toBe(sentences.trimEnd());
  });

  it("reads standard input and writes standard output", async () => {
    const folder = makeFolder();
    const args = ["convert", "--in", "-", "--out", "-", "--to", "conll", "--to-scheme", "bioes", "--quiet"];
    const { code, stdout, stderr } = await run(folder, args, sentences);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout.split("\n").slice(0, 4)).toEqual(["Ada\tB-PER", "Lovelace\tE-PER", "met\tO", "Bob\tS-PER"]);
  });

  it("replaces its own input", async () => {
    const folder = makeFolder({ "a.conll": sentences });
    const { code } = await run(folder, ["convert", "--in", "a.conll", "--out", "a.conll", "--to-scheme", "BILOU"]);
    expect(code).toBe(0);
    expect(folder.read("a.conll")).toContain("Lovelace\tL-PER");
    expect(folder.names()).toEqual(["a.conll"]);
  });

  it("keeps the meaning of silence: unknown unless the user declares it negative", async () => {
    const folder = makeFolder({ "a.conll": sentences });
    const complete = async (...flags: string[]): Promise<boolean> => {
      await run(folder, ["convert", "--in", "a.conll", "--out", "a.jsonl", "--quiet", ...flags]);
      const { stdout } = await run(folder, ["evaluate", "--gold", "a.jsonl", "--pred", "a.jsonl", "--json"]);
      return JSON.parse(stdout).gold.complete;
    };
    expect(await complete()).toBe(false);
    expect(await complete("--silence", "negative")).toBe(true);
  });

  it("refuses to lose anything, or lists what it lost when asked to", async () => {
    const folder = makeFolder({
      "a.jsonl": `${JSON.stringify({
        text: "Ada Lovelace",
        entities: [
          [0, 12, "PER"],
          [0, 3, "NAME"],
        ],
      })}\n`,
    });
    const args = ["convert", "--in", "a.jsonl", "--from", "doccano", "--out", "a.conll"];
    const refused = await run(folder, args);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/^lacuna: a\.conll: conll cannot express overlapping entities: [^\n]*\n$/);
    expect(folder.names()).toEqual(["a.jsonl"]);

    const listed = await run(folder, [...args, "--list-losses"]);
    expect(listed.code).toBe(0);
    expect(listed.stderr).toMatch(
      /^a\.conll: left out overlapping entities \(1\), such as .*"Ada".*\na\.conll: 1 document, /,
    );
    const counted = await run(folder, [...args, "--list-losses", "--json", "--quiet"]);
    expect(counted.stderr).toBe("");
    expect(JSON.parse(counted.stdout)).toMatchObject({
      documents: 1,
      sentences: 1,
      tokens: 2,
      entities: 1,
      read: { entities: 2 },
      losses: [{ what: "overlapping entities", count: 1 }],
    });
  });
});
