import { beforeAll, describe, expect, it } from "vitest";
import { bilstm, bilstmSettings, type Encoder } from "../src/encoders/index.ts";
import { trainingBatch } from "../src/heads/span/batch.ts";
import { drawSpans } from "../src/heads/span/draws.ts";
import { spanGrid, spanStates } from "../src/heads/span/grid.ts";
import type { SpanItem } from "../src/heads/span/items.ts";
import { type SpanModel, spanModel } from "../src/heads/span/model.ts";
import { supervisionOf } from "../src/heads/span/supervision.ts";
import { Predictor } from "../src/inference/index.ts";
import { ParameterStore } from "../src/nn/index.ts";
import { crossEntropy } from "../src/objectives/index.ts";
import { all, none, uniform, weighted } from "../src/samplers/index.ts";
import { gradients, Program } from "../src/tensor/index.ts";
import { type Sentence, typeSets, wholly } from "../src/text/index.ts";
import { scoresOf } from "./support/scores.ts";
import { sentenceOf } from "./support/words.ts";

const types = ["LOC", "PER"];

const sets = typeSets(types);

function itemOf(sentence: Sentence, id = 0, maxWidth = 4): SpanItem {
  const grid = spanGrid(sentence.offsets.length / 2, maxWidth);
  return { id, sentence, grid, states: spanStates(sentence, grid, sets) };
}

const visit = { seed: 1, epoch: 0 };
const sentences = [
  sentenceOf("Ana lives in Lisbon", {
    entities: [
      { start: 0, end: 1, type: "PER" },
      { start: 3, end: 4, type: "LOC" },
    ],
  }),
  sentenceOf("Porto", { entities: [{ start: 0, end: 1, type: "LOC" }] }),
  sentenceOf("nothing to see here , said nobody at all on this grey day"),
  sentenceOf("the old town of New Lisbon has a bridge", { entities: [{ start: 4, end: 6, type: "LOC" }] }),
];

describe("what trains", () => {
  const rate = { rate: 0.35, count: "ceil" } as const;

  it("one token that is an entity: no candidates, the positive alone", () => {
    expect(drawSpans(itemOf(sentences[1]!), uniform(rate), visit)).toEqual({ known: [0], drawn: [] });
  });

  it("no entity: negatives alone", () => {
    const { known, drawn } = drawSpans(itemOf(sentences[2]!), uniform(rate), visit);
    expect(known).toEqual([]);
    expect(drawn.length).toBe(Math.ceil(0.35 * 13));
  });

  it("fewer candidates than wanted: all of them", () => {
    const item = itemOf(sentenceOf("Ana"));
    expect(drawSpans(item, uniform({ rate: 5, count: "ceil" }), visit)).toEqual({ known: [], drawn: [0] });
  });

  it("known negatives always, unsure spans never", () => {
    const item = itemOf(sentenceOf("a b", { rejected: [{ start: 0, end: 1 }], unsure: [{ start: 1, end: 2 }] }));
    expect(drawSpans(item, all(), visit)).toEqual({ known: [0], drawn: [1] });
    const complete = itemOf(sentenceOf("a b", { complete: wholly(2) }));
    expect(drawSpans(complete, uniform(rate), visit)).toEqual({ known: [0, 1, 2], drawn: [] });
  });

  it("an entity wider than the limit is neither positive nor negative", () => {
    const item = itemOf(sentenceOf("a b c", { entities: [{ start: 0, end: 3, type: "LOC" }] }), 0, 2);
    expect([...drawSpans(item, all(), visit).drawn].length).toBe(5);
    expect(item.states.every((state) => state < 0)).toBe(true);
  });

  it("draws depend on the sentence and the epoch, not on the batch", () => {
    const item = itemOf(sentences[2]!, 7);
    const at = (epoch: number) => drawSpans(item, uniform(rate), { seed: 1, epoch }).drawn;
    expect(at(0)).toEqual(at(0));
    expect(at(0)).not.toEqual(at(1));
  });

  it("hidden entities among the negatives are counted", () => {
    const item = { ...itemOf(sentences[2]!), hidden: new Set([0, 5]) };
    const { counts } = trainingBatch([item], tinyEncoder(), all(), visit, supervisionOf([item], sets));
    expect(counts()).toMatchObject({ negatives: item.grid.size, missampled: 2, positives: 0, tokens: 13 });
  });
});

