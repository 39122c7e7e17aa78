import { describe, expect, it } from "vitest";
import { type Adjustment, biased, heads } from "../src/heads/index.ts";
import { type MrcModel, mrcModel } from "../src/heads/mrc/model.ts";
import { queriesOf } from "../src/heads/mrc/queries.ts";
import { mrcSettings } from "../src/heads/mrc/settings.ts";
import { entitiesOf } from "../src/inference/index.ts";
import { ParameterStore } from "../src/nn/index.ts";
import { crossEntropy } from "../src/objectives/index.ts";
import { all } from "../src/samplers/index.ts";
import { gradients, runReference, type Tensor, type Value } from "../src/tensor/index.ts";
import { type Sentence, stateOf, tokenCount, tokenTexts, wholly } from "../src/text/index.ts";
import { gaussian, random } from "../src/util/random.ts";
import { scoresOf } from "./support/scores.ts";
import { vectorOf, words } from "./support/word-encoder.ts";
import { sentenceOf } from "./support/words.ts";

const types = ["LOC", "PER"];
const queries = { LOC: "place ?", PER: "who ?" };
const train = [
  sentenceOf("Ana left New Lisbon today", {
    entities: [
      { start: 0, end: 1, type: "PER" },
      { start: 2, end: 4, type: "LOC" },
    ],
    unsure: [{ start: 4, end: 5 }],
    rejected: [
      { start: 1, end: 2, type: "PER" },
      { start: 3, end: 5 },
    ],
  }),
  sentenceOf("Rui", { entities: [{ start: 0, end: 1, type: "PER" }] }),
  sentenceOf("so said Ana to us", { complete: wholly(5, ["LOC"]) }),
  sentenceOf("the old town of Rui", { complete: wholly(5) }),
];
const settings = { dropout: 0, hidden: 4, maxWidth: 3, queries };

/** Shares on labels and beside them, weights, spans taken out, and labels one of which is right. */
const adjustments: readonly Adjustment[] = [
  { sentence: 0, start: 0, end: 1, weight: 0.5, target: [0.2, 0.1, 0.7] },
  { sentence: 0, start: 0, end: 2, weight: 1, target: [0.9, 0, 0.1] },
  { sentence: 0, start: 0, end: 3, weight: 0.25 },
  { sentence: 0, start: 1, end: 3, weight: 0 },
  { sentence: 0, start: 2, end: 3, weight: 0.8, target: [0.4, 0.6, 0] },
  { sentence: 0, start: 2, end: 4, weight: 1, allowed: [1, 2] },
  { sentence: 2, start: 0, end: 1, weight: 1, allowed: [0] },
  { sentence: 2, start: 2, end: 3, weight: 0.75, allowed: [2] },
  { sentence: 2, start: 2, end: 4, weight: 1, target: [0.1, 0.2, 0.7] },
  { sentence: 2, start: 3, end: 4, weight: 0 },
];

/** A task over the training sentences, with random weights. */
function taskOf(given: object, changes: readonly Adjustment[] = []) {
  const parts = { sampler: all(), objective: crossEntropy({ reduction: "mean" }), epochs: 1, seed: 1 };
  const corpus = { sentences: train, adjustments: changes };
  const task = heads.mrc.train(corpus, words, types, mrcSettings.parse({ ...settings, ...given }), parts);
  const store = randomStore(task.model as MrcModel);
  const members = task.sizes.map((_, member) => member);
  const { batch, counts } = task.batch(members, { seed: 1, epoch: 0 });
  return { task, store, batch, counts, loss: task.graph().loss, settings: (task.model as MrcModel).settings };
}

function randomStore({ params }: MrcModel): ParameterStore {
  const store = new ParameterStore(params.specs);
  const rng = random(5, "weights");
  for (const slot of store.slots)
    store.view(slot).forEach((_, i, view) => {
      view[i] = 0.7 * gaussian(rng);
    });
  return store;
}

