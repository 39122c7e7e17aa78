import { describe, expect, it } from "vitest";
import { autonerItem } from "../src/heads/autoner/items.ts";
import type { AutonerModel } from "../src/heads/autoner/model.ts";
import { autonerSettings } from "../src/heads/autoner/settings.ts";
import { type Adjustment, biased, heads } from "../src/heads/index.ts";
import { spanItems } from "../src/heads/span/items.ts";
import { entitiesOf } from "../src/inference/index.ts";
import { ParameterStore } from "../src/nn/index.ts";
import { allowedLosses, crossEntropy } from "../src/objectives/index.ts";
import { all } from "../src/samplers/index.ts";
import { gradients, input, runReference, sum, type Value } from "../src/tensor/index.ts";
import { type Annotation, type Sentence, tokenCount, tokenTexts, typeSets, wholly } from "../src/text/index.ts";
import { gaussian, random } from "../src/util/random.ts";
import { scoresOf } from "./support/scores.ts";
import { vectorOf, width, words } from "./support/word-encoder.ts";
import { sentenceOf } from "./support/words.ts";

const types = ["LOC", "PER"];
const sets = typeSets(types);
const hidden = 4;
const train = [
  sentenceOf("Ana left New Lisbon for some days", {
    entities: [
      { start: 0, end: 1, type: "PER" },
      { start: 2, end: 4, type: "LOC" },
      { start: 2, end: 4, type: "PER" },
    ],
    unsure: [{ start: 5, end: 6 }],
  }),
  sentenceOf("Rui", { entities: [{ start: 0, end: 1, type: "PER" }] }),
  sentenceOf("so said Ana to us", { complete: wholly(5, ["LOC"]), rejected: [{ start: 0, end: 2 }] }),
  sentenceOf("the old town", { complete: wholly(3) }),
];
const parts = { sampler: all(), objective: crossEntropy({ reduction: "mean" }), epochs: 1, seed: 1 };

/** Shares, weights, spans taken out, and labels one of which is right, on labels and across them. */
const adjustments: readonly Adjustment[] = [
  { sentence: 0, start: 2, end: 4, weight: 1, target: [0.2, 0.5, 0.3] },
  { sentence: 0, start: 1, end: 3, weight: 0.5, target: [0.9, 0.1, 0] },
  { sentence: 0, start: 1, end: 4, weight: 0 },
  { sentence: 0, start: 0, end: 2, weight: 0 },
  { sentence: 0, start: 3, end: 5, weight: 0.5, target: [0.7, 0.3, 0] },
  { sentence: 0, start: 4, end: 5, weight: 0.5 },
  { sentence: 1, start: 0, end: 1, weight: 1, target: [0.1, 0, 0.9] },
  { sentence: 2, start: 0, end: 2, weight: 0.25, allowed: [2] },
  { sentence: 2, start: 1, end: 3, weight: 1, target: [0.6, 0, 0.4] },
  { sentence: 2, start: 1, end: 4, weight: 0.5, target: [0.8, 0.1, 0.1] },
  { sentence: 2, start: 2, end: 3, weight: 1, allowed: [0, 2] },
  { sentence: 2, start: 2, end: 4, weight: 1, allowed: [0, 2] },
  { sentence: 2, start: 3, end: 4, weight: 0 },
  { sentence: 2, start: 3, end: 5, weight: 0.5 },
];

function taskOf(given: object, sentences: readonly Sentence[] = train, changes: readonly Adjustment[] = []) {
  const settings = autonerSettings.parse({ dropout: 0, hidden, maxWidth: 3, ...given });
  const task = heads.autoner.train({ sentences, adjustments: changes }, words, types, settings, parts);
  const model = task.model as AutonerModel;
  const store = new ParameterStore(model.params.specs);
  const rng = random(6, "weights");
  for (const slot of store.slots)
    store.view(slot).forEach((_, i, view) => {
      view[i] = 0.8 * gaussian(rng);
    });
  store.get("span.labels.bias")[0] = -1.5; // types win often enough to be seen
  const { batch, counts } = task.batch(
    sentences.map((_, i) => i),
    { seed: 1, epoch: 0 },
  );
  return { model, store, batch, counts, loss: task.graph().loss, leftOut: task.leftOut };
}

