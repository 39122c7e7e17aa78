import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
// The package as a user has it: built, by its name.
import {
  type Encoder,
  type EncoderKind,
  type Head,
  type Method,
  makeSentence,
  type Objective,
  Recogniser,
  type Sampler,
  Scorer,
  type Sentence,
  tokenCount,
  tokenTexts,
  train,
} from "lacuna-ner";
import { linear, Parameters, tensor } from "lacuna-ner/engine";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";

const words = ["Ana", "Rui", "saw", "met", "Porto", "Faro", "Eva", "Leo"];
const isName = (word: string): boolean => /^[A-Z]/.test(word);

function sentenceOf(text: string): Sentence {
  const all = text.split(" ");
  let at = 0;
  const offsets = Int32Array.from(
    all.flatMap((word) => {
      const start = at;
      at += word.length + 1;
      return [start, start + word.length];
    }),
  );
  const entities = all.flatMap((word, i) => (isName(word) ? [{ start: i, end: i + 1, type: "NAME" }] : []));
  return makeSentence(text, offsets, { entities });
}

const sentences = ["Ana saw Porto", "Rui met Faro", "Eva saw Leo", "Ana met Rui", "Leo saw Faro"].map(sentenceOf);

/** A vector of ones and zeros for each word: nothing of it is learned. */
const oneHotWords: EncoderKind = {
  name: "one-hot",
  usage: "one-hot",
  description: "a place for each of a few words",
  settings: z.strictObject({ name: z.literal("one-hot") }),
  open: async () => encoder(),
  restore: () => encoder(),
};

function encoder(): Encoder {
  return {
    name: "one-hot",
    settings: {},
    tables: [],
    pretrained: [],
    flops: () => 0,
    files: () => ({}),
    size: tokenCount,
    batch(batch) {
      const time = Math.max(1, ...batch.map(tokenCount));
      const vectors = new Float32Array(batch.length * time * words.length);
      const mask = new Float32Array(batch.length * time);
      batch.forEach((sentence, b) => {
        tokenTexts(sentence).forEach((word, i) => {
          vectors[(b * time + i) * words.length + words.indexOf(word)] = 1;
          mask[b * time + i] = 1;
        });
      });
      const shape = [batch.length, time];
      return {
        lookups: [],
        feeds: { "one-hot": { data: vectors, shape: [...shape, words.length] }, mask: { data: mask, shape } },
      };
    },
    build() {
      const first = tensor.input("one-hot", "float32", ["batch", "time", words.length]);
      return { first, last: first, mask: tensor.input("mask", "float32", ["batch", "time"]) };
    },
  };
}

let drawn = 0;
const firstOne: Sampler = {
  name: "first-one",
  kind: "blind",
  choose({ candidates }) {
    drawn++;
    return candidates > 0 ? [0] : [];
  },
};

const squares: Objective = {
  name: "squares",
  reduction: "mean",
  loss({ logits, labels, weights }) {
    const target = tensor.oneHot(labels, logits.shape.at(-1) as number);
    const error = tensor.sub(tensor.softmax(logits), target);
    const losses = tensor.sum(tensor.mul(error, error), { axes: -1 });
    return tensor.div(tensor.sum(tensor.mul(losses, weights)), tensor.add(tensor.sum(weights), 1e-9));
  },
};

/** One label for each token on its own: O, or the first type. */
const wordHead: Head<{ readonly scale: number }> = {
  name: "words",
  description: "a yes or no for each word",
  settings: z.strictObject({ scale: z.number().default(1) }),
  open: (own, types, settings) => wordModel(own, types, settings),
  train({ sentences: all }, own, types, settings, { objective }) {
    const model = wordModel(own, types, settings);
    const logits = model.prediction().logits;
    const flat = (name: string, type: "int32" | "float32") => tensor.input(name, type, ["batch", "time"]);
    return {
      model,
      sizes: all.map(tokenCount),
      sentences: all,
      counts: { entity: 0, outside: 0, restricted: 0, unknown: 0, excluded: 0 },
      leftOut: [],
      knowsHidden: false,
      graph: () => ({
        watched: {},
        loss: objective.loss({
          logits,
          hidden: logits,
          labels: flat("labels", "int32"),
          weights: flat("weights", "float32"),
          epoch: tensor.scalar(0),
          noise: flat("weights", "float32"),
        }),
      }),
      batch(members) {
        const chosen = members.map((member) => all[member]!);
        const batch = model.batch(chosen);
        const [rows, time] = batch.feeds.mask!.shape as [number, number];
        const labels = new Int32Array(rows * time);
        chosen.forEach(({ entities }, b) => {
          for (const { start } of entities) labels[b * time + start] = 1;
        });
        const feeds = {
          ...batch.feeds,
          labels: { data: labels, shape: [rows, time] },
          weights: { data: batch.feeds.mask!.data, shape: [rows, time] },
        };
        const counts = { tokens: rows * time, positives: 0, negatives: 0, missampled: 0 };
        return { batch: { ...batch, feeds }, counts: () => counts };
      },
    };
  },
};

