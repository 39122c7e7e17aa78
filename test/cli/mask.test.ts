import { describe, expect, it } from "vitest";
import { columns, type Folder, makeFolder, run } from "./lacuna.ts";

const names = ["Ada", "Bob", "Cid", "Dot", "Eve"];
const corpus = columns(
  Array.from(
    { length: 60 },
    (_, i) => `${names[i % 5]}/B-PER met/O ${names[(i * 3 + 1) % 5]}/B-PER in/O Rome/B-LOC`,
  ).join(" | "),
);

/** The tokens that carry a label, by line number. */
function labelled(conll: string): string[] {
  return conll
    .split("\n")
    .map((line, index) => `${index} ${line}`)
    .filter((line) => /\t[BI]-/.test(line));
}

async function mask(folder: Folder, ...flags: string[]): Promise<{ kept: string[]; hidden: string[] }> {
  const args = ["mask", "--in", "a.conll", "--out", "m.conll", "--hidden", "h.conll", "--quiet", ...flags];
  expect(await run(folder, args)).toEqual({ code: 0, stdout: "", stderr: "" });
  return { kept: labelled(folder.read("m.conll")), hidden: labelled(folder.read("h.conll")) };
}

describe("mask", () => {
  it("splits the annotations into what remains and what was hidden, in the format of the input", async () => {
    const folder = makeFolder({ "a.conll": corpus });
    const { kept, hidden } = await mask(folder, "--rate", "0.5", "--seed", "1");
    expect([...kept, ...hidden].sort()).toEqual(labelled(corpus).sort());
    expect(hidden.length).toBeGreaterThan(60);
    expect(hidden.length).toBeLessThan(120);
  });

  it("repeats by seed, whatever the format it reads and writes", async () => {
    const folder = makeFolder({ "a.conll": corpus });
    const { hidden } = await mask(folder, "--rate", "0.5", "--seed", "7");
    expect((await mask(folder, "--rate", "0.5", "--seed", "8")).hidden).not.toEqual(hidden);
    await run(folder, ["convert", "--in", "a.conll", "--out", "a.jsonl"]);
    await run(folder, [
      "mask",
      "--in",
      "a.jsonl",
      "--out",
      "m.jsonl",
      "--hidden",
      "h.jsonl",
      "--rate",
      "0.5",
      "--seed",
      "7",
    ]);
    await run(folder, ["convert", "--in", "h.jsonl", "--out", "h.conll"]);
    expect(labelled(folder.read("h.conll"))).toEqual(hidden);
  });

  it("hides an exact share, whole surface forms, or by type", async () => {
    const folder = makeFolder({ "a.conll": corpus });
    expect((await mask(folder, "--rate", "0.25", "--exact")).hidden).toHaveLength(45);
    const forms = (lines: string[]): Set<string> => new Set(lines.map((line) => line.split(/[ \t]/)[1]!));
    const surface = await mask(folder, "--rate", "0.5", "--by-surface", "--seed", "3");
    expect(forms(surface.hidden).size).toBeGreaterThan(0);
    for (const form of forms(surface.hidden)) expect(forms(surface.kept)).not.toContain(form);
    const typed = await mask(folder, "--type", "LOC=1", "--type", "PER=0");
    expect(typed.hidden).toEqual(labelled(corpus).filter((line) => line.endsWith("LOC")));
  });

  it("works through a pipe and reports figures as JSON", async () => {
    const folder = makeFolder();
    const piped = await run(folder, ["mask", "--in", "-", "--out", "-", "--rate", "1"], corpus);
    expect(piped.stderr).toBe("-: 60 documents, 60 sentences, 300 tokens, 180 entities, 180 hidden\n");
    expect(piped.stdout).toBe(`${corpus.replaceAll(/[BI]-(PER|LOC)/g, "O").trimEnd()}\n\n`);
    const counted = await run(
      folder,
      ["mask", "--in", "-", "--out", "m.conll", "--rate", "1", "--json", "--quiet"],
      corpus,
    );
    expect(JSON.parse(counted.stdout)).toMatchObject({ documents: 60, entities: 180, hidden: 180, losses: [] });
  });

  it("leaves no sentence complete", async () => {
    const folder = makeFolder({ "a.conll": corpus });
    await run(folder, ["convert", "--in", "a.conll", "--out", "a.jsonl", "--silence", "negative"]);
    await run(folder, ["mask", "--in", "a.jsonl", "--out", "m.jsonl", "--rate", "0"]);
    const { stdout } = await run(folder, ["evaluate", "--gold", "m.jsonl", "--pred", "a.jsonl", "--json"]);
    expect(JSON.parse(stdout).gold).toMatchObject({ complete: false, completeSentences: 0, sentences: 60 });
  });

  it("refuses a type that no entity has and writes nothing", async () => {
    const folder = makeFolder({ "a.conll": corpus });
    const { code, stderr } = await run(folder, ["mask", "--in", "a.conll", "--out", "m.conll", "--type", "PRE=0.5"]);
    expect(stderr).toBe('lacuna: mask: no entity has the type "PRE" (known: LOC, PER)\n');
    expect(code).toBe(2);
    expect(folder.names()).toEqual(["a.conll"]);
  });
});
