import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { missingShare, missingShares, score } from "../src/evaluation/index.ts";
import { biased } from "../src/heads/index.ts";
import { loadModel, Predictor, Recogniser, type Shift } from "../src/inference/index.ts";
import { train } from "../src/methods/index.ts";
import type { Sentence } from "../src/text/index.ts";
import { shiftGrid } from "../src/training/decision.ts";
import { gaussian, random } from "../src/util/random.ts";
import { sentenceOf } from "./support/words.ts";

const people = "Ana Rui Eva Leo Mia Tom Ada Ivo Zoe Gil Noa".split(" ");
const places = "Porto Faro Lagos Braga Evora Beja Viseu Olhao Leiria Tomar Loures Sines Silves".split(" ");

/** Every fourth person and every second place is labelled. */
const gaps = corpus((i, type) => (type === "PER" ? i % 4 === 0 : i % 2 === 0));
const dev = corpus(() => true, 7);

function corpus(isLabelled: (i: number, type: string) => boolean, step = 3): Sentence[] {
  return Array.from({ length: 60 }, (_, i) =>
    sentenceOf(`then ${people[(i * step) % people.length]} met us in ${places[i % places.length]} again`, {
      entities: [
        { start: 1, end: 2, type: "PER" },
        { start: 5, end: 6, type: "LOC" },
      ].filter(({ type }) => isLabelled(i, type)),
    }),
  );
}

const heads = {
  "a CRF tagger": { name: "token", dropout: 0 },
  "a softmax tagger": { name: "token", dropout: 0, output: "softmax", scheme: "bmeso" },
  "a span classifier": { name: "span", dropout: 0, hidden: 8, maxWidth: 3 },
} as const;
/** Where each model has the score of O. */
const biasOfO = { token: "token.tags.bias", span: "span.labels.bias" };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lacuna-shift-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function trained(
  name: string,
  given: object,
  devSet: readonly Sentence[] = dev,
  sentences: readonly Sentence[] = gaps,
): Promise<string> {
  const directory = join(folder, name.replaceAll(" ", "-"));
  const settings = {
    method: "ce",
    encoder: { name: "bilstm", wordWidth: 8, minimumCount: 1, units: 8, dropout: 0 },
    epochs: 3,
    rate: 0.01,
    batchTokens: 64,
    threads: 1,
    ...given,
  };
  for await (const _ of train({ train: sentences, dev: devSet }, settings as never, { directory })) void _;
  return directory;
}

async function f1(directory: string): Promise<number> {
  const recogniser = await Recogniser.load(directory);
  const predicted = await recogniser.sentences(dev);
  await recogniser.dispose();
  return f1Of(predicted);
}

/** Of a saved model, whatever shift it has. */
async function f1OfGrid(directory: string): Promise<number[]> {
  const { model, store } = await loadModel(directory);
  const predictor = await Predictor.create(model, store);
  const result: number[] = [];
  for (const shift of shiftGrid) result.push(f1Of(await predictor.predict(dev, { shift })));
  await predictor.dispose();
  return result;
}

function f1Of(predicted: readonly Sentence[]): number {
  return score(dev.map((gold, i) => ({ gold, predicted: predicted[i]! }))).f1;
}

describe("scores with biases", () => {
  it("share out probabilities anew within each item, as weights of exp(bias) do", () => {
    const rng = random(1, "scores");
    const logits = Float32Array.from({ length: 12 }, () => gaussian(rng));
    const items = { size: 4, starts: () => new Int32Array(4), ends: () => new Int32Array(4) };
    const softmax = (row: readonly number[]): number[] => {
      const total = row.reduce((sum, each) => sum + Math.exp(each), 0);
      return row.map((each) => Math.exp(each) / total);
    };
    const rows = [0, 3, 6, 9].map((from) => [...logits.subarray(from, from + 3)]);
    const logProbs = Float32Array.from(rows.flatMap(softmax), Math.log);
    const biases = Float32Array.of(0, 2.5, -1);
    const shifted = biased({ items, logits, logProbs }, biases);
    const expected = rows.flatMap((row) => softmax(row.map((each, i) => each + biases[i]!)));
    for (const [i, each] of expected.entries()) {
      expect(Math.exp(shifted.logProbs[i]!)).toBeCloseTo(each, 5);
      expect(shifted.logits[i]).toBeCloseTo(logits[i]! + biases[i % 3]!, 6);
    }
  });
});