/** The scores of a sentence in plain numbers: of the gap before a token, and of the labels of a span. */
function plainScores(store: ParameterStore, sentence: Sentence, layers: number) {
  const vectors = tokenTexts(sentence).map(vectorOf);
  const nothing = new Array<number>(width).fill(0);
  const product = (name: string, x: readonly number[], columns: number): number[] =>
    Array.from({ length: columns }, (_, k) =>
      x.reduce((sum, each, d) => sum + each * store.get(`${name}.weight`)[d * columns + k]!, 0),
    );
  const affine = (name: string, x: readonly number[], columns: number): number[] =>
    product(name, x, columns).map((each, k) => each + store.get(`${name}.bias`)[k]!);
  const state = (name: string, left: readonly number[], right: readonly number[]): number[] => {
    let x = left.map((each, k) => Math.tanh(each + right[k]! + store.get(`${name}.bias`)[k]!));
    for (let layer = 0; layer < layers; layer++) {
      const gates = affine(`${name}.highway.${layer}.gate`, x, hidden).map((each) => 1 / (1 + Math.exp(-each)));
      const next = affine(`${name}.highway.${layer}`, x, hidden).map((each) => Math.max(0, each));
      x = x.map((each, k) => gates[k]! * next[k]! + (1 - gates[k]!) * each);
    }
    return x;
  };
  return {
    gap: (token: number): number =>
      affine(
        "gap.break",
        state(
          "gap",
          product("gap.left", vectors[token - 1] ?? nothing, hidden),
          product("gap.right", vectors[token]!, hidden),
        ),
        1,
      )[0]!,
    types: (start: number, end: number): number[] =>
      affine(
        "span.labels",
        state("span", product("span.start", vectors[start]!, hidden), product("span.end", vectors[end - 1]!, hidden)),
        types.length + 1,
      ),
  };
}

/** Gaps (before each token from the second on) and typed spans of the training sentences, written out by hand. */
const known = {
  outside: [
    { gaps: "bbtbuu", typed: { "0 1": [2], "1 2": [0], "2 4": [1, 2], "4 5": [0], "6 7": [0] } },
    { gaps: "", typed: { "0 1": [2] } },
    { gaps: "bbbb", typed: { "0 1": [0], "0 2": [0], "1 2": [0], "2 3": [0], "3 4": [0], "4 5": [0] } },
    { gaps: "bb", typed: { "0 1": [0], "1 2": [0], "2 3": [0] } },
  ],
  any: [
    { gaps: "bbtbuu", typed: { "0 1": [2], "2 4": [1, 2] } },
    { gaps: "", typed: { "0 1": [2] } },
    {
      gaps: "uuuu",
      typed: { "0 1": [0, 2], "0 2": [0], "1 2": [0, 2], "2 3": [0, 2], "3 4": [0, 2], "4 5": [0, 2] },
    },
    { gaps: "bb", typed: { "0 1": [0], "1 2": [0], "2 3": [0] } },
  ],
} as const;

/** The share of a break, and how much the gap trains; a letter is one that is certain. */
type PlainGap = "t" | "b" | "u" | readonly [share: number, weight: number];
type PlainTyped =
  | readonly number[]
  | { readonly labels: readonly number[]; readonly weight: number }
  | { readonly target: readonly number[]; readonly weight: number };
interface PlainKnown {
  readonly gaps: Iterable<PlainGap>;
  readonly typed: Readonly<Record<string, PlainTyped>>;
}

const shared = {
  "2 4": { target: [0.2, 0.5, 0.3], weight: 1 },
  "1 3": { target: [0.9, 0.1, 0], weight: 0.5 },
  "3 5": { target: [0.7, 0.3, 0], weight: 0.5 },
};
const spoken = {
  "0 2": { labels: [2], weight: 0.25 },
  "1 3": { target: [0.6, 0, 0.4], weight: 1 },
  "1 4": { target: [0.8, 0.1, 0.1], weight: 0.5 },
  "2 3": [0, 2],
  "2 4": [0, 2],
};
const rui = { gaps: [], typed: { "0 1": { target: [0.1, 0, 0.9], weight: 1 } } };
/** The same where earlier stages spoke of spans. */
const adjustedKnown: Readonly<Record<"outside" | "any", readonly PlainKnown[]>> = {
  outside: [
    {
      // Within "2 4" a tie with 0.8; before token 2 nobody knows of "1 4"; before token 4 only "3 5" is a tie.
      gaps: ["b", "u", [0.2, 1], [0.7, 0.5], "u", "u"],
      typed: { "0 1": [2], "1 2": [0], ...shared, "4 5": { labels: [0], weight: 0.5 }, "6 7": [0] },
    },
    rui,
    {
      // Before token 2 the ties of "1 3" and "1 4" are 0.6, at 0.4 · 1 + 0.2 · 0.5 of it; "2 4" may be anything.
      gaps: [[0, 0.25], [0.4, 0.5 / 0.6], "u", [1, 0.5]],
      typed: { "0 1": [0], ...spoken, "1 2": [0], "4 5": [0] },
    },
    known.outside[3] as PlainKnown,
  ],
  any: [
    { gaps: ["b", "u", [0.2, 1], "u", "u", "u"], typed: { "0 1": [2], ...shared } },
    rui,
    { gaps: "uuuu" as Iterable<PlainGap>, typed: { "0 1": [0, 2], ...spoken, "1 2": [0, 2], "4 5": [0, 2] } },
    known.any[3] as PlainKnown,
  ],
};

