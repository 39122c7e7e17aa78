import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bilstm, bilstmSettings, type Encoder } from "../src/encoders/index.ts";
import { trainingBatch } from "../src/heads/span/batch.ts";
import { spanGrid, spanStates } from "../src/heads/span/grid.ts";
import type { SpanItem } from "../src/heads/span/items.ts";
import { type SpanModel, spanModel } from "../src/heads/span/model.ts";
import { supervisionOf } from "../src/heads/span/supervision.ts";
import { loadModel, Predictor, Recogniser } from "../src/inference/index.ts";
import { completeSettings, train } from "../src/methods/index.ts";
import { ParameterStore } from "../src/nn/index.ts";
import { crossEntropy } from "../src/objectives/index.ts";
import { all, makeSampler, type Sampler, samplerSettings } from "../src/samplers/index.ts";
import { spanVectors } from "../src/studies/span-vectors.ts";
import { gradients, Program } from "../src/tensor/index.ts";
import { type Sentence, typeSets } from "../src/text/index.ts";
import { labelCentroids } from "../src/training/retrieval.ts";
import { scoresOf } from "./support/scores.ts";
import { sentenceOf } from "./support/words.ts";

const types = ["LOC", "PER"];
const people = ["Ana", "Rui", "Eva", "Leo"];
const places = ["Porto", "Faro", "Braga", "Lisbon"];

/** "Ana lives in Porto", with one of the two names labelled. */
const sentences: Sentence[] = people.flatMap((person, i) =>
  places.map((place, j) => {
    const entities = [
      { start: 0, end: 1, type: "PER" },
      { start: 3, end: 4, type: "LOC" },
    ].filter((_, k) => (i + j) % 3 !== k);
    return sentenceOf(`${person} lives in ${place}`, { entities });
  }),
);

const small = { encoder: { wordWidth: 8, minimumCount: 1, units: 8 }, head: { hidden: 12, dropout: 0 }, threads: 1 };

function tinyEncoder(): Encoder {
  return bilstm(sentences, bilstmSettings.parse(small.encoder), { seed: 1 });
}

const sets = typeSets(types);

function itemsOf(maxWidth = 3): SpanItem[] {
  return sentences.slice(0, 5).map((sentence, id) => {
    const grid = spanGrid(4, maxWidth);
    const states = spanStates(sentence, grid, sets);
    // The name that is not labelled is a hidden entity.
    const hidden = new Set([0, grid.index({ start: 3, end: 4 })].filter((index) => states[index] === -1));
    return { id, sentence, grid, states, hidden };
  });
}

const sampler = (given: object): Sampler => makeSampler(samplerSettings.parse({ name: "top-similarity", ...given }));

