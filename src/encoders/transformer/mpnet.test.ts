import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { distanceBuckets } from "../../inputs/index.ts";
import { ParameterStore, Parameters } from "../../nn/index.ts";
import { gradients, input, mul, Program, sum, type Tensor } from "../../tensor/index.ts";
import { openBody } from "./body.ts";
import { transformerSettings } from "./index.ts";
import { sentenceOf, type TinyModel, tinyModel, wordPieces, writeModel } from "./tiny-models.suite.ts";

/**
 * What PyTorch 2.13.0 with transformers 5.22.2 computes: `MPNetModel` of the tiny model's sizes with 202 positions,
 * every parameter filled as `filled` does, in float32. Two sentences of 150 and 3 words, the second padded. Recorded are the
 * states behind each layer of words 0, 40, 149 of the first and 0, 1, 2 of the second, and the gradient that the table
 * of distances gets from the sum of all words' last states, weighted by sin 1, sin 2, … in each sentence.
 */
interface Recorded {
  readonly states: readonly (readonly (readonly number[][])[])[];
  readonly biasGradient: readonly number[][];
}

const pieces = [5, 6, 8, 9, 10, 12, 13, 16, 19, 20];
const sentence = (words: number): string =>
  Array.from({ length: words }, (_, i) => wordPieces[pieces[(i * i + Math.floor(i / 3)) % 10]!]).join(" ");
const recordedWords = [
  [0, 40, 149],
  [0, 1, 2],
];

function filled(model: TinyModel): TinyModel {
  const tensors = Object.entries(model.tensors).map(([name, { data, shape }]) => {
    const centre = name.endsWith("LayerNorm.weight") ? 1 : 0;
    return [name, { data: data.map((_, k) => 0.5 * Math.sin(k + 7 * name.length) + centre), shape }];
  });
  return { ...model, tensors: Object.fromEntries(tensors) };
}

it("MPNet gives the states of every layer and the gradient of its distances as PyTorch does", async () => {
  const text = await readFile(new URL("../../../test/fixtures/mpnet.json", import.meta.url), "utf8");
  const recorded = JSON.parse(text) as Recorded;
  const directory = await writeModel(filled(tinyModel("mpnet", { max_position_embeddings: 202 })));
  const body = await openBody(directory, [], transformerSettings.parse({ features: false }));
  const sentences = [150, 3].map((words) => sentenceOf(sentence(words)));
  const { feeds } = body.batch(sentences, body.layOut(sentences));

  const params = new Parameters();
  const layers: Tensor[] = [];
  body.states(params, {}, (x) => {
    layers.push(x);
    return x;
  });
  const loss = sum(mul(layers.at(-1)!, input("weights", "float32", layers[0]!.shape)));
  const at = params.specs.findIndex(({ name }) => name === "transformer.distances");
  const [gradient] = gradients(loss, [params.tensors()[at]!]);
  const program = await Program.compile({ first: layers[0]!, second: layers[1]!, gradient: gradient! });
  const store = new ParameterStore(params.specs).initialise(1);
  // Both rows are 152 long: [CLS], words, [SEP] and padding.
  const weights = new Float32Array(2 * 152 * 8);
  [150, 3].forEach((words, row) => {
    for (let i = 0; i < words * 8; i++) weights[(row * 152 + 1) * 8 + i] = Math.sin(i + 1);
  });
  const fed = { weights: { data: weights, shape: [2, 152, 8] } };
  const results = await program.run({ ...feeds, ...store.tensors(), ...fed });
  await program.dispose();

  [results.first!, results.second!].forEach(({ data }, layer) => {
    const found = recordedWords.map((words, s) =>
      words.map((word) => Array.from(data.subarray((s * 152 + word + 1) * 8, (s * 152 + word + 2) * 8))),
    );
    expectNear(found.flat(2), recorded.states[layer]!.flat(2), 5e-6);
  });
  expectNear([...results.gradient!.data], recorded.biasGradient.flat(), 5e-5);
});

function expectNear(found: readonly number[], expected: readonly number[], tolerance: number): void {
  expect(found.length).toBe(expected.length);
  expect(Math.max(...expected.map((number, i) => Math.abs(number - found[i]!)))).toBeLessThanOrEqual(tolerance);
}

it("distances of three sub-words lie in the exact buckets, those behind in the second half", () => {
  expect(distanceBuckets(3, 32)).toEqual({ data: Int32Array.of(0, 17, 18, 1, 0, 17, 2, 1, 0), shape: [3, 3] });
});

it("buckets grow by equal ratios up to a distance of 128 and end there, as PyTorch prints them", () => {
  const firsts = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91];
  const { data } = distanceBuckets(512, 32);
  const before = Array.from({ length: 512 }, (_, distance) => data[distance * 512]!);
  expect(before).toEqual(before.map((_, distance) => firsts.filter((first) => first <= distance).length - 1));
  const behind = Array.from({ length: 512 }, (_, distance) => data[distance]!);
  expect(behind.slice(1)).toEqual(before.slice(1).map((bucket) => 16 + bucket));
});