function plainLoss(store: ParameterStore, said: readonly PlainKnown[], layers: number, hinge: boolean): number {
  const [gaps, spans]: [number, number][][] = [[], []];
  train.forEach((sentence, i) => {
    const scores = plainScores(store, sentence, layers);
    [...said[i]!.gaps].forEach((gap, k) => {
      if (gap === "u") return;
      const [share, weight] = typeof gap === "string" ? [gap === "b" ? 1 : 0, 1] : gap;
      const score = scores.gap(k + 1);
      const costs = (sign: number): number => Math.log(1 + Math.exp(-sign * score));
      const loss = hinge ? Math.max(0, 1 - (share > 0.5 ? score : -score)) : share * costs(1) + (1 - share) * costs(-1);
      gaps!.push([loss, weight]);
    });
    for (const [span, given] of Object.entries(said[i]!.typed)) {
      const [start, end] = span.split(" ").map(Number) as [number, number];
      const odds = scores.types(start, end).map(Math.exp);
      const total = odds.reduce((a, b) => a + b, 0);
      const lesson = "length" in given ? { labels: given, weight: 1 } : given;
      const loss =
        "target" in lesson
          ? -lesson.target.reduce((sum, share, label) => sum + share * Math.log(odds[label]! / total), 0)
          : -Math.log(lesson.labels.reduce((sum, label) => sum + odds[label]!, 0) / total);
      spans!.push([loss, lesson.weight]);
    }
  });
  const mean = (values: readonly (readonly [number, number])[]): number =>
    values.reduce((sum, [loss, weight]) => sum + weight * loss, 0) /
    values.reduce((sum, [, weight]) => sum + weight, 0);
  return mean(gaps!) + mean(spans!);
}

const cases = [
  { unknown: "outside", highway: 1, gapLoss: "cross-entropy" },
  { unknown: "any", highway: 2, gapLoss: "cross-entropy" },
  { unknown: "outside", highway: 0, gapLoss: "hinge" },
] as const;

