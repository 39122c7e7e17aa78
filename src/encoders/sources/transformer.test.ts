import { describe, expect, it, onTestFinished } from "vitest";
import { ParameterStore, Parameters } from "../../nn/index.ts";
import { Program } from "../../tensor/index.ts";
import type { Sentence } from "../../text/index.ts";
import { encoderSettings, openEncoder } from "../index.ts";
import { openBody, transformerSettings } from "../transformer/body.ts";
import { wordStates } from "../transformer/graph.ts";
import { sentenceOf, tinyModel, writeModel } from "../transformer/tiny-models.suite.ts";
import { middleLayers } from "./transformer.ts";

const sentences = ["the cats sat on a mat .", "mattings", "new york cats sat on the mat . the cats sat"].map(
  sentenceOf,
);

/** Vectors `first` and `last` of a stack of one transformer without a layer above, with fresh weights. */
async function stacked(from: string, options: object): Promise<{ first: number[]; last: number[] }[]> {
  const settings = {
    name: "stack",
    sources: [{ name: "transformer", from, window: 9, ...options }],
    context: { layers: 0 },
  };
  const encoder = await openEncoder(encoderSettings.parse(settings), [], 1);
  onTestFinished(() => encoder.dispose?.());
  const params = new Parameters();
  const { first, last } = encoder.build(params, {});
  const program = await Program.compile({ first, ...(last !== first && { last }) });
  const store = new ParameterStore(params.specs).initialise(1);
  await encoder.prepare?.(sentences);
  const results = [];
  for (const sentence of sentences) {
    const found = await program.run({ ...store.tensors(), ...encoder.batch([sentence]).feeds });
    results.push({ first: [...found.first!.data], last: [...(found.last ?? found.first)!.data] });
  }
  await program.dispose();
  return results;
}

/** The mean of some layers by the graph of the model itself. */
async function direct(from: string, layers: readonly number[], sentence: Sentence, which: "first" | "last") {
  const body = await openBody(from, [], transformerSettings.parse({ window: 9, features: false, context: 0 }));
  const params = new Parameters();
  const outputs: Record<string, ReturnType<typeof wordStates>> = {};
  body.states(params, {}, (states, layer) => {
    if (layers.includes(layer)) outputs[`layer ${layer}`] = states;
    return states;
  });
  const sum: number[] = [];
  for (const [name, states] of Object.entries(outputs)) {
    const program = await Program.compile({ [name]: wordStates(states, which) });
    const store = new ParameterStore(params.specs).initialise(1);
    const found = await program.run({ ...store.tensors(), ...body.batch([sentence], body.layOut([sentence])).feeds });
    found[name]!.data.forEach((number, i) => {
      sum[i] = (sum[i] ?? 0) + number / layers.length;
    });
    await program.dispose();
  }
  return sum;
}

function expectClose(found: readonly number[], expected: readonly number[], tolerance: number): void {
  expect(found.length).toBe(expected.length);
  expect(Math.max(...expected.map((number, i) => Math.abs(number - found[i]!)))).toBeLessThan(tolerance);
}

describe("a transformer as a source", () => {
  it.each([
    [{ layers: [1, 2] }, [1, 2], 4e-3],
    [{ layers: [1] }, [1], 4e-3],
    [{ train: "all" }, [2], 1e-5],
    [{ train: "all", layers: [1, 2] }, [1, 2], 1e-5],
    // The lower layer's states are 16-bit floats.
    [{ train: "top:1" }, [2], 1e-2],
  ] as const)("has the states of the model, several layers as their mean: %j", async (options, layers, tolerance) => {
    const from = await writeModel(tinyModel("bert"));
    const found = await stacked(from, options);
    for (const [i, sentence] of sentences.entries()) {
      for (const which of ["first", "last"] as const)
        expectClose(found[i]![which], await direct(from, layers, sentence, which), tolerance);
    }
  });

  it("takes four layers in the middle of a deep model, and fewer of a shallow one", () => {
    expect([12, 24, 6, 4, 2, 1].map(middleLayers)).toEqual([
      [3, 5, 7, 9],
      [6, 10, 14, 18],
      [2, 3, 4, 5],
      [1, 2, 3],
      [1, 2],
      [1],
    ]);
  });

  it.each([
    [{ layers: [3] }, "transformer source: layers: must be numbers from 1 to 2, got 3"],
    [{ train: "top:1", layers: [1] }, "transformer source: layers: must be numbers from 2 to 2, got 1"],
    [{ train: "top:2" }, "transformer source: train: the model has 2 layers, got top:2; take train=all"],
  ])("refuses layers that the model does not have, or that do not train: %j", async (options, message) => {
    await expect(stacked(await writeModel(tinyModel("bert")), options)).rejects.toThrow(message);
  });

  it("refuses two that train", async () => {
    const one = { name: "transformer", from: await writeModel(tinyModel("bert")), train: "all" };
    const settings = encoderSettings.parse({ name: "stack", sources: [one, one] });
    await expect(openEncoder(settings, [], 1)).rejects.toThrow("stack encoder: one transformer at most may train");
  });
});
