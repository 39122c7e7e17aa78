import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { bilstm, bilstmSettings, type Encoder } from "../src/encoders/index.ts";
import { Predictor } from "../src/inference/predict.ts";
import { TokenFinder } from "../src/inference/token-finder.ts";
import { loadModel, saveModel } from "../src/models/directory.ts";
import { type TokenItem, tokenBatch } from "../src/models/token-batch.ts";
import { tokenItems } from "../src/models/token-items.ts";
import { type TokenModel, tokenModel, tokenModelSettings } from "../src/models/token-model.ts";
import { ParameterStore } from "../src/nn/index.ts";
import { crossEntropy } from "../src/objectives/index.ts";
import { type Data, gradients, input, Program, runReference, type Tensor, type Value } from "../src/tensor/index.ts";
import { type Annotation, makeSentence, type Sentence, tokenCount, tokenText, wholly } from "../src/text/index.ts";
import { gaussian, keyOf, random } from "../src/util/random.ts";
import { listedLogPartition, type SmallChain, scoreOf } from "./support/sequences.ts";

const width = 3;

/** Every word has a fixed vector, which is the whole encoding. */
const words: Encoder = {
  name: "words",
  settings: {},
  tables: [],
  pretrained: [],
  flops: () => 0,
  files: () => ({}),
  batch(sentences) {
    const time = Math.max(1, ...sentences.map(tokenCount));
    const vectors = new Float32Array(sentences.length * time * width);
    const mask = new Float32Array(sentences.length * time);
    sentences.forEach((sentence, b) => {
      for (let token = 0; token < tokenCount(sentence); token++) {
        const rng = random(keyOf(0, tokenText(sentence, token)), "vector");
        for (let d = 0; d < width; d++) vectors[(b * time + token) * width + d] = gaussian(rng);
        mask[b * time + token] = 1;
      }
    });
    const shape = [sentences.length, time];
    return {
      lookups: [],
      feeds: { "word.vectors": { data: vectors, shape: [...shape, width] }, "word.mask": { data: mask, shape } },
    };
  },
  build() {
    const first = input("word.vectors", "float32", ["batch", "time", width]);
    return { first, last: first, mask: input("word.mask", "float32", ["batch", "time"]) };
  },
};

function sentenceOf(text: string, annotation: Annotation = {}): Sentence {
  const offsets: number[] = [];
  for (const match of text.matchAll(/\S+/g)) offsets.push(match.index, match.index + match[0].length);
  return makeSentence(text, Int32Array.from(offsets), annotation);
}

const train = [
  sentenceOf("Ana lives here", { entities: [{ start: 0, end: 1, type: "PER" }] }),
  sentenceOf("Rui"),
  sentenceOf("so said Ana Lopes", {
    entities: [{ start: 2, end: 4, type: "PER" }],
    unsure: [{ start: 0, end: 1 }],
  }),
];
const gone = [
  { sentence: 0, token: 1 },
  { sentence: 1, token: 0 },
  { sentence: 2, token: 1 },
];

function modelOf(given: object, types = ["PER"], encoder = words): { model: TokenModel; store: ParameterStore } {
  const { name: _, ...settings } = tokenModelSettings.parse({ name: "token", dropout: 0, ...given });
  const model = tokenModel(encoder, types, settings);
  const store = new ParameterStore(model.params.specs);
  const rng = random(5, "weights");
  for (const slot of store.slots)
    store.view(slot).forEach((_each, i, view) => {
      view[i] = 0.7 * gaussian(rng);
    });
  return { model, store };
}

/** Where no word of a sentence is unsure. */
const sure = train.map((sentence) => makeSentence(sentence.text, sentence.offsets, { entities: sentence.entities }));

interface Case {
  readonly settings: Record<string, unknown>;
  readonly removed?: boolean;
  readonly sentences?: readonly Sentence[];
}

const visit = { seed: 1, epoch: 2 };

function stepOf({ settings, removed = false, sentences = train }: Case) {
  const { model, store } = modelOf(settings);
  const { items } = tokenItems({ train: sentences }, ["PER"], model.tagSet, removed ? gone : []);
  const open = items.some(({ states }) => states.includes(-2)) || settings.unknown === "any";
  const loss = model.training({ objective: crossEntropy({ reduction: "mean" }), reduction: "mean", open, removed });
  return { model, store, items, loss, batch: tokenBatch(items, model, visit).batch };
}