describe.each(cases)("an AutoNER model with %j", (given) => {
  it("has the loss that a second implementation in plain numbers has", () => {
    const { loss, batch, store } = taskOf(given);
    const [found] = runReference([loss], feedsOf(store, batch.feeds));
    const said = known[given.unknown] as readonly PlainKnown[];
    expect(found!.data[0]).toBeCloseTo(plainLoss(store, said, given.highway, given.gapLoss === "hinge"), 6);
  });

  it("weighs spans, learns shares, and leaves open which of some labels is right, as plain numbers say", () => {
    const { loss, batch, store } = taskOf(given, train, adjustments);
    const [found] = runReference([loss], feedsOf(store, batch.feeds));
    const said = adjustedKnown[given.unknown];
    expect(found!.data[0]).toBeCloseTo(plainLoss(store, said, given.highway, given.gapLoss === "hinge"), 6);
  });

  it.each([
    ["labels", []],
    ["shares", adjustments],
  ])("has the gradient that differences give, with %s", (_, changes) => {
    const { model, loss, batch, store } = taskOf(given, train, changes);
    const feeds = feedsOf(store, batch.feeds);
    const found = runReference([...gradients(loss, model.params.tensors()), loss], feeds);
    store.slots.forEach((slot, p) => {
      const size = store.view(slot).length;
      for (const i of new Set([0, Math.floor(size / 2), size - 1])) {
        const at = (by: number): number => {
          const moved = Float64Array.from(feeds[slot.name]!.data);
          moved[i]! += by;
          return runReference([loss], { ...feeds, [slot.name]: { ...feeds[slot.name]!, data: moved } })[0]!.data[0]!;
        };
        expect(found[p]!.data[i], `${slot.name} ${i}`).toBeCloseTo((at(1e-6) - at(-1e-6)) / 2e-6, 5);
      }
    });
  });

  it("finds what lies between breaks and has a type, as a search through all spans does, whatever the shift", async () => {
    const { model, store } = taskOf(given);
    const scored = await scoresOf(model, store, train);
    let count = 0;
    for (const shift of [0, -1, 0.5]) {
      train.forEach((sentence, i) => {
        const n = tokenCount(sentence);
        const scores = plainScores(store, sentence, given.highway);
        const isBreak = (token: number): boolean => token === 0 || token === n || scores.gap(token) > shift;
        const isTie = (token: number): boolean => -scores.gap(token) > shift;
        const expected: string[] = [];
        for (let start = 0; start < n; start++)
          for (let end = start + 1; end <= Math.min(n, start + 3); end++) {
            const inside = Array.from({ length: end - start - 1 }, (_, k) => start + 1 + k);
            const [outside, ...others] = scores.types(start, end) as [number, ...number[]];
            const best = Math.max(...others);
            if (isBreak(start) && isBreak(end) && inside.every(isTie) && best > outside + shift)
              expected.push(`${start} ${end} ${others.indexOf(best) + 1}`);
          }
        const biases = [0, -shift, -shift];
        const found = model.candidates(store)(biased(scored[i]!, biases));
        expect(found.map(({ start, end, label }) => `${start} ${end} ${label}`)).toEqual(expected);
        count += expected.length;
        if (shift < 0) return;
        const entities = entitiesOf(scored[i]!, { model, store }, { overlap: "all", minScore: 0, shift });
        expect(entities.length).toBe(expected.length);
      });
    }
    expect(count).toBeGreaterThan(5);
  });

  it("scores a sentence the same alone and beside longer ones, also one of a single token", async () => {
    const { model, store } = taskOf(given);
    const together = await scoresOf(model, store, train);
    for (const [i, sentence] of train.entries()) {
      const [alone] = await scoresOf(model, store, [sentence]);
      alone!.logProbs.forEach((score, k) => {
        expect(score).toBeCloseTo(together[i]!.logProbs[k]!, 4);
      });
      expect(alone!.logProbs.slice(0, 3).reduce((sum, each) => sum + Math.exp(each), 0)).toBeCloseTo(1, 5);
    }
  });
});

describe("gaps and typed spans", () => {
  const itemOf = (text: string, annotation: Annotation, unknown: "outside" | "any" = "outside") => {
    const [item] = spanItems({ sentences: [sentenceOf(text, annotation)] }, sets, 3);
    const { gaps, typed, grid } = autonerItem(item!, sets, unknown);
    const [starts, ends] = [grid.starts(), grid.ends()];
    const nameOf = (weight: number, gap: number): string => (weight === 0 ? "u" : gap === 1 ? "b" : "t");
    return {
      gaps: Array.from(gaps.weights, (weight, token) => nameOf(weight, gaps.breaks[token]!))
        .slice(1)
        .join(""),
      typed: Object.fromEntries([...typed].map(([span, labels]) => [`${starts[span]} ${ends[span]}`, labels])),
    };
  };

  it("are those of the training sentences written out by hand", () => {
    for (const unknown of ["outside", "any"] as const)
      train.forEach((sentence, i) => {
        expect(itemOf(sentence.text, sentence, unknown)).toEqual(known[unknown][i]);
      });
  });

  it("touching a phrase that may be an entity are unknown, on both sides and inside", () => {
    const found = itemOf("a b c d e f", { unsure: [{ start: 2, end: 4 }] });
    expect(found.gaps).toBe("buuub");
    expect(Object.keys(found.typed)).toEqual(["0 1", "1 2", "4 5", "5 6"]);
  });

  it("follow the longest of entities that overlap; tokens of the others alone stay open", () => {
    const entities = [
      { start: 0, end: 2, type: "PER" },
      { start: 1, end: 4, type: "LOC" },
    ];
    const found = itemOf("a b c d e", { entities });
    expect(found.gaps).toBe("uttb");
    expect(found.typed).toEqual({ "1 4": [1], "4 5": [0] });
    const { leftOut } = taskOf({}, [sentenceOf("a b c d e", { entities })]);
    expect(leftOut.map(({ count }) => count)).toEqual([0, 1]);
  });

  it("in windows of a long sentence follow spans that a neighbouring window decides", () => {
    const text = Array.from({ length: 300 }, (_, i) => `w${i}`).join(" ");
    const sentence = sentenceOf(text, { entities: [{ start: 206, end: 209, type: "PER" }] });
    const changes = [{ sentence: 0, start: 206, end: 209, weight: 0.5, target: [0.75, 0, 0.25] }];
    const items = spanItems({ sentences: [sentence], adjustments: changes }, sets, 3);
    const [first, second] = items.map((item) => autonerItem(item, sets, "outside"));
    // The first window decides what starts before token 208, the second, which begins with token 160, the others.
    expect([...first!.gaps.breaks.subarray(205, 210)]).toEqual([1, 1, 0.75, 0, 0]);
    expect([...first!.gaps.weights.subarray(205, 210)]).toEqual([1, 1, 0.5, 0, 0]);
    expect([...second!.gaps.breaks.subarray(47, 51)]).toEqual([0, 0.75, 1, 1]);
    expect([...second!.gaps.weights.subarray(47, 51)]).toEqual([0, 0.5, 1, 1]);
    const span = { start: 206, end: 209 };
    expect(first!.typed.get(first!.grid.index(span))).toEqual([0, 2]);
    expect(second!.typed.has(second!.grid.index({ start: 46, end: 49 }))).toBe(false);
  });

  it("of an entity that is too wide to be typed are ties all the same", () => {
    const found = itemOf("a b c d e", { entities: [{ start: 0, end: 4, type: "PER" }] });
    expect(found).toEqual({ gaps: "tttb", typed: { "4 5": [0] } });
  });
});

