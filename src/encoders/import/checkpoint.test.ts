import { copyFile, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSafetensors, writeSafetensors } from "../../util/safetensors.ts";
import { torchSave } from "../pytorch/torch-save.suite.ts";
import { loadTransformer, transformerSettings } from "../transformer/index.ts";
import { type TinyModel, temporaryFolder, tinyModel, writeModel } from "../transformer/tiny-models.suite.ts";
import { importModel } from "./index.ts";

const plain = transformerSettings.parse({ features: false });

/** A model whose weights are PyTorch's, saved with a head. */
async function writePyTorch(model: TinyModel): Promise<string> {
  const directory = await writeModel(model);
  const named = Object.entries(model.tensors).map(([name, tensor]) => [`${model.config.model_type}.${name}`, tensor]);
  const head = { "classifier.bias": { data: Float32Array.of(1, 2), shape: [2] } };
  await rename(join(directory, "model.safetensors"), join(directory, "safetensors"));
  await writeFile(join(directory, "pytorch_model.bin"), torchSave({ ...Object.fromEntries(named), ...head }));
  return directory;
}

const target = async (): Promise<string> => join(await temporaryFolder(), "out");

describe("a directory with pytorch_model.bin", () => {
  it("is read as one with safetensors is", async () => {
    const model = tinyModel("mpnet");
    const encoder = await loadTransformer(await writePyTorch(model), [], plain);
    const expected = await loadTransformer(await writeModel(model), [], plain);
    expect(encoder.tables[0]!.values).toEqual(expected.tables[0]!.values);
    expect(encoder.files()).toEqual(expected.files());
  });

  it("becomes one with safetensors, number for number and without the head", async () => {
    const model = tinyModel("bert");
    const [directory, out] = [await writePyTorch(model), await target()];
    const report = await importModel(directory, out);
    expect(report).toMatchObject({
      kind: "transformer",
      model: join(directory, "pytorch_model.bin"),
      lowercased: false,
    });
    const written = readSafetensors(join(out, "model.safetensors"));
    expect([...written.keys()].sort()).toEqual(Object.keys(model.tensors).sort());
    for (const [name, tensor] of Object.entries(model.tensors)) expect(written.get(name), name).toEqual(tensor);
    expect(JSON.parse(await readFile(join(out, "config.json"), "utf8"))).toEqual(model.config);
    expect((await readdir(out)).sort()).toEqual(["config.json", "model.safetensors", "tokenizer.json"]);
  });

  it("goes before an ONNX export that stands beside it", async () => {
    const directory = await writePyTorch(tinyModel("bert"));
    await writeFile(join(directory, "model.onnx"), "no graph");
    expect(await importModel(directory, await target())).toMatchObject({ kind: "transformer" });
  });
});

describe("a file of weights", () => {
  it("takes config.json from beside it and the tokenizer from where it is said to be", async () => {
    const directory = await writePyTorch(tinyModel("roberta"));
    const elsewhere = join(await temporaryFolder(), "tokenizer.json");
    await rename(join(directory, "tokenizer.json"), elsewhere);
    const file = join(directory, "weights.pt");
    await rename(join(directory, "pytorch_model.bin"), file);
    await expect(importModel(file, await target())).rejects.toThrow("has no tokenizer.json beside it");
    const report = await importModel(file, await target(), { tokeniser: elsewhere });
    expect(report).toMatchObject({ model: file, tokeniser: elsewhere });
    await rename(join(directory, "config.json"), join(directory, "other.json"));
    await expect(importModel(file, await target(), { tokeniser: elsewhere })).rejects.toThrow(
      `${file}: has no config.json beside it, which says what its weights are`,
    );
  });

  it("can be written in two bytes a number", async () => {
    const directory = await writePyTorch(tinyModel("bert"));
    const [whole, half] = [await target(), await target()];
    await importModel(directory, whole);
    await importModel(join(directory, "pytorch_model.bin"), half, { float16: true });
    const [expected, found] = [whole, half].map((each) => readSafetensors(join(each, "model.safetensors")));
    for (const [name, { data }] of expected!) {
      // A half has eleven bits.
      const worst = Math.max(
        ...data.map((x, i) => Math.abs(x - found!.get(name)!.data[i]!) / Math.max(Math.abs(x), 1e-4)),
      );
      expect(worst, name).toBeLessThanOrEqual(2 ** -11);
    }
  });

  it("must have its weights as floats: integers say nothing without their scales", async () => {
    const model = tinyModel("bert");
    const directory = await writeModel(model);
    const file = join(directory, "model.safetensors");
    await writeSafetensors(file, model.tensors);
    const bytes = await readFile(file);
    // A vector of floats, said to hold integers of the same size.
    const text = bytes
      .toString("latin1")
      .replace('"embeddings.LayerNorm.weight":{"dtype":"F32"', '"embeddings.LayerNorm.weight":{"dtype":"I32"');
    await writeFile(file, Buffer.from(text, "latin1"));
    await expect(loadTransformer(directory, [], plain)).rejects.toThrow(
      'bert weights: tensor "embeddings.LayerNorm.weight" must hold floats, got I32: scales of quantised weights are not known',
    );
  });

  it("must have no other direction, which is for character language models", async () => {
    const directory = await writePyTorch(tinyModel("bert"));
    await copyFile(join(directory, "pytorch_model.bin"), join(directory, "other.bin"));
    await expect(importModel(directory, await target(), { with: join(directory, "other.bin") })).rejects.toThrow(
      "pytorch_model.bin: is no character language model, the only kind for which --with is",
    );
  });
});
