import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { score } from "../src/evaluation/index.ts";
import { heads } from "../src/heads/index.ts";
import { Recogniser, Scorer } from "../src/inference/index.ts";
import { completeSettings, train } from "../src/methods/index.ts";
import type { Sentence } from "../src/text/index.ts";
import { sentenceOf } from "./support/words.ts";

const people = "Ana Rui Eva Leo Mia Tom Ada Ivo".split(" ");
const places = "Porto Faro Lagos Braga".split(" ");

/** "so Ana Maria met us in New Porto": entities of one and of two tokens. */
const sentences: Sentence[] = people.flatMap((person, i) =>
  places.map((place, j) => {
    const [name, town] = [(i + j) % 2 ? `${person} Maria` : person, j % 2 ? `New ${place}` : place];
    const first = 1 + name.split(" ").length;
    const second = first + 3 + town.split(" ").length;
    return sentenceOf(`so ${name} met us in ${town}`, {
      entities: [
        { start: 1, end: first, type: "PER" },
        { start: first + 3, end: second, type: "LOC" },
      ],
    });
  }),
);
const dev = sentences.filter((_, i) => i % 4 === 0);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lacuna-heads-"));
});
afterAll(() => rm(folder, { recursive: true }));

const weights = (directory: string): Promise<Buffer> => readFile(join(directory, "model.safetensors"));

/** Trains with plain settings; stops after so many records. */
async function trained(name: string, head: string, { stopAfter = Number.POSITIVE_INFINITY, resume = false } = {}) {
  const directory = join(folder, `${head} ${name}`);
  const controller = new AbortController();
  const settings = completeSettings({
    method: "ce",
    head: { name: head, dropout: 0.1, ...(head === "token" ? {} : { hidden: 12 }) },
    encoder: { name: "bilstm", wordWidth: 8, minimumCount: 1, units: 8, dropout: 0.1, features: false },
    rate: 0.03,
    batchTokens: 64,
    threads: 1,
    epochs: 20,
    patience: 0,
  });
  let records = 0;
  try {
    const options = { directory, resume, signal: controller.signal };
    for await (const _ of train({ train: sentences, dev }, settings, options))
      if (++records === stopAfter) controller.abort(new Error("stopped"));
  } catch (error) {
    if ((error as Error).message !== "stopped") throw error;
  }
  return directory;
}

describe.each(Object.entries(heads))("the head %s", (name, head) => {
  it("has its name in the table, and the method it recommends takes it", () => {
    expect(head.name).toBe(name);
    const settings = completeSettings({ head: name });
    expect(settings.head.name).toBe(name);
    expect(settings.method).toBe("method" in head ? head.method : "uniform");
  });

  it("learns, says distributions, finds more with a shift below 0, and resumes to the same weights", async () => {
    const directory = await trained("whole", name);
    const recogniser = await Recogniser.load(directory, { threads: 1 });
    const predicted = await recogniser.sentences(dev);
    await recogniser.dispose();
    const { f1 } = score(dev.map((gold, i) => ({ gold, predicted: predicted[i]! })));
    expect(f1).toBeGreaterThan(0.85);

    const scorer = await Scorer.load(directory, { runtime: { threads: 1 } });
    const labels = scorer.labels.length;
    for await (const { items, logProbs } of scorer.scores(dev.slice(0, 3))) {
      expect(logProbs.length).toBe(items.size * labels);
      for (let item = 0; item < items.size; item++) {
        const row = logProbs.subarray(item * labels, (item + 1) * labels);
        expect(row.reduce((sum, each) => sum + Math.exp(each), 0)).toBeCloseTo(1, 4);
      }
    }
    await scorer.dispose();

    /** Tokens of entities. */
    const count = async (shift: number): Promise<number> => {
      const shifted = await Recogniser.load(directory, { threads: 1, decode: { shift, overlap: "all" } });
      const found = await shifted.sentences(dev);
      await shifted.dispose();
      return found.flatMap(({ entities }) => entities).reduce((sum, { start, end }) => sum + end - start, 0);
    };
    expect(await count(30)).toBe(0);
    expect(await count(-30)).toBeGreaterThan(await count(0));

    await trained("stopped", name, { stopAfter: 20 });
    const resumed = await trained("stopped", name, { resume: true });
    expect((await weights(resumed)).equals(await weights(directory))).toBe(true);
  });
});