/** What the loss must be, by listing all tag sequences. */
async function listedLoss(
  model: TokenModel,
  store: ParameterStore,
  items: readonly TokenItem[],
  feeds: Readonly<Record<string, Data>>,
) {
  const finder = await TokenFinder.create(model, store);
  const scores = await finder.scores(items.map(({ sentence }) => sentence));
  await finder.dispose();
  const tags = model.tagSet.size;
  const time = feeds["token.labels"]!.shape[1]!;
  const row = (name: string, b: number, length: number): number[] => [
    ...feeds[name]!.data.slice(b * time, b * time + length),
  ];
  if (model.settings.output === "softmax") {
    let [total, count] = [0, 0];
    items.forEach(({ states }, b) => {
      const [labels, weights] = [row("token.labels", b, states.length), row("token.weights", b, states.length)];
      labels.forEach((label, token) => {
        const logits = [...scores[b]!.logits.slice(token * tags, token * tags + tags)];
        const logSum = Math.log(logits.reduce((sum, each) => sum + Math.exp(each), 0));
        total += weights[token]! * (logSum - logits[label]!);
        count += weights[token]!;
      });
    });
    return total / count;
  }
  const arrays = model.chain(store);
  const losses = items.map(({ states }, b) => {
    const length = states.length;
    const chain: SmallChain = {
      tags,
      length,
      emissions: [...scores[b]!.logits],
      transitions: Array.from(arrays.transitions),
      start: Array.from(arrays.start),
      end: Array.from(arrays.end),
    };
    const labels = row("token.labels", b, length);
    const open = row("token.open", b, length);
    const kept = row("token.kept", b, length);
    const { removal } = model.settings;
    const forget = removal === "marginal" ? kept.map(() => 1) : kept;
    const free = removal === "marginal" ? open.map((each, i) => each + 1 - kept[i]!) : open;
    const counted = {
      emission: (token: number) => forget[token] === 1,
      entry: (token: number) =>
        removal === "emission" ||
        (forget[token] === 1 && (removal !== "break" || token === 0 || forget[token - 1] === 1)),
      end: removal !== "break" || forget[length - 1] === 1,
    };
    const admits = (path: readonly number[]): boolean =>
      path.every((tag, token) => free[token] === 1 || tag === labels[token]);
    return listedLogPartition(chain, () => true, counted) - listedLogPartition(chain, admits, counted);
  });
  return losses.reduce((a, b) => a + b) / losses.length;
}

const cases: [string, Case][] = [
  ["crf", { settings: {}, sentences: sure }],
  ["crf, angle-based", { settings: { head: "angle" }, sentences: sure }],
  ["crf, bmeso", { settings: { scheme: "bmeso" }, sentences: sure }],
  ["crf, unsure words", { settings: {} }],
  ["crf, unknown words open", { settings: { unknown: "any" } }],
  ["crf, NON", { settings: { non: { rate: 0.5 } } }],
  ...["literal", "emission", "break", "marginal"].flatMap((removal): [string, Case][] => [
    [`crf, ${removal}`, { settings: { removal }, removed: true, sentences: sure }],
    [
      `crf, ${removal}, unsure words, NON, angle-based`,
      { settings: { removal, head: "angle", non: { rate: 0.5 } }, removed: true },
    ],
  ]),
  ["softmax", { settings: { output: "softmax" }, sentences: sure }],
  [
    "softmax, angle-based, unsure and removed words, NON",
    { settings: { output: "softmax", head: "angle", non: { rate: 0.5 } }, removed: true },
  ],
  ["softmax, unknown words open", { settings: { output: "softmax", unknown: "any" } }],
];

describe.each(cases)("the loss of %s", (_, given) => {
  it("is what listing all sequences gives", async () => {
    const { model, store, items, loss, batch } = stepOf(given);
    const program = await Program.compile({ loss });
    const result = await program.run({ ...store.tensors(), ...batch.feeds });
    await program.dispose();
    expect(result.loss!.data[0]).toBeCloseTo(await listedLoss(model, store, items, batch.feeds), 4);
  });

  it("has the gradient of differences", () => {
    const { model, store, loss, batch } = stepOf(given);
    const feeds: Record<string, Value> = Object.fromEntries(
      Object.entries({ ...store.tensors(), ...batch.feeds }).map(([name, { data, shape }]) => [
        name,
        { shape, data: Float64Array.from(data) },
      ]),
    );
    const value = (tensor: Tensor): Value => runReference([tensor], feeds)[0]!;
    gradients(loss, model.params.tensors()).forEach((gradient, i) => {
      const found = runReference([gradient, loss], feeds)[0]!;
      const { data } = feeds[model.params.specs[i]!.name]!;
      found.data.forEach((each, k) => {
        const before = data[k]!;
        const at = (delta: number): number => {
          (data as Float64Array)[k] = before + delta;
          return value(loss).data[0]!;
        };
        const numeric = (at(1e-5) - at(-1e-5)) / 2e-5;
        (data as Float64Array)[k] = before;
        expect(Math.abs(each - numeric)).toBeLessThan(1e-5);
      });
    });
  });
});
