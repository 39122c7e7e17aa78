import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { bilstm, bilstmSettings, type Encoder } from "../src/encoders/index.ts";
import type { Adjustment, Corpus, Visit } from "../src/heads/index.ts";
import { tokenBatch } from "../src/heads/token/batch.ts";
import { type TokenItem, tokenItems } from "../src/heads/token/items.ts";
import { type TokenModel, tokenModel } from "../src/heads/token/model.ts";
import { tokenSupervision } from "../src/heads/token/roles.ts";
import { tokenSettings } from "../src/heads/token/settings.ts";
import { loadModel, Predictor, saveModel } from "../src/inference/index.ts";
import { chainScores, legalChain, ParameterStore } from "../src/nn/index.ts";
import { crossEntropy } from "../src/objectives/index.ts";
import { type Data, gradients, Program, runReference, type Tensor, type Value } from "../src/tensor/index.ts";
import { makeSentence, type Sentence, tokenCount, typeSets, wholly } from "../src/text/index.ts";
import { gaussian, random } from "../src/util/random.ts";
import { scoresOf } from "./support/scores.ts";
import { listedLogPartition, type SmallChain } from "./support/sequences.ts";
import { words } from "./support/word-encoder.ts";
import { sentenceOf } from "./support/words.ts";

const train = [
  sentenceOf("Ana lives here", { entities: [{ start: 0, end: 1, type: "PER" }] }),
  sentenceOf("Rui"),
  sentenceOf("so said Ana Lopes", {
    entities: [{ start: 2, end: 4, type: "PER" }],
    unsure: [{ start: 0, end: 1 }],
  }),
];
const removedAt = (sentence: number, token: number): Adjustment => ({
  sentence,
  start: token,
  end: token + 1,
  weight: 0,
});
const gone = [removedAt(0, 1), removedAt(1, 0), removedAt(2, 1)];

function modelOf(given: object, types = ["PER"], encoder = words): { model: TokenModel; store: ParameterStore } {
  const settings = tokenSettings.parse({ dropout: 0, ...given });
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
  readonly adjustments?: readonly Adjustment[];
  readonly sentences?: readonly Sentence[];
  readonly types?: string[];
}

const visit = { seed: 1, epoch: 2 };

const objective = crossEntropy({ reduction: "mean" });

/** A corpus as items, and its batches. */
function taskOf(model: TokenModel, corpus: Corpus) {
  const sets = typeSets(model.types);
  const { items } = tokenItems(corpus, sets, model.tagSet);
  const options = { tagSet: model.tagSet, sets, settings: model.settings };
  const supervision = tokenSupervision(items, options);
  return { items, supervision, batch: (at: Visit) => tokenBatch(items, model.encoder, options, supervision, at) };
}

function stepOf({ settings, adjustments, sentences = train, types }: Case) {
  const { model, store } = modelOf(settings, types);
  const { items, supervision, batch } = taskOf(model, { sentences, adjustments });
  const loss = model.training({ objective, supervision });
  return { model, store, items, loss, batch: batch(visit).batch };
}