function tinyEncoder(): Encoder {
  const settings = bilstmSettings.parse({
    wordWidth: 8,
    minimumCount: 1,
    units: 6,
    featureSettings: { charWidth: 4, charFilters: 6, shapeWidth: 4 },
  });
  return bilstm(sentences, settings, { seed: 1 });
}

describe.each(["product", "width", "biaffine"] as const)("a span model with the %s scorer", (scorer) => {
  let model: SpanModel;
  let store: ParameterStore;
  let predictor: Predictor;

  beforeAll(async () => {
    model = spanModel(tinyEncoder(), types, { scorer, hidden: 10, dropout: 0.1, maxWidth: 4 });
    store = new ParameterStore(model.params.specs).initialise(3);
    predictor = await Predictor.create(model, store);
  });

  it("scores a sentence the same alone, in a batch and beside longer ones", async () => {
    const together = await scoresOf(model, store, sentences);
    for (const [i, sentence] of sentences.entries()) {
      const [alone] = await scoresOf(model, store, [sentence]);
      expect(alone!.logProbs.length).toBe(together[i]!.logProbs.length);
      alone!.logProbs.forEach((score, k) => {
        expect(Math.abs(score - together[i]!.logProbs[k]!)).toBeLessThan(1e-5);
      });
    }
  });

  it("predicts nothing for a sentence without tokens, and keeps the order of sentences", async () => {
    const empty = sentenceOf("");
    const result = await predictor.predict([sentences[3]!, empty, sentences[0]!]);
    expect(result.map(({ text }) => text)).toEqual([sentences[3]!.text, "", sentences[0]!.text]);
    expect(result[1]!.entities).toEqual([]);
  });

  it("finds the same entities in a long sentence that is cut as the windows rule says: nothing is lost", async () => {
    const words = Array.from({ length: 700 }, (_, i) => `w${i % 90}`).join(" ");
    const [long] = await predictor.predict([sentenceOf(words)], { overlap: "all", minScore: 0 });
    const last = long!.entities.at(-1);
    expect(last === undefined || last.end <= 700).toBe(true);
    const [whole] = await scoresOf(model, store, [sentenceOf(words)]);
    expect(whole!.items.size).toBe(700 * 4 - 6);
    expect(whole!.logProbs.every(Number.isFinite)).toBe(true);
  });

  it("has the gradient of a training step with a sampler inside the graph only through what was picked", async () => {
    const sampler = weighted({ rate: 0.35, count: "ceil", mu: 8, maxOver: "entities" });
    const items = sentences.map((sentence, id) => itemOf(sentence, id));
    const supervision = supervisionOf(items, sets);
    const { loss, places } = model.training(crossEntropy({ reduction: "mean" }), sampler, 10, supervision);
    const { batch, counts } = trainingBatch(items, model.encoder, sampler, visit, supervision);
    const [gradient] = gradients(loss, [model.params.tensors().at(-1)!]);
    const program = await Program.compile({ loss, places: places!, gradient: gradient! });
    const result = await program.run({ ...store.tensors(), ...batch.feeds });
    await program.dispose();
    expect(Number.isFinite(result.loss!.data[0])).toBe(true);
    const { negatives, positives } = counts(result.places!.data as Int32Array);
    expect(positives).toBe(4);
    expect(negatives).toBe(Math.ceil(0.35 * 4) + 0 + Math.ceil(0.35 * 13) + Math.ceil(0.35 * 9));
    expect((result.gradient!.data as Float32Array).some((each) => each !== 0)).toBe(true);
  });
});

it("a batch in which nothing trains has loss 0 and no gradient", async () => {
  const model = spanModel(tinyEncoder(), types, { scorer: "product", hidden: 4, dropout: 0, maxWidth: 2 });
  const store = new ParameterStore(model.params.specs).initialise(3);
  const items = [itemOf(sentences[2]!, 0, 2)];
  const supervision = supervisionOf(items, sets);
  const { loss } = model.training(crossEntropy({ reduction: "mean" }), none(), 1, supervision);
  const program = await Program.compile({ loss, gradient: gradients(loss, [model.params.tensors()[0]!])[0]! });
  const { batch } = trainingBatch(items, model.encoder, none(), visit, supervision);
  const result = await program.run({ ...store.tensors(), ...batch.feeds });
  expect(result.loss!.data[0]).toBe(0);
  expect((result.gradient!.data as Float32Array).every((each) => each === 0)).toBe(true);
});
