import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ParameterStore, Parameters } from "../../nn/index.ts";
import { Program } from "../../tensor/index.ts";
import type { Sentence } from "../../text/index.ts";
import { writeSafetensors } from "../../util/safetensors.ts";
import type { Encoder } from "../encoder.ts";
import { encode, expectClose, plain, settings } from "./encode.suite.ts";
import { loadTransformer, transformerKind, transformerSettings } from "./index.ts";
import { sentenceOf, tinyModel, wordPieceTokenizer, writeModel } from "./tiny-models.suite.ts";

describe("a saved encoder", () => {
  it("is made again from its settings and files, and gives the same vectors with the same weights", async () => {
    const sentences = ["The cats sat", "on a mat ."].map(sentenceOf);
    const encoder = await loadTransformer(await writeModel(tinyModel("bert")), sentences);
    const restored = transformerKind.restore(transformerKind.settings.parse(encoder.settings), encoder.files());
    expect(Object.keys(encoder.files())).toEqual(["transformer.json", "tokenizer.json", "vocabulary.json"]);
    expect(restored.settings).toEqual(encoder.settings);
    expect(restored.files()).toEqual(encoder.files());
    expect(restored.tables[0]!.values).toEqual(new Float32Array(encoder.tables[0]!.values.length));
    restored.tables[0]!.values.set(encoder.tables[0]!.values);
    expect(await run(restored, sentences, await values(encoder))).toEqual(
      await run(encoder, sentences, await values(encoder)),
    );
  });

  it("says which of its files is missing", () => {
    expect(() => transformerKind.restore({ ...plain, name: "transformer", from: "a" }, {})).toThrow(
      "transformer encoder: the model has no file transformer.json",
    );
  });

  async function values(encoder: Encoder): Promise<ParameterStore> {
    const params = new Parameters();
    encoder.build(params, {});
    return new ParameterStore(params.specs).initialise(1);
  }

  async function run(encoder: Encoder, sentences: readonly Sentence[], store: ParameterStore): Promise<unknown> {
    const params = new Parameters();
    const { first, last } = encoder.build(params, {});
    // One array of numbers serves both, so names, shapes and order must agree.
    const own = new ParameterStore(params.specs, store.data);
    const program = await Program.compile({ first, last });
    const results = await program.run({ ...encoder.batch(sentences).feeds, ...own.tensors() });
    await program.dispose();
    return results;
  }
});

describe("word features", () => {
  it("stand beside the vectors of a model that does not see capitals", async () => {
    const sentences = [sentenceOf("The cat"), sentenceOf("the cat")];
    const encoder = await loadTransformer(await writeModel(tinyModel("bert")), sentences, settings({ context: 0 }));
    expect(encoder.settings.features).toBe(true);
    const { first, last } = await encode(encoder, sentences);
    const { charFilters, shapeWidth } = transformerSettings.parse({}).featureSettings;
    expect(first[0]![0]!.length).toBe(8 + charFilters + shapeWidth);
    expect(last[0]![0]!.length).toBe(8 + charFilters + shapeWidth);
    expectClose(first[0]![0]!.slice(0, 8), first[1]![0]!.slice(0, 8), 0, "the model cannot tell The from the");
    expect(first[0]![0]!.slice(8)).not.toEqual(first[1]![0]!.slice(8));
  });

  it("of the neighbours reach a word through an LSTM, which only stands beside features unless asked for", async () => {
    const sentences = [sentenceOf("The cat"), sentenceOf("the cat")];
    const encoder = await loadTransformer(await writeModel(tinyModel("bert")), sentences);
    expect(encoder.settings.context).toBe(128);
    const { first, last } = await encode(encoder, sentences);
    const width = first[0]![1]!.length;
    for (const cat of [first, last]) {
      expectClose(cat[0]![1]!.slice(0, width - 256), cat[1]![1]!.slice(0, width - 256), 0, "cat itself is the same");
      expect(cat[0]![1]!.slice(width - 256)).not.toEqual(cat[1]![1]!.slice(width - 256));
    }
    const none = await loadTransformer(await writeModel(tinyModel("bert")), sentences, settings({ features: false }));
    expect(none.settings.context).toBe(0);
    const forced = settings({ features: false, context: 3 });
    const alone = await encode(
      await loadTransformer(await writeModel(tinyModel("bert")), sentences, forced),
      sentences,
    );
    expect(alone.first[0]![0]!.length).toBe(8 + 6);
  });

  it("are left out for a model that sees capitals, and where tokens are single characters", async () => {
    const cased = { ...tinyModel("bert"), tokenizer: wordPieceTokenizer({ lowercase: false }) };
    const words = [sentenceOf("The cat")];
    expect((await loadTransformer(await writeModel(cased), words)).settings.features).toBe(false);
    const characters = [sentenceOf("北 京 大 学")];
    expect((await loadTransformer(await writeModel(tinyModel("bert")), characters)).settings.features).toBe(false);
  });
});

describe("the work of a forward pass", () => {
  it("counts two operations for each product of a matrix", async () => {
    const encoder = await loadTransformer(await writeModel(tinyModel("electra")), [], plain);
    // One row of 5: projection 4 × 8; two layers of four 8 × 8, twice 8 × 12, and twice 5 × 8 for scores and mixture.
    const expected = 2 * 5 * (4 * 8 + 2 * (4 * 64 + 2 * 96 + 2 * 5 * 8));
    expect(encoder.flops(encoder.batch([sentenceOf("cats sat")]))).toBe(expected);
  });
});

describe("files that do not fit together", () => {
  it("are refused by tensor, with both shapes", async () => {
    const model = tinyModel("bert");
    const { "encoder.layer.1.output.dense.bias": removed, ...rest } = model.tensors;
    const directory = await writeModel({ ...model, tensors: rest });
    const weights = join(directory, "model.safetensors");
    await expect(loadTransformer(directory, [])).rejects.toThrow(
      `${weights}: bert weights: no tensor "encoder.layer.1.output.dense.bias" or "bert.encoder.layer.1.output.dense.bias"`,
    );
    await writeSafetensors(weights, {
      ...rest,
      "encoder.layer.1.output.dense.bias": { data: new Float32Array(9), shape: [9] },
    });
    await expect(loadTransformer(directory, [])).rejects.toThrow(
      `${weights}: bert weights: tensor "encoder.layer.1.output.dense.bias" must have shape [8] by the config, got [9]`,
    );
    expect(removed?.shape).toEqual([8]);
  });

  it("are refused when the tokenizer knows more sub-words than the model", async () => {
    const directory = await writeModel(tinyModel("bert"));
    const config = JSON.parse(await readFile(join(directory, "config.json"), "utf8")) as object;
    await writeFile(join(directory, "config.json"), JSON.stringify({ ...config, vocab_size: 20 }));
    await expect(loadTransformer(directory, [])).rejects.toThrow("has ids up to 24, but the model knows 20 sub-words");
  });
});
