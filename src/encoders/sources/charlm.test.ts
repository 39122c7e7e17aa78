import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeSentence, type Sentence } from "../../text/index.ts";
import { halvesToFloats } from "../../util/half.ts";
import { sentenceOf } from "../transformer/tiny-models.suite.ts";
import { charlm } from "./charlm.ts";
import type { Source } from "./source.ts";
import { plainCharlm, tinyCharlm, tinyHidden, writeCharlm } from "./tiny-charlm.suite.ts";

const context = { id: "charlm", ends: false, seed: 1 };
const model = tinyCharlm();

async function opened(from: string): Promise<Source> {
  return charlm.open({ name: "charlm", from }, [], context);
}

async function vectorsOf(source: Source, sentence: Sentence, words: number): Promise<number[][]> {
  await source.features!.prepare([sentence]);
  const data = halvesToFloats(source.batch([sentence], words).feeds["source.charlm.states"]!.data as Uint16Array);
  return Array.from({ length: words }, (_, i) => [...data.subarray(2 * i * tinyHidden, 2 * (i + 1) * tinyHidden)]);
}

describe("contextual string embeddings", () => {
  it.each([
    "the cats sat on a mat",
    "the",
    "The éa 😀 not-known",
    // More characters than go through the model in one run.
    Array.from({ length: 60 }, (_, i) => ["the", "cats", "on", "mat"][i % 4]).join(" "),
  ])("are the states that plain numbers give: %j", async (text) => {
    const words = text.split(" ");
    const source = await opened(await writeCharlm(model));
    const found = await vectorsOf(source, sentenceOf(text), words.length);
    const expected = plainCharlm(model, words);
    // Numbers between -1 and 1 as 16-bit floats.
    found.forEach((vector, i) => {
      vector.forEach((number, k) => {
        expect(Math.abs(number - expected[i]![k]!), `word ${i}, number ${k}`).toBeLessThan(2 ** -11);
      });
    });
    await source.features!.dispose();
  });

  it("do not depend on the spaces of the text, only on the tokens", async () => {
    const source = await opened(await writeCharlm(model));
    const wide = makeSentence("the   cats", Int32Array.of(0, 3, 6, 10));
    expect(await vectorsOf(source, wide, 2)).toEqual(await vectorsOf(source, sentenceOf("the cats"), 2));
    await source.features!.dispose();
  });

  it.each([
    [{ hidden_size: 6 }, /tensor "forward\.rnn\.weight_ih_l0" must have shape \[24, 3\], got \[20, 3\]/],
    [{ layers: 2 }, /character language model: layers: /],
    [{ unknown: 99 }, /character language model: unknown: must be one of 22 numbers/],
    [{ model_type: "bert" }, /character language model: model_type: /],
  ])("are refused where config and weights do not fit: %j", async (change, message) => {
    const directory = await writeCharlm({ ...model, config: { ...model.config, ...change } });
    await expect(opened(directory).then((source) => vectorsOf(source, sentenceOf("a"), 1))).rejects.toThrow(message);
  });

  it("are refused where there is no model", async () => {
    const directory = await writeCharlm(model);
    await writeFile(join(directory, "config.json"), "{");
    await expect(opened(directory)).rejects.toThrow(/config\.json: not the config\.json of a character language model/);
    await expect(opened("/no/such/folder")).rejects.toThrow('no such directory: "/no/such/folder"');
  });
});