describe("picking over a batch", () => {
  let model: SpanModel;
  let store: ParameterStore;

  beforeAll(() => {
    model = spanModel(tinyEncoder(), types, { scorer: "width", hidden: 10, dropout: 0.2, maxWidth: 3 });
    store = new ParameterStore(model.params.specs).initialise(3);
  });

  async function step(chosen: Sampler, items = itemsOf()) {
    const supervision = supervisionOf(items, sets);
    const { loss, places: picked } = model.training(crossEntropy({ reduction: "sum" }), chosen, 10, supervision);
    const { batch, counts } = trainingBatch(items, model.encoder, chosen, { seed: 1, epoch: 0 }, supervision);
    const gradient = gradients(loss, [model.params.tensors().at(-1)!])[0]!;
    const program = await Program.compile({ loss, gradient, ...(picked && { places: picked }) });
    const result = await program.run({ ...store.tensors(), ...batch.feeds });
    await program.dispose();
    return {
      loss: result.loss!.data[0]!,
      gradient: [...result.gradient!.data],
      counts: counts(result.places?.data as Int32Array | undefined),
    };
  }

  it("with r = 1 is plain cross-entropy over all spans", async () => {
    const [kept, plain] = [await step(sampler({ rate: 1 })), await step(all())];
    expect(kept.loss).toBeCloseTo(plain.loss, 4);
    kept.gradient.forEach((each, i) => {
      expect(each).toBeCloseTo(plain.gradient[i]!, 4);
    });
    expect(kept.counts).toEqual(plain.counts);
  });

  it("picks exactly ⌈rN⌉ unknown spans, and counts the hidden entities among them", async () => {
    const items = itemsOf();
    const unknown = items.reduce((total, { states }) => total + states.filter((state) => state === -1).length, 0);
    for (const on of ["hidden", "span"]) {
      const { counts, loss } = await step(sampler({ rate: 0.3, on }));
      expect(counts.negatives).toBe(Math.ceil(0.3 * unknown));
      expect(Number.isFinite(loss)).toBe(true);
    }
    const { counts } = await step(sampler({ rate: 1 }));
    expect(counts.missampled).toBe(items.reduce((total, { hidden }) => total + hidden!.size, 0));
    expect(counts.missampled).toBeGreaterThan(0);
  });

  it("without positives trains random negatives, or nothing", async () => {
    const bare = itemsOf().map((item) => ({ ...item, states: item.states.map((state) => (state > 0 ? -1 : state)) }));
    expect((await step(sampler({ rate: 0.1 }), bare)).counts.negatives).toBe(Math.ceil(0.1 * 5 * 9));
    const skipped = await step(sampler({ rate: 0.1, noPositives: "skip" }), bare);
    expect(skipped.counts.negatives).toBe(0);
    expect(skipped.loss).toBe(0);
    expect(skipped.gradient.every((each) => each === 0)).toBe(true);
  });

  it("trains the positives alone where nothing is unknown", async () => {
    const known = itemsOf().map((item) => ({ ...item, states: item.states.map((state) => Math.max(state, 0)) }));
    const { loss, counts } = await step(sampler({}), known);
    expect(counts.negatives).toBe(0);
    expect(loss).toBeCloseTo((await step(all(), known)).loss, 4);
  });

  it("centroids are the means of the hidden states without dropout, O's over the picked negatives", async () => {
    const items = itemsOf();
    const supervision = supervisionOf(items, sets);
    const batches = [items.slice(0, 2), items.slice(2)].map(
      (part) => trainingBatch(part, model.encoder, all(), { seed: 1, epoch: 0 }, supervision).batch,
    );
    const task = { model, labelSums: () => model.labelSums(all(), 1, supervision) };
    const apart = await labelCentroids(task, store, batches);
    const whole = trainingBatch(items, model.encoder, all(), { seed: 9, epoch: 4 }, supervision).batch;
    const together = await labelCentroids(task, store, [whole]);
    expect(apart.length).toBe(3 * 10);
    apart.forEach((each, i) => {
      expect(each).toBeCloseTo(together[i]!, 5);
    });
    expect(apart.some((each) => each !== 0)).toBe(true);
    const noPerson = batches.map((batch) => {
      const { data, shape } = batch.feeds["span.labels"]!;
      return { ...batch, feeds: { ...batch.feeds, "span.labels": { data: data.map((label) => label % 2), shape } } };
    });
    const missing = await labelCentroids(task, store, noPerson as typeof batches);
    expect([...missing.subarray(20)]).toEqual(new Array<number>(10).fill(0));
  });

  it("with α = 0 predicts exactly what the plain model does", async () => {
    const centroids = new Float32Array(30).fill(1);
    const expected = await scoresOf(model, store, sentences);
    const found = await scoresOf(model, store, sentences, { centroids, alpha: 0, mix: "prob" });
    expect(found.map(({ logProbs }) => logProbs)).toEqual(expected.map(({ logProbs }) => logProbs));
  });
});