describe("autoner", () => {
  it("learns candidate types as against the model's own shares of them", () => {
    const logits = [0.3, -1.2, 0.9, 2];
    const allowed = [0, 1, 1, 0];
    const x = input("x", "float32", [1, 1, 4]);
    const [gradient] = gradients(sum(allowedLosses(x, input("a", "float32", [1, 1, 4]))), [x]);
    const [found] = runReference([gradient!], {
      x: { shape: [1, 1, 4], data: Float64Array.from(logits) },
      a: { shape: [1, 1, 4], data: Float64Array.from(allowed) },
    });
    const total = logits.reduce((before, z) => before + Math.exp(z), 0);
    const inside = logits.reduce((before, z, i) => before + allowed[i]! * Math.exp(z), 0);
    logits.forEach((z, i) => {
      // p − q, the gradient of −Σ q log p for fixed q.
      expect(found!.data[i]).toBeCloseTo(Math.exp(z) / total - (allowed[i]! * Math.exp(z)) / inside, 8);
    });
  });

  it("counts tokens that train as no entity, and those of hidden entities among them", () => {
    const settings = autonerSettings.parse({ maxWidth: 3 });
    const sentences = [sentenceOf("a b c d", { entities: [{ start: 0, end: 1, type: "PER" }] })];
    const corpus = { sentences, hidden: [[{ start: 2, end: 4, type: "LOC" }]] };
    const task = heads.autoner.train(corpus, words, types, settings, parts);
    expect(task.batch([0], { seed: 1, epoch: 0 }).counts()).toEqual({
      tokens: 4,
      positives: 1,
      negatives: 3,
      missampled: 2,
    });
  });

  it("counts no span as a negative of which an earlier stage spoke", () => {
    // Without changes: 1 2, 4 5 and 6 7 of the first sentence, and all of the third but the rejected one.
    expect(taskOf({}).counts().negatives).toBe(3 + 5);
    expect(taskOf({}, train, adjustments).counts().negatives).toBe(3 + 3);
  });

  it("refuses what has no meaning for it", () => {
    const plain = { sampler: "all", objective: "cross-entropy", contrastive: false, inference: "plain" };
    const settings = autonerSettings.parse({});
    expect(() => heads.autoner.check(settings, { ...plain, sampler: "uniform" })).toThrow(
      'head autoner: sampler must be "all", got "uniform"',
    );
    expect(() =>
      heads.autoner.train({ sentences: [train[1]!] }, words, types, { ...settings, unknown: "any" }, parts),
    ).toThrow("head autoner: with unknown=any some text must be known to hold no entity");
  });
});

type Feeds = Readonly<Record<string, { readonly data: ArrayLike<number>; readonly shape: readonly number[] }>>;

function feedsOf(store: ParameterStore, feeds: Feeds): Record<string, Value> {
  const every = Object.entries({ ...store.tensors(), ...feeds });
  return Object.fromEntries(every.map(([name, { data, shape }]) => [name, { shape, data: Float64Array.from(data) }]));
}
