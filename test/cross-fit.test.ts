import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
// Built, by its name: folds on several cores run in processes of their own.
import { completeSettings, crossFit, type Sentence } from "lacuna-ner";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tokenTexts } from "../src/text/index.ts";
import { foldsOf } from "../src/training/index.ts";
import { sentenceOf } from "./support/words.ts";

/** Every sentence has a word of its own, but for the last two, which differ in case alone. */
const names = ["Ana", "Rui", "Eva", "Leo", "Mia", "Tom", "Ada", "Ivo"];
const sentences: Sentence[] = [
  ...names.flatMap((name, i) =>
    ["Porto", "Faro"].map((place, j) =>
      sentenceOf(`${name} w${i}x${j} in ${place}`, {
        entities: [{ start: 0, end: 1, type: "PER" }, ...(j === 0 ? [{ start: 3, end: 4, type: "LOC" }] : [])],
      }),
    ),
  ),
  sentenceOf("said Ana twice", { entities: [{ start: 1, end: 2, type: "PER" }] }),
  sentenceOf("SAID Ana TWICE"),
];

/** The word that no other sentence has. */
function ownWords(sentence: Sentence): string[] {
  return tokenTexts(sentence).filter((word) => /^w\dx\d$/.test(word));
}

describe("folds", () => {
  it("are of like size, keep sentences together that are equal up to case, and follow from the seed", () => {
    const many = Array.from({ length: 120 }, (_, i) => sentenceOf(`${i % 2 === 0 ? "Same" : "same"} ${i >> 1} words`));
    const folds = foldsOf(many, 4, 1);
    for (let i = 0; i < many.length; i += 2) expect(folds[i]).toBe(folds[i + 1]);
    const sizes = [0, 1, 2, 3].map((fold) => folds.filter((each) => each === fold).length);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(2);
    expect([...foldsOf(many, 4, 1)]).toEqual([...folds]);
    expect([...foldsOf(many, 4, 2)]).not.toEqual([...folds]);
    expect(() => foldsOf([many[0]!, many[1]!], 2, 1)).toThrow("2 folds need as many different sentences, got 1");
  });
});

const given = {
  method: "uniform",
  encoder: { name: "bilstm", wordWidth: 8, minimumCount: 1, units: 8 },
  head: { hidden: 8, maxWidth: 2 },
  epochs: 2,
  batchTokens: 32,
  threads: 1,
} as const;
const settings = completeSettings(given);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lacuna-cross-fit-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("cross-fitting", () => {
  it("scores every item of every sentence once, by a model that has not seen the sentence", async () => {
    const directory = join(folder, "whole");
    const fitted = await crossFit(sentences, settings, { directory, folds: 3 });
    expect(fitted.labels).toEqual(["O", "LOC", "PER"]);
    const seen = new Set<number>();
    for (const { sentence, scores } of fitted.scores()) {
      seen.add(sentence);
      expect(scores.items.size).toBe(2 * (sentences[sentence]!.offsets.length / 2) - 1);
      for (let item = 0; item < scores.items.size; item++) {
        const row = scores.logProbs.subarray(3 * item, 3 * item + 3);
        expect(row.reduce((sum, each) => sum + Math.exp(each), 0)).toBeCloseTo(1, 4);
      }
    }
    expect(seen.size).toBe(sentences.length);
    for (let fold = 0; fold < 3; fold++) {
      const { words } = JSON.parse(await readFile(join(directory, `fold-${fold + 1}`, "vocabulary.json"), "utf8"));
      sentences.forEach((sentence, number) => {
        for (const own of ownWords(sentence)) expect(words.includes(own)).toBe(fitted.folds[number] !== fold);
      });
    }
    expect(fitted.folds.at(-1)).toBe(fitted.folds.at(-2));
  });

  it("with one fold asks a model about what it was taught, as a control", async () => {
    const directory = join(folder, "control");
    const fitted = await crossFit(sentences, settings, { directory, folds: 1 });
    expect([...fitted.scores()].map(({ sentence }) => sentence)).toEqual([...sentences.keys()]);
    const { words } = JSON.parse(await readFile(join(directory, "fold-1", "vocabulary.json"), "utf8"));
    for (const sentence of sentences) expect(words).toEqual(expect.arrayContaining(ownWords(sentence)));
    await expect(crossFit(sentences, settings, { directory, folds: 0 })).rejects.toThrow(
      "expected at least 1 fold, got 0",
    );
  });

  it("scores the spans that each model looks at, when folds differ in the widest entity", async () => {
    const wide = sentenceOf("the great old town of Faro", { entities: [{ start: 0, end: 6, type: "LOC" }] });
    const automatic = completeSettings({ ...given, head: { hidden: 8 }, epochs: 1 });
    const fitted = await crossFit([...sentences, wide], automatic, { directory: join(folder, "wide"), folds: 2 });
    const widest = new Set<number>();
    let count = 0;
    for (const { scores } of fitted.scores()) {
      const [starts, ends] = [scores.items.starts(), scores.items.ends()];
      widest.add(starts.reduce((most, start, i) => Math.max(most, ends[i]! - start), 0));
      expect(scores.logProbs.length).toBe(scores.items.size * 3);
      count++;
    }
    expect(count).toBe(sentences.length + 1);
    expect(widest).toContain(1);
    expect(Math.max(...widest)).toBeGreaterThan(1);
  });

  it("on two cores gives the same bytes", async () => {
    const directory = join(folder, "parallel");
    const events = new Set<number>();
    await crossFit(sentences, settings, { directory, folds: 3, jobs: 2, see: ({ fold }) => events.add(fold) });
    expect(events).toEqual(new Set([0, 1, 2]));
    for (const name of ["fold-1", "fold-2", "fold-3"])
      expect(await scoresIn("parallel", name)).toEqual(await scoresIn("whole", name));
  });

  it("goes on where it was interrupted, to the same bytes, and trains no fold again", async () => {
    const directory = join(folder, "stopped");
    const controller = new AbortController();
    const stopped = crossFit(sentences, settings, {
      directory,
      folds: 3,
      signal: controller.signal,
      see: ({ fold, record }) => {
        if (fold === 1 && record.kind === "evaluation") controller.abort(new Error("stopped"));
      },
    });
    await expect(stopped).rejects.toThrow("stopped");
    expect(existsSync(join(directory, "fold-1", "scores.safetensors"))).toBe(true);
    expect((await readdir(join(directory, "fold-2"))).includes("checkpoint")).toBe(true);
    const folds = new Set<number>();
    await crossFit(sentences, settings, { directory, folds: 3, see: ({ fold }) => folds.add(fold) });
    expect(folds).toEqual(new Set([1, 2]));
    for (const name of ["fold-1", "fold-2", "fold-3"])
      expect(await scoresIn("stopped", name)).toEqual(await scoresIn("whole", name));
  });

  it("refuses a folder that holds scores of other data", async () => {
    const other = [
      ...sentences.slice(1),
      sentenceOf("one more here", { entities: [{ start: 0, end: 1, type: "PER" }] }),
    ];
    await expect(crossFit(other, settings, { directory: join(folder, "whole"), folds: 3 })).rejects.toThrow(
      "holds scores of other data or settings",
    );
  });
});

function scoresIn(run: string, fold: string): Promise<Buffer> {
  return readFile(join(folder, run, fold, "scores.safetensors"));
}