/** What the loss must be, by listing all tag sequences. */
async function listedLoss(
  model: TokenModel,
  store: ParameterStore,
  items: readonly TokenItem[],
  feeds: Readonly<Record<string, Data>>,
) {
  const scores = await scoresOf(
    model,
    store,
    items.map(({ sentence }) => sentence),
  );
  const tags = model.tagSet.size;
  const time = feeds["token.labels"]!.shape[1]!;
  const row = (name: string, b: number, length: number): number[] => [
    ...feeds[name]!.data.slice(b * time, b * time + length),
  ];
  /** The share of a tag at a token: 1 for its own alone, where nothing else is fed. */
  const shareOf = (b: number, token: number, tag: number): number =>
    feeds["token.allowed"]?.data[(b * time + token) * tags + tag] ??
    (feeds["token.labels"]!.data[b * time + token] === tag ? 1 : 0);
  const allTags = Array.from({ length: tags }, (_, tag) => tag);
  if (model.settings.output === "softmax") {
    let [total, count] = [0, 0];
    items.forEach(({ states }, b) => {
      const [labels, weights] = [row("token.labels", b, states.length), row("token.weights", b, states.length)];
      labels.forEach((_, token) => {
        const logits = [...scores[b]!.logits.slice(token * tags, token * tags + tags)];
        const logSum = Math.log(logits.reduce((sum, each) => sum + Math.exp(each), 0));
        const probabilities = logits.map((each) => Math.exp(each - logSum));
        const target = feeds["token.targets"]?.data.slice((b * time + token) * tags, (b * time + token + 1) * tags);
        const loss = target?.some((share) => share > 0)
          ? -allTags.reduce((sum, tag) => sum + target[tag]! * Math.log(probabilities[tag]!), 0)
          : -Math.log(allTags.reduce((sum, tag) => sum + shareOf(b, token, tag) * probabilities[tag]!, 0));
        total += weights[token]! * loss;
        count += weights[token]!;
      });
    });
    return total / count;
  }
  const barred = legalChain(tags, model.tagSet.legal);
  const arrays = model.settings.output === "crf" ? chainScores(store, "token.chain", barred) : barred;
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
    const kept = row("token.kept", b, length);
    const { removal } = model.settings;
    const forget = removal === "marginal" ? kept.map(() => 1) : kept;
    const counted = {
      emission: (token: number) => forget[token] === 1,
      entry: (token: number) =>
        removal === "emission" ||
        (forget[token] === 1 && (removal !== "break" || token === 0 || forget[token - 1] === 1)),
      end: removal !== "break" || forget[length - 1] === 1,
    };
    const share = (token: number, tag: number): number =>
      removal === "marginal" && kept[token] === 0 ? 1 : shareOf(b, token, tag);
    const admits = (path: readonly number[]): boolean => path.every((tag, token) => share(token, tag) > 0);
    const weighed = {
      ...chain,
      emissions: chain.emissions.map((score, i) => {
        const of = share(Math.floor(i / tags), i % tags);
        return of > 0 ? score + Math.log(of) : score;
      }),
    };
    const all = listedLogPartition(chain, () => true, counted);
    const targets = model.settings.soft === "cross-entropy" ? feeds["token.targets"]!.data : [];
    let taught = 0;
    for (let place = 0; place < (targets.length === 0 ? 0 : length * tags); place++) {
      const share = targets[b * time * tags + place]!;
      if (share === 0) continue;
      const through = listedLogPartition(chain, (path) => path[Math.floor(place / tags)] === place % tags);
      taught -= share * (through - all);
    }
    return all - listedLogPartition(weighed, admits, counted) + taught;
  });
  return losses.reduce((a, b) => a + b) / losses.length;
}

const two = ["LOC", "PER"];
/** What is said of some types only. */
const partly = [
  sentenceOf("Ana lives here", {
    entities: [{ start: 0, end: 1, type: "PER" }],
    rejected: [{ start: 2, end: 3, type: "LOC" }],
  }),
  sentenceOf("Rui", { complete: wholly(1, ["LOC"]) }),
  sentenceOf("so said Ana Lopes", {
    entities: [{ start: 2, end: 4, type: "PER" }],
    complete: wholly(4, ["PER"]),
    rejected: [{ start: 0, end: 2, type: "LOC" }],
  }),
];
/** Labels of a dictionary that has a name under two types. */
const ambiguous = [
  sentenceOf("Ana Lopes lives", {
    entities: [
      { start: 0, end: 2, type: "LOC" },
      { start: 0, end: 2, type: "PER" },
    ],
  }),
  sentenceOf("Rui", { entities: [{ start: 0, end: 1, type: "PER" }] }),
];
const taught: readonly Adjustment[] = [
  { ...removedAt(0, 1), weight: 1, target: [0.5, 0.2, 0.1, 0.2, 0] },
  { ...removedAt(0, 2), weight: 1, target: [0.9, 0, 0, 0.1, 0] },
];