function wordModel(
  own: Encoder,
  types: readonly string[],
  settings: { readonly scale: number },
): ReturnType<Head["open"]> {
  const params = new Parameters();
  const predict = () => {
    const { first } = own.build(params, {});
    const logits = tensor.mul(linear(params, "words.labels", first, 2), settings.scale);
    return { logits, logProbs: tensor.logSoftmax(logits) };
  };
  predict();
  return {
    head: "words",
    encoder: own,
    types,
    labels: ["O", types[0]!],
    typeOf: [-1, 0],
    settings: { ...settings },
    params,
    facts: [],
    items: (length) => ({
      size: length,
      starts: () => Int32Array.from({ length }, (_, i) => i),
      ends: () => Int32Array.from({ length }, (_, i) => i + 1),
    }),
    batch: (batch) => ({ ...own.batch(batch), feeds: { ...own.batch(batch).feeds } }),
    prediction: predict,
    candidates:
      () =>
      ({ items, logProbs }) =>
        Array.from({ length: items.size }, (_, i) => ({
          start: i,
          end: i + 1,
          label: 1,
          score: logProbs[2 * i + 1]!,
        })).filter(({ score }) => score > Math.log(0.5)),
  };
}

/** Trains for one epoch, then once more without the tokens that the first model is least sure of. */
const twice: Method = {
  name: "twice",
  description: "a short training, and one that does without a token",
  settings: { sampler: "all", objective: "cross-entropy", head: { name: "token", dropout: 0 }, rate: 0.05 },
  stages: (settings) => [
    { name: "first", settings: { ...settings, epochs: 1 }, withoutDev: true },
    {
      name: "second",
      settings,
      async prepare({ data, scorer: open }) {
        const scorer = await open("first");
        let least = { sentence: 0, start: 0, end: 1, weight: 0, value: Number.POSITIVE_INFINITY };
        let sentence = 0;
        for await (const { items, logProbs } of scorer.scores(data.train)) {
          for (let token = 0; token < items.size; token++) {
            const value = logProbs[token * scorer.labels.length]!;
            if (value < least.value) least = { sentence, start: token, end: token + 1, weight: 0, value };
          }
          sentence++;
        }
        await scorer.dispose();
        const { value, ...adjustment } = least;
        return { adjustments: [adjustment], summary: `left out one token`, facts: { value } };
      },
    },
  ],
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lacuna-own-"));
});
afterAll(() => rm(folder, { recursive: true }));

const data = { train: sentences, dev: sentences };

it("a sampler and an objective of one's own train with the package's parts", async () => {
  const directory = join(folder, "sampled");
  const settings = {
    sampler: firstOne,
    objective: squares,
    encoder: oneHotWords,
    epochs: 3,
    head: { hidden: 4 },
  } as const;
  for await (const _ of train(data, settings, { directory })) void _;
  expect(drawn).toBeGreaterThan(sentences.length);
  const { training } = JSON.parse(await readFile(join(directory, "config.json"), "utf8"));
  expect([training.sampler, training.objective, training.encoder.name]).toEqual([
    { name: "first-one" },
    { name: "squares" },
    "one-hot",
  ]);
});

it("a head and an encoder of one's own train, are saved, loaded and used", async () => {
  const directory = join(folder, "head");
  const settings = { method: "ce", head: wordHead, encoder: oneHotWords, epochs: 30, rate: 0.2, patience: 0 } as const;
  for await (const _ of train(data, settings, { directory })) void _;
  const parts = { heads: [wordHead], encoders: [oneHotWords] };
  const recogniser = await Recogniser.load(directory, parts);
  const found = await recogniser.tag("Eva met Porto");
  expect(found.map(({ text, type }) => [text, type])).toEqual([
    ["Eva", "NAME"],
    ["Porto", "NAME"],
  ]);
  await recogniser.dispose();
  const scorer = await Scorer.load(directory, parts);
  expect(scorer.labels).toEqual(["O", "NAME"]);
  await scorer.dispose();
  await expect(Recogniser.load(directory, { encoders: [oneHotWords] })).rejects.toThrow(
    'head: unknown "words" (known: span, token, mrc, autoner, dictionary)',
  );
});

it("a method of one's own runs its stages", async () => {
  const kinds: string[] = [];
  const directory = join(folder, "method");
  for await (const record of train(data, { method: twice, encoder: oneHotWords, epochs: 2 }, { directory }))
    if (record.kind !== "step") kinds.push(record.kind);
  expect(kinds).toEqual(["start", "stage", "evaluation", "prepared", "stage", "evaluation", "evaluation"]);
});

it("a misspelt setting does not compile, and is named where types are not looked at", () => {
  // @ts-expect-error: no setting is called epocs
  expect(() => train(data, { epocs: 3 }, { directory: folder })).toThrow('unknown setting "epocs"');
  // @ts-expect-error: no sampler has such an option
  expect(() => train(data, { sampler: { rat: 1 } }, { directory: folder })).toThrow('unknown setting "sampler.rat"');
});

it("what was disposed of says so", async () => {
  const directory = join(folder, "sampled");
  const recogniser = await Recogniser.load(directory, { encoders: [oneHotWords] });
  await recogniser.dispose();
  await expect(recogniser.tag("Ana saw Porto")).rejects.toThrow("used after dispose");
});
