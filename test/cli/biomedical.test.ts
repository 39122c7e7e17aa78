import { describe, expect, it } from "vitest";
import { run, sharedFolder } from "./lacuna.ts";
import { tiny } from "./tiny.ts";

/** A dictionary as a terminology service exports it, and sentences such as an abstract has. */
const dictionary = `id;preferred term;semantic type
C1;lithium carbonate;Chemical
C2;"valproic acid";Chemical
C3;As;Chemical
C4;β-carotene;Chemical
D1;seizure;Disease
D2;heart failure;Disease
D3;lithium;Chemical
`;
const sentences = [
  "Lithium carbonate was given as 300 mg twice a day.",
  "Two patients had a seizure as the dose of valproic acid rose.",
  "β-Carotene had no effect on heart failure.",
  "As was found in none of the samples, as expected.",
  "Heart failure and acute renal failure were seen in 4 of 31 patients.",
];
const folder = sharedFolder({
  "terms.csv": dictionary,
  "phrases.txt": "acute renal failure\n",
  "stop.txt": "As\n",
  "abstracts.txt": Array.from({ length: 12 }, () => sentences.join("\n")).join("\n"),
});
const label = ["label", "--dict", "terms.csv", "--ignore-case", "--in", "abstracts.txt"];

describe("from a biomedical dictionary to a model", () => {
  it("reads the columns by their names, and shows what is suspicious among the entries", async () => {
    const { code, stderr } = await run(folder, [...label, "--out", "first.jsonl"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/suspicious.*\n +As +Chemical +48 labels +only 2 characters\n/);
  });

  it("labels with a stop list, and leaves phrases of an untyped list undecided", async () => {
    const more = ["--stop", "stop.txt", "--unsure", "phrases.txt", "--out", "train.jsonl", "--json", "--quiet"];
    const { code, stdout } = await run(folder, [...label, ...more]);
    expect(code).toBe(0);
    // In each of the twelve rounds: lithium carbonate, valproic acid and β-carotene; a seizure and two heart failures.
    expect(JSON.parse(stdout).types).toEqual({ Chemical: 36, Disease: 36 });
    const first = JSON.parse(folder.read("train.jsonl").split("\n")[4]!);
    expect(first.sentences[0].unsure).toHaveLength(1);
  });

  it("says that labels of a dictionary do not tell how much is missing", async () => {
    const { stdout } = await run(folder, ["check", "train.jsonl"]);
    expect(stdout).toMatch(/all +cannot be told/);
  });

  it("trains with the method for gaps, without a warning, and tags", async () => {
    const train = ["train", "--train", "train.jsonl", ...tiny, "--epochs", "4", "--out", "model"];
    const { code, stderr } = await run(folder, train);
    expect(stderr).not.toContain("warning");
    expect(code).toBe(0);
    const tagged = await run(folder, ["tag", "--model", "model", "--quiet"], "No seizure after valproic acid.\n");
    expect(tagged.stdout.replaceAll(/\[(.*?)\]\(\w+\)/g, "$1")).toBe("No seizure after valproic acid.\n");
  });
});