/** A labelled token that does not train, and one that trains by half, which a chain cannot. */
const lighter = (output: string): readonly Adjustment[] => [
  { ...removedAt(0, 0), weight: 0 },
  { ...removedAt(0, 1), weight: output === "crf" ? 1 : 0.5 },
];

const cases: [string, Case][] = [
  ["crf", { settings: {}, sentences: sure }],
  ["crf, angle-based", { settings: { scores: "angle" }, sentences: sure }],
  ["crf, bmeso", { settings: { scheme: "bmeso" }, sentences: sure }],
  ["crf, unsure words", { settings: {} }],
  ["crf, unknown words open", { settings: { unknown: "any" } }],
  ["crf, unknown words that lean towards O", { settings: { unknown: "any", prior: 0.1 } }],
  ["crf, io", { settings: { scheme: "io" } }],
  ["softmax, io", { settings: { scheme: "io", output: "softmax" } }],
  ["crf, NON", { settings: { non: { rate: 0.5 } } }],
  ...["literal", "emission", "break", "marginal"].flatMap((removal): [string, Case][] => [
    [`crf, ${removal}`, { settings: { removal }, adjustments: gone, sentences: sure }],
    [
      `crf, ${removal}, unsure words, NON, angle-based`,
      { settings: { removal, scores: "angle", non: { rate: 0.5 } }, adjustments: gone },
    ],
  ]),
  ["softmax", { settings: { output: "softmax" }, sentences: sure }],
  [
    "softmax, angle-based, unsure and removed words, NON",
    { settings: { output: "softmax", scores: "angle", non: { rate: 0.5 } }, adjustments: gone },
  ],
  ["softmax, unknown words open", { settings: { output: "softmax", unknown: "any" } }],
  ...["crf", "softmax"].flatMap((output): [string, Case][] => [
    [
      `${output}, rejected and complete for some types`,
      { settings: { output, unknown: "any" }, sentences: partly, types: two },
    ],
    [
      `${output}, restricted words that are taken out`,
      { settings: { output, non: { rate: 0.5 } }, sentences: partly, types: two, adjustments: gone },
    ],
    [
      `${output}, labelled and other words that weigh less or nothing`,
      { settings: { output }, sentences: partly, types: two, adjustments: lighter(output) },
    ],
    [`${output}, a label of two types`, { settings: { output }, sentences: ambiguous, types: two }],
    [
      `${output}, a label of two types beside open words`,
      { settings: { output, unknown: "any" }, sentences: ambiguous, types: two },
    ],
    [`${output}, targets of a teacher`, { settings: { output }, sentences: partly, types: two, adjustments: taught }],
  ]),
  [
    "crf, targets of a teacher by cross-entropy",
    { settings: { soft: "cross-entropy" }, sentences: partly, types: two, adjustments: taught },
  ],
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

describe("the corner cases of removal", () => {
  const allGone = train.flatMap((sentence, number) =>
    Array.from({ length: tokenCount(sentence) }, (_, token) => removedAt(number, token)),
  );
  const nothing = train.map(({ text, offsets }) => makeSentence(text, offsets));

  it.each(["literal", "emission", "break", "marginal"])(
    "%s: a batch whose tokens are all removed has a finite loss that pulls at no emission, and no NON",
    async (removal) => {
      const { model, store } = modelOf({ removal, non: { rate: 0.5 } });
      const task = taskOf(model, { sentences: nothing, adjustments: allGone });
      const loss = model.training({ objective, supervision: task.supervision });
      const { batch, counts } = task.batch(visit);
      expect(counts).toEqual({ tokens: 8, positives: 0, negatives: 0, missampled: 0 });
      expect([...batch.feeds["token.labels"]!.data].every((label) => label === 0)).toBe(true);
      const weight = model.params.tensors()[model.params.specs.findIndex(({ name }) => name === "token.tags.weight")]!;
      const program = await Program.compile({ loss, gradient: gradients(loss, [weight])[0]! });
      const result = await program.run({ ...store.tensors(), ...batch.feeds });
      await program.dispose();
      expect(Number.isFinite(result.loss!.data[0])).toBe(true);
      expect([...result.gradient!.data].every((each) => Math.abs(each) < 1e-6)).toBe(true);
    },
  );

  it("softmax: nothing is left to train, and the loss is 0", async () => {
    const { model, store } = modelOf({ output: "softmax", non: { rate: 0.5 } });
    const task = taskOf(model, { sentences: nothing, adjustments: allGone });
    const loss = model.training({ objective, supervision: task.supervision });
    const program = await Program.compile({ loss });
    const result = await program.run({ ...store.tensors(), ...task.batch(visit).batch.feeds });
    await program.dispose();
    expect(result.loss!.data[0]).toBe(0);
  });

  it("NON is drawn anew in each epoch from what trains as O, ⌈γn⌉ spans at most, never from anything else", () => {
    const { model } = modelOf({ non: { rate: 0.3, maxWidth: 2 } });
    const sentence = sentenceOf("a b c d e f g h i j", {
      entities: [{ start: 2, end: 4, type: "PER" }],
      unsure: [{ start: 5, end: 6 }],
    });
    const task = taskOf(model, { sentences: [sentence], adjustments: [removedAt(0, 7)] });
    const seen = new Set<string>();
    for (let epoch = 0; epoch < 20; epoch++) {
      const labels = [...task.batch({ seed: 1, epoch }).batch.feeds["token.labels"]!.data];
      seen.add(labels.join());
      expect([labels[2], labels[3], labels[5], labels[7]]).toEqual([1, 2, 0, 0]);
      expect(labels.filter((label) => label === 3).length).toBeLessThanOrEqual(3);
      expect(labels.filter((label) => label >= 3).length).toBeGreaterThan(0);
      labels.forEach((label, token) => {
        if (label === 4) expect(labels[token - 1]).toBe(3); // no wider than two tokens
      });
    }
    expect(seen.size).toBeGreaterThan(10);
  });

  it("counts as negatives the unknown tokens that train as O or NON, and the hidden ones among them", () => {
    const { model } = modelOf({ non: { rate: 0.3 } });
    const sentence = sentenceOf("a b c d e", {
      entities: [{ start: 0, end: 1, type: "PER" }],
      complete: [{ start: 4, end: 5 }],
    });
    const corpus = { sentences: [sentence], hidden: [[{ start: 1, end: 3, type: "PER" }]] };
    const countsOf = (adjustments: readonly Adjustment[]) =>
      taskOf(model, { ...corpus, adjustments }).batch(visit).counts;
    expect(countsOf([])).toEqual({ tokens: 5, positives: 1, negatives: 3, missampled: 2 });
    expect(countsOf([removedAt(0, 1)])).toEqual({ tokens: 5, positives: 1, negatives: 2, missampled: 1 });
  });
});

const texts = ["Ana lives in Lisbon", "Porto", "nothing to see here , said nobody at all on this grey day"].map(
  (text) => sentenceOf(text),
);

function tinyEncoder(): Encoder {
  const features = { charWidth: 4, charFilters: 6, shapeWidth: 4 };
  const settings = bilstmSettings.parse({ wordWidth: 8, minimumCount: 1, units: 6, featureSettings: features });
  return bilstm(texts, settings, { seed: 1 });
}

const kinds = ["crf", "softmax"].flatMap((output) =>
  ["linear", "angle"].flatMap((scores) =>
    ["bio", "bmeso"].map((scheme) => ({ output, scores, scheme, non: { rate: 0.1 } })),
  ),
);

describe.each(kinds)("a tagger with $output, $scores scores and $scheme", (settings) => {
  const types = ["LOC", "PER"];

  it("scores a sentence the same alone, in a batch and beside longer ones", async () => {
    const { model, store } = modelOf(settings, types, tinyEncoder());
    const together = await scoresOf(model, store, texts);
    for (const [i, text] of texts.entries()) {
      const [alone] = await scoresOf(model, store, [text]);
      expect(alone!.logits.length).toBe(tokenCount(text) * model.tagSet.size);
      alone!.logits.forEach((score, k) => {
        expect(Math.abs(score - together[i]!.logits[k]!)).toBeLessThan(1e-5);
      });
      alone!.logProbs.forEach((score, k) => {
        expect(Math.abs(Math.exp(score) - Math.exp(together[i]!.logProbs[k]!))).toBeLessThan(1e-5);
      });
      for (let token = 0; token < tokenCount(text); token++) {
        const row = alone!.logProbs.slice(token * model.tagSet.size, (token + 1) * model.tagSet.size);
        expect(row.reduce((sum, score) => sum + Math.exp(score), 0)).toBeCloseTo(1, 4);
      }
    }
  });

  it("finds flat entities of its types in order, with the probability of their least probable tag", async () => {
    const { model, store } = modelOf(settings, types, tinyEncoder());
    const [scores] = await scoresOf(model, store, [texts[2]!]);
    const found = model.candidates(store)(scores!);
    const { size, tags } = model.tagSet;
    expect(found.length).toBeGreaterThan(0);
    let reached = 0;
    for (const { start, end, label, score } of found) {
      expect(start).toBeGreaterThanOrEqual(reached);
      reached = end;
      const least = Array.from({ length: end - start }, (_, i) => {
        const single = end - start === 1 && settings.scheme === "bmeso";
        const last = i === end - start - 1 && settings.scheme === "bmeso";
        const role = single ? "S" : i === 0 ? "B" : last ? "E" : "I";
        const tag = tags.findIndex((each) => each.role === role && each.type === types[label - 1]);
        return scores!.logProbs[(start + i) * size + tag]!;
      });
      expect(score).toBeCloseTo(Math.min(...least), 5);
    }
  });

  it("predicts the same after it was saved and loaded", async () => {
    const folder = await mkdtemp(join(tmpdir(), "lacuna-token-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const { model, store } = modelOf(settings, types, tinyEncoder());
    await saveModel(folder, model, store, { training: {}, provenance: {}, card: "" });
    const loaded = await loadModel(folder);
    expect(loaded.model.head).toBe("token");
    expect(loaded.config.head).toMatchObject({ name: "token", ...settings });
    const predictors = [await Predictor.create(model, store), await Predictor.create(loaded.model, loaded.store)];
    const [before, after] = await Promise.all(predictors.map((predictor) => predictor.predict(texts)));
    expect(after).toEqual(before);
    for (const predictor of predictors) await predictor.dispose();
  });
});

it("a tagger cuts a long text into windows, finds entities in all of it and keeps them apart", async () => {
  const { model, store } = modelOf({}, ["LOC", "PER"], tinyEncoder());
  const predictor = await Predictor.create(model, store);
  const long = sentenceOf(Array.from({ length: 700 }, (_, i) => ["Ana", "lives", "in", "Porto"][i % 4]).join(" "));
  const [found] = await predictor.predict([long], { overlap: "all", minScore: 0 });
  expect(found!.entities.at(-1)!.end).toBeGreaterThan(690);
  found!.entities.forEach(({ start, end }, i, all) => {
    expect(end - start).toBeGreaterThan(0);
    expect(start).toBeGreaterThanOrEqual(all[i - 1]?.end ?? 0);
  });
  const [sure] = await predictor.predict([long], { overlap: "flat", minScore: 0.5 });
  expect(sure!.entities).toEqual(found!.entities.filter(({ score }) => score! >= 0.5));
  expect((await predictor.predict([sentenceOf("")]))[0]!.entities).toEqual([]);
  await predictor.dispose();
});

it("what a complete sentence does not label is O under any reading of unknown words", () => {
  const { model } = modelOf({ unknown: "any" });
  const sentence = sentenceOf("Ana lives here", { entities: [{ start: 0, end: 1, type: "PER" }], complete: wholly(3) });
  const { batch, supervision } = taskOf(model, { sentences: [sentence] });
  const { counts } = batch(visit);
  expect(supervision.constrained).toBe(false);
  expect(counts.negatives).toBe(0);
});