describe.each(Object.entries(heads))("the shift of %s", (name, head) => {
  it("is what a greater bias of O would do, for all types or for one", async () => {
    const directory = await trained(name, { head });
    const { model, store } = await loadModel(directory);
    const predictor = await Predictor.create(model, store);
    const bias = store.tensors()[biasOfO[head.name]]!.data;
    const [plain] = await predictor.predictEach(dev, [{ overlap: "flat", minScore: 0, shift: 0 }]);
    const shifts: Shift[] = [-2.5, -1, 0, 1.5, { PER: -3 }, { PER: -2, LOC: 1 }];
    const found = await predictor.predictEach(
      dev,
      shifts.map((shift) => ({ overlap: "flat", minScore: 0, shift })),
    );
    expect(found[2]).toEqual(plain);
    const own = bias.slice();
    for (const [i, shift] of shifts.entries()) {
      model.labels.forEach((label, at) => {
        const type = label.replace(/^.-/, "");
        const ofType = typeof shift === "number" ? 0 : (shift[type] ?? 0);
        bias[at] = own[at]! + (label === "O" && typeof shift === "number" ? shift : -ofType);
      });
      const expected = await predictor.predict(dev);
      const spans = (sentences: readonly Sentence[]): string[] =>
        sentences.map(({ entities }) => entities.map(({ start, end, type }) => `${start} ${end} ${type}`).join());
      expect(spans(found[i]!)).toEqual(spans(expected));
    }
    expect(new Set(found.map((each) => each.flatMap(({ entities }) => entities).length)).size).toBeGreaterThan(2);
    await predictor.dispose();
  });

  it("is chosen on dev, kept with the model and used by it", async () => {
    const directory = await trained(`${name} auto`, { head, decode: { shift: "auto" } });
    const { decode, provenance } = JSON.parse(await readFile(join(directory, "config.json"), "utf8"));
    const scores = await f1OfGrid(directory);
    expect(decode.shift).toBe(shiftGrid[scores.indexOf(Math.max(...scores))]);
    expect(await f1(directory)).toBe(Math.max(...scores));
    expect(provenance.dev.f1).toBe(Math.max(...scores));
    expect(await readFile(join(directory, "README.md"), "utf8")).toContain(
      `| added to the score of O | ${decode.shift} |`,
    );
    const lines = (await readFile(join(directory, "metrics.jsonl"), "utf8")).trim().split("\n");
    for (const line of lines) expect(shiftGrid).toContain(JSON.parse(line).shift);
  });

  it("may be one for each type, never worse on dev than one for all", async () => {
    const one = await trained(`${name} one`, { head, epochs: 1, decode: { shift: "auto" } });
    const each = await trained(`${name} each`, { head, epochs: 1, decode: { shift: "by-type" } });
    expect(await f1(each)).toBeGreaterThanOrEqual(await f1(one));
  });
});

describe("a shift", () => {
  it("follows from how much is estimated to be missing where there is no dev set", async () => {
    const directory = await trained("estimate", { decode: { shift: "auto" } }, []);
    const { decode } = JSON.parse(await readFile(join(directory, "config.json"), "utf8"));
    const { missing } = missingShare(gaps);
    // 5 of 8 entities are unlabelled.
    expect(missing).toBeGreaterThan(0.5);
    expect(missing).toBeLessThan(0.75);
    expect(decode.shift).toBeCloseTo(Math.log(1 - missing!), 12);
  });

  it("by type names types of the training data, or nothing is trained", async () => {
    const wanted = trained("misspelt", { decode: { shift: { LOC: -1, PR: -2 } } }, []);
    await expect(wanted).rejects.toThrow('decode.shift: unknown type "PR" (known: LOC, PER)');
    expect(existsSync(join(folder, "misspelt"))).toBe(false);
  });

  it("by type follows from the estimate of each type, and where that cannot tell from the one of all", async () => {
    const rare = sentenceOf("then Acme met us", { entities: [{ start: 1, end: 2, type: "ORG" }] });
    const directory = await trained("estimates", { decode: { shift: "by-type" } }, [], [...gaps, rare]);
    const { shift } = JSON.parse(await readFile(join(directory, "config.json"), "utf8")).decode;
    const { overall, byType } = missingShares([...gaps, rare]);
    expect(shift.PER).toBeCloseTo(Math.log(1 - byType.PER!.missing!), 12);
    expect(shift.LOC).toBeCloseTo(Math.log(1 - byType.LOC!.missing!), 12);
    expect(shift.ORG).toBeCloseTo(Math.log(1 - overall.missing!), 12);
    // One of four persons is labelled, and one of two places.
    expect(shift.PER).toBeGreaterThan(Math.log(1 / 6));
    expect(shift.PER).toBeLessThan(Math.log(1 / 3));
    expect(shift.LOC).toBeGreaterThan(Math.log(1 / 3));
    expect(shift.LOC).toBeLessThan(Math.log(2 / 3));
    const recogniser = await Recogniser.load(directory);
    expect((await recogniser.sentences(dev)).length).toBe(dev.length);
    await recogniser.dispose();
  });

  it.each(["auto", "by-type"])("is 0 where neither dev nor estimate can tell (%s)", async (shift) => {
    const rare = [sentenceOf("then Acme met us", { entities: [{ start: 1, end: 2, type: "ORG" }] })];
    const directory = await trained(`nothing ${shift}`, { epochs: 1, decode: { shift } }, [], rare);
    expect(JSON.parse(await readFile(join(directory, "config.json"), "utf8")).decode.shift).toBe(0);
  });

  it("of a type that the model does not know is refused", async () => {
    const directory = await trained("unknown type", { epochs: 1 });
    await expect(Recogniser.load(directory, { decode: { shift: { PR: -1 } } })).rejects.toThrow(
      'decode.shift: unknown type "PR" (known: LOC, PER)',
    );
  });
});