/** The log-odds of a sentence for a type in plain numbers: start and end by token, match by span. */
function plainScores(store: ParameterStore, sentence: Sentence, type: number, reads: boolean) {
  const asking = reads ? vectorOf(Object.values(queries)[type]!.split(" ")[0]!) : [0, 0, 0];
  const vectors = tokenTexts(sentence).map((word) => vectorOf(word).map((number, d) => number + asking[d]!));
  const [outputs, output] = reads ? [1, 0] : [types.length, type];
  const classify = (name: string, x: readonly number[]): number =>
    x.reduce((sum, each, d) => sum + each * store.get(`${name}.weight`)[d * outputs + output]!, 0) +
    store.get(`${name}.bias`)[output]!;
  const project = (name: string, x: readonly number[], k: number): number =>
    x.reduce((sum, each, d) => sum + each * store.get(`${name}.weight`)[d * 4 + k]!, 0);
  return {
    start: (token: number) => classify("mrc.start", vectors[token]!),
    end: (token: number) => classify("mrc.end", vectors[token]!),
    match: (from: number, to: number) =>
      classify(
        "mrc.match",
        [0, 1, 2, 3].map((k) =>
          gelu(
            project("mrc.from", vectors[from]!, k) +
              project("mrc.to", vectors[to]!, k) +
              store.get("mrc.pair.bias")[k]!,
          ),
        ),
      ),
  };
}

/** x · Φ(x), the normal distribution summed in small steps. */
function gelu(x: number): number {
  const steps = 2000;
  let area = 0;
  for (let i = 0; i < steps; i++) area += Math.exp(-0.5 * ((i + 0.5) * (x / steps)) ** 2) * (x / steps);
  return x * (0.5 + area / Math.sqrt(2 * Math.PI));
}

const logistic = (score: number, share: number): number =>
  share * Math.log(1 + Math.exp(-score)) + (1 - share) * Math.log(1 + Math.exp(score));

interface PlainSpan {
  readonly start: number;
  readonly end: number;
  /** How much of an entity of the type it is. */
  readonly share: number;
  readonly weight: number;
}

/** What the sentences, and adjustments, say of the spans of a sentence for a type. */
function plainSpans(number: number, type: string, unknown: string, changes: readonly Adjustment[]): PlainSpan[] {
  const sentence = train[number]!;
  const label = types.indexOf(type) + 1;
  const spans: PlainSpan[] = [];
  const n = tokenCount(sentence);
  for (let start = 0; start < n; start++)
    for (let end = start + 1; end <= Math.min(n, start + 3); end++) {
      const state = stateOf(sentence, { start, end }, type);
      const change = changes.find((each) => each.sentence === number && each.start === start && each.end === end);
      const weight = change?.weight ?? 1;
      const put = (share: number, trains = true): void => {
        spans.push({ start, end, share: trains ? share : 0, weight: trains ? weight : 0 });
      };
      if (change?.target) put(change.target[label]!);
      else if (change?.allowed) put(Number(change.allowed[0] === label), `${change.allowed}` !== "1,2");
      else
        put(
          Number(state === "entity"),
          state === "entity" || state === "negative" || (state === "unknown" && unknown === "outside"),
        );
    }
  return spans;
}

/** The share of a start or an end, and how much it trains. */
function plainBoundary(spans: readonly PlainSpan[]): { readonly share: number; readonly weight: number } {
  const training = spans.filter(({ weight }) => weight > 0);
  const sum = training.reduce((total, { share }) => total + share, 0);
  const weighted = training.reduce((total, { share, weight }) => total + share * weight, 0);
  const weight = sum > 0.5 ? weighted / sum : Math.min(...spans.map((span) => span.weight));
  return { share: Math.min(1, sum), weight };
}