describe("parts together", () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "lacuna-composition-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const trained = async (name: string, given: object, dev = sentences.slice(0, 4)): Promise<string> => {
    const directory = join(folder, name);
    const settings = completeSettings({ epochs: 2, batchTokens: 32, ...small, ...given });
    for await (const _ of train({ train: sentences, dev }, settings, { directory })) void _;
    return directory;
  };

  it("weighted sampling, NRCES, the contrastive loss and retrieval train, are saved and predict", async () => {
    const directory = await trained("mixed", {
      sampler: "weighted",
      objective: "nrces",
      contrastive: { weight: 0.1 },
      inference: { name: "retrieval", alpha: 0.4, mix: "log" },
    });
    const config = JSON.parse(await readFile(join(directory, "config.json"), "utf8"));
    expect(config.retrieval).toEqual({ alpha: 0.4, mix: "log" });

    const { model, store, retrieval } = await loadModel(directory);
    expect(model.head).toBe("span");
    const predictor = await Predictor.create(model, store, { retrieval });
    const recogniser = await Recogniser.load(directory);
    const expected = await predictor.predict(sentences);
    expect(await recogniser.sentences(sentences)).toEqual(expected);
    const [mixed, alone] = [
      await scoresOf(model, store, sentences, retrieval),
      await scoresOf(model, store, sentences),
    ];
    expect(mixed[0]!.logProbs).not.toEqual(alone[0]!.logProbs);
    for (const each of [predictor, recogniser]) await each.dispose();
  });

  it("the vectors of spans in a saved model have the centroids that retrieval has", async () => {
    const directory = await trained("vectors", { method: "scl-rai", head: { ...small.head, maxWidth: 2 } });
    const { retrieval } = await loadModel(directory);
    const chosen = sentences.map((sentence) => ({ sentence, spans: sentence.entities }));
    const vectors = await spanVectors(directory, chosen);
    types.forEach((type, i) => {
      const members = sentences.flatMap(({ entities }, at) =>
        entities.flatMap((entity, k) => (entity.type === type ? [vectors[at]![k]!] : [])),
      );
      const centroid = retrieval!.centroids.subarray(12 * (i + 1), 12 * (i + 2));
      centroid.forEach((value, at) => {
        expect(members.reduce((sum, vector) => sum + vector[at]!, 0) / members.length).toBeCloseTo(value, 5);
      });
    });
    const wide = await spanVectors(directory, [{ sentence: sentences[0]!, spans: [{ start: 0, end: 3 }] }]);
    expect(wide).toEqual([[undefined]]);
    const tagger = await trained("tagger", { method: "ce", head: { name: "token", dropout: 0 } });
    const [[ofToken, ofTwo]] = (await spanVectors(tagger, [
      {
        sentence: sentences[0]!,
        spans: [
          { start: 0, end: 1 },
          { start: 0, end: 2 },
        ],
      },
    ])) as [[Float32Array, undefined]];
    expect([ofToken.length > 0, ofTwo]).toEqual([true, undefined]);
  });

  it("a model that was saved before there were heads is a span model", async () => {
    const directory = await trained("nameless", { method: "uniform" });
    const before = await Recogniser.load(directory);
    const expected = await before.sentences(sentences);
    const path = join(directory, "config.json");
    const config = JSON.parse(await readFile(path, "utf8"));
    const {
      head: { name, ...model },
      ...rest
    } = config;
    expect(name).toBe("span");
    await writeFile(path, JSON.stringify({ ...rest, version: 1, model }));
    const after = await Recogniser.load(directory);
    expect(await after.sentences(sentences)).toEqual(expected);
    for (const each of [before, after]) await each.dispose();
  });

  it.each(["top-neg", "scl-rai"])("%s trains by its name", async (method) => {
    const directory = await trained(method, { method });
    const recogniser = await Recogniser.load(directory);
    expect((await recogniser.sentences(sentences)).length).toBe(sentences.length);
    await recogniser.dispose();
  });

  it("a run that is stopped between training and retrieval goes on to the same model", async () => {
    const whole = await trained("whole", { method: "scl-rai" });
    const directory = join(folder, "stopped");
    const settings = completeSettings({ epochs: 2, batchTokens: 32, ...small, method: "scl-rai" });
    const data = { train: sentences, dev: sentences.slice(0, 4) };
    for await (const record of train(data, settings, { directory })) {
      if (record.kind === "evaluation" && record.epoch === 2) break;
    }
    const kinds: string[] = [];
    for await (const { kind } of train(data, settings, { directory, resume: true })) kinds.push(kind);
    expect(kinds).toEqual(["start", "retrieval"]);
    const weights = (folder: string) => readFile(join(folder, "model.safetensors"));
    expect((await weights(directory)).equals(await weights(whole))).toBe(true);
  });

  it("retrieval whose weight is chosen on dev is refused where there is no dev", async () => {
    await expect(trained("no-dev", { inference: "retrieval" }, [])).rejects.toThrow(
      "train: the weight of retrieval is chosen on dev, and there is no dev set; give it as inference.alpha, a number from 0 to 1",
    );
  });
});