/** The loss in plain numbers, from what is said of each span. */
function plainLoss(
  store: ParameterStore,
  { unknown, candidates, weights, query }: MrcModel["settings"],
  changes: readonly Adjustment[] = [],
): number {
  const sums = { start: [0, 0], end: [0, 0], match: [0, 0] } as Record<"start" | "end" | "match", [number, number]>;
  const put = (which: keyof typeof sums, weight: number, loss: number): void => {
    sums[which][0] += weight * loss;
    sums[which][1] += weight;
  };
  for (const [at, sentence] of train.entries()) {
    types.forEach((type, number) => {
      const scores = plainScores(store, sentence, number, query === "read");
      const spans = plainSpans(at, type, unknown, changes);
      const [starts, ends] = [new Set<number>(), new Set<number>()];
      for (let token = 0; token < tokenCount(sentence); token++) {
        const from = plainBoundary(spans.filter(({ start }) => start === token));
        const to = plainBoundary(spans.filter(({ end }) => end === token + 1));
        put("start", from.weight, logistic(scores.start(token), from.share));
        put("end", to.weight, logistic(scores.end(token), to.share));
        if (from.share > 0.5 || scores.start(token) > 0) starts.add(token);
        if (to.share > 0.5 || scores.end(token) > 0) ends.add(token);
      }
      for (const { start, end, share, weight } of spans)
        if (candidates === "all" || (starts.has(start) && ends.has(end - 1)))
          put("match", weight, logistic(scores.match(start, end - 1), share));
    });
  }
  return (["start", "end", "match"] as const).reduce(
    (sum, which) => sum + (weights[which] * sums[which][0]) / Math.max(1e-9, sums[which][1]),
    0,
  );
}

const cases = [
  { query: "vector" },
  { query: "vector", unknown: "any", candidates: "all" },
  { query: "read", weights: { start: 0.5, end: 2, match: 0.1 } },
  { query: "read", unknown: "any", candidates: "all" },
] as const;

describe.each(cases)("an mrc model with %j", (given) => {
  it("has the loss that a second implementation in plain numbers has", () => {
    const { loss, batch, store, settings: own } = taskOf(given);
    expect(numberOf(loss, store, batch.feeds)).toBeCloseTo(plainLoss(store, own), 6);
  });

  it("weighs spans, learns shares, and leaves open which of some labels is right, as plain numbers say", () => {
    const { loss, batch, store, settings: own } = taskOf(given, adjustments);
    expect(numberOf(loss, store, batch.feeds)).toBeCloseTo(plainLoss(store, own, adjustments), 6);
  });

  it.each([
    ["labels", []],
    ["shares", adjustments],
  ])("has the gradient that differences give, with %s", (_, changes) => {
    const { task, loss, batch, store } = taskOf(given, changes);
    const wrt = task.model.params.tensors();
    const found = runReference([...gradients(loss, wrt), loss], feedsOf(store, batch.feeds));
    store.slots.forEach((slot, p) => {
      const view = store.view(slot);
      for (const i of [0, Math.floor(view.length / 2), view.length - 1]) {
        const before = feedsOf(store, batch.feeds);
        const at = (by: number): number => {
          const moved = Float64Array.from(before[slot.name]!.data);
          moved[i]! += by;
          return runReference([loss], { ...before, [slot.name]: { ...before[slot.name]!, data: moved } })[0]!.data[0]!;
        };
        expect(found[p]!.data[i], `${slot.name} ${i}`).toBeCloseTo((at(1e-6) - at(-1e-6)) / 2e-6, 5);
      }
    });
  });

  it("finds the spans whose start, end and match are all probable, by the least of them, whatever the shift", async () => {
    const { task, store } = taskOf(given);
    const { model } = task;
    const scored = await scoresOf(model, store, train);
    const found = new Set<string>();
    for (const shift of [0, -1.5, 1]) {
      train.forEach((sentence, i) => {
        const expected: string[] = [];
        const n = tokenCount(sentence);
        for (let start = 0; start < n; start++)
          for (let end = start + 1; end <= Math.min(n, start + 3); end++) {
            const odds = types.map((_, type) => {
              const { start: from, end: to, match } = plainScores(store, sentence, type, given.query === "read");
              return Math.min(from(start), to(end - 1), match(start, end - 1));
            });
            const best = Math.max(...odds);
            if (best > shift) expected.push(`${start} ${end} ${types[odds.indexOf(best)]}`);
          }
        const decoding = { overlap: "all" as const, minScore: 0, shift };
        const entities = entitiesOf(scored[i]!, { model, store }, decoding);
        expect(entities.map(({ start, end, type }) => `${start} ${end} ${type}`)).toEqual(expected);
        for (const each of expected) found.add(`${shift} ${i} ${each}`);
      });
    }
    expect(found.size).toBeGreaterThan(5);
  });

  it("shares out probabilities by the odds of all types against O", async () => {
    const { task, store } = taskOf(given);
    const [scores] = await scoresOf(task.model, store, [train[0]!]);
    for (const logProbs of [scores!.logProbs, biased(scores!, [0, 1, -2]).logProbs])
      for (let span = 0; span < scores!.items.size; span++) {
        const row = logProbs.subarray(3 * span, 3 * span + 3);
        expect(row.reduce((sum, each) => sum + Math.exp(each), 0)).toBeCloseTo(1, 5);
      }
  });
});

describe("mrc", () => {
  it("scores a sentence the same alone and beside longer ones, each row behind its own query", async () => {
    const { task, store } = taskOf({ query: "read" });
    const together = await scoresOf(task.model, store, train);
    for (const [i, sentence] of train.entries()) {
      const [alone] = await scoresOf(task.model, store, [sentence]);
      alone!.logProbs.forEach((score, k) => {
        expect(score).toBeCloseTo(together[i]!.logProbs[k]!, 5);
      });
    }
  });

  it("counts each sentence once, and the pairs that serve as negatives", () => {
    for (const query of ["vector", "read"]) {
      const { counts } = taskOf({ query });
      // Unknown pairs, of one type at least: 8 of the first sentence, none of the second and fourth, 12 of the third.
      expect(counts()).toEqual({ tokens: 16, positives: 3, negatives: 8 + 12, missampled: 0 });
    }
    expect(taskOf({ query: "read", unknown: "any" }).counts().negatives).toBe(0);
  });

  it("teaches the start and the end of an entity that is too wide to be a pair", () => {
    const sentence = sentenceOf("a b c d", { entities: [{ start: 0, end: 4, type: "PER" }] });
    const parts = { sampler: all(), objective: crossEntropy({ reduction: "mean" }), epochs: 1, seed: 1 };
    const task = heads.mrc.train({ sentences: [sentence] }, words, ["PER"], mrcSettings.parse({ maxWidth: 2 }), parts);
    const { feeds } = task.batch([0], { seed: 1, epoch: 0 }).batch;
    expect([...feeds["mrc.starts"]!.data]).toEqual([1, 0, 0, 0]);
    expect([...feeds["mrc.ends"]!.data]).toEqual([0, 0, 0, 1]);
    expect(feeds["mrc.pairs"]!.data.includes(1)).toBe(false);
    expect(task.leftOut[0]).toMatchObject({ count: 1 });
  });

  it("takes a start for the sum of the shares there, and leaves it out only where none is likely", () => {
    const one = (changes: readonly Omit<Adjustment, "sentence" | "start">[]): [number, number] => {
      const corpus = {
        sentences: [sentenceOf("a b c d", { entities: [{ start: 0, end: 4, type: "PER" }] }), sentenceOf("a b c")],
        adjustments: changes.map((change) => ({ ...change, sentence: 1, start: 0 })),
      };
      const parts = { sampler: all(), objective: crossEntropy({ reduction: "mean" }), epochs: 1, seed: 1 };
      const task = heads.mrc.train(corpus, words, ["PER"], mrcSettings.parse({ maxWidth: 3 }), parts);
      const { feeds } = task.batch([1], { seed: 1, epoch: 0 }).batch;
      return [feeds["mrc.starts"]!.data[0]!, feeds["mrc.starts.weights"]!.data[0]!];
    };
    const target = (end: number, share: number, weight = 1) => ({ end, weight, target: [1 - share, share] });
    expect(one([target(1, 0.25), target(3, 0.125)])).toEqual([0.375, 1]);
    expect(one([target(1, 0.75), target(3, 0.5)])).toEqual([1, 1]);
    // A span of which nobody knows may make a start of what is none otherwise, but not none of what is likely.
    expect(one([target(1, 0.25), { end: 2, weight: 0 }])).toEqual([0.25, 0]);
    expect(one([target(1, 0.75, 0.5), { end: 2, weight: 0 }])).toEqual([0.75, 0.5]);
    expect(one([{ end: 1, weight: 0.5 }])).toEqual([0, 0.5]);
    expect(one([{ end: 1, weight: 1, allowed: [0, 1] }])).toEqual([0, 0]);
    expect(one([{ end: 1, weight: 1, allowed: [1] }])).toEqual([1, 1]);
  });

  it("counts no span as a negative of which an earlier stage spoke", () => {
    // 0 2, 1 3 and 2 3 of the first sentence, and four of the third; 0 3 only has another weight.
    expect(taskOf({}, adjustments).counts().negatives).toBe(20 - 7);
  });

  it("makes a query of a type's name, and refuses one for a type that is not there", () => {
    expect(queriesOf(["PER", "creative_work", "LOC", "constructor"], { PER: "who?" })).toEqual({
      PER: "who?",
      creative_work: "Find every creative work in the text.",
      LOC: "Find every location in the text.",
      constructor: "Find every constructor in the text.",
    });
    expect(() => queriesOf(["PER"], { LOC: "where?" })).toThrow('head.queries: unknown type "LOC" (known: PER)');
  });

  it("refuses what has no meaning for it", () => {
    const plain = { sampler: "all", objective: "cross-entropy", contrastive: false, inference: "plain" };
    const check = (more: object): void => heads.mrc.check(mrcSettings.parse({}), { ...plain, ...more });
    expect(() => check({})).not.toThrow();
    expect(() => check({ sampler: "uniform" })).toThrow('head mrc: sampler must be "all", got "uniform"');
    expect(() => check({ objective: "gce" })).toThrow('head mrc: objective must be "cross-entropy", got "gce"');
    expect(() => check({ contrastive: true })).toThrow("head mrc: takes no contrastive loss");
    expect(() => check({ inference: "retrieval" })).toThrow('head mrc: inference must be "plain", got "retrieval"');
    const frozen = { ...words, prepare: async () => {} };
    const parts = { sampler: all(), objective: crossEntropy({ reduction: "mean" }), epochs: 1, seed: 1 };
    const open = (query: string): unknown =>
      heads.mrc.train({ sentences: train }, frozen, types, mrcSettings.parse({ query }), parts).model.settings.query;
    expect(() => open("read")).toThrow("head mrc: query=read needs an encoder without frozen parts");
    expect(open("auto")).toBe("vector");
    expect(() =>
      heads.mrc.train({ sentences: [train[1]!] }, words, types, mrcSettings.parse({ unknown: "any" }), parts),
    ).toThrow("head mrc: with unknown=any some text must be known to hold no entity");
  });

  it("cannot be exported where it reads queries", () => {
    const read = taskOf({ query: "read" });
    expect(() => read.task.model.portable!(read.store)).toThrow(
      "export: an exported model puts no query before a sentence",
    );
    const vector = taskOf({ query: "vector" });
    expect(vector.task.model.portable!(vector.store).decoding).toEqual({ kind: "spans", maxWidth: 3 });
  });

  it("reads queries by itself where a transformer trains", () => {
    const trained = { ...words, pretrained: ["transformer."] };
    const parts = { sampler: all(), objective: crossEntropy({ reduction: "mean" }), epochs: 1, seed: 1 };
    const { model, sizes } = heads.mrc.train({ sentences: train }, trained, types, mrcSettings.parse(settings), parts);
    expect(model.settings.query).toBe("read");
    // Two tokens of the query and the sentence, for each type.
    expect(sizes).toEqual([7, 7, 3, 3, 7, 7, 7, 7]);
    expect(model.size!(train[0]!)).toBe(14);
    expect(mrcModel(words, types, { ...(model as MrcModel).settings, query: "vector" }).size!(train[0]!)).toBe(5);
  });
});

type Feeds = Readonly<Record<string, { readonly data: ArrayLike<number>; readonly shape: readonly number[] }>>;

function feedsOf(store: ParameterStore, feeds: Feeds): Record<string, Value> {
  const all = Object.entries({ ...store.tensors(), ...feeds });
  return Object.fromEntries(all.map(([name, { data, shape }]) => [name, { shape, data: Float64Array.from(data) }]));
}

function numberOf(tensor: Tensor, store: ParameterStore, feeds: Feeds): number {
  return runReference([tensor], feedsOf(store, feeds))[0]!.data[0]!;
}
