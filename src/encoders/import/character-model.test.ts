import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readSafetensors } from "../../util/safetensors.ts";
import { temporaryFolder } from "../transformer/tiny-models.suite.ts";
import { importModel } from "./index.ts";

/**
 * Two directions of a tiny language model in the form in which Flair saves them, with random weights (seed 3), written by
 * PyTorch 2.13.0: the forward one by `torch.save(…, pickle_protocol=4)`, as Flair does now, the backward one in the format
 * before zip archives, as it did at first. The dictionary is an object of a class `flair.data.Dictionary` with
 * `item2idx` and `idx2item` as bytes. The numbers below are what Python printed.
 */
const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../../test/fixtures/flair-${name}.pt`, import.meta.url));
const [forward, backward] = [fixture("forward"), fixture("backward")];
const target = async (): Promise<string> => join(await temporaryFolder(), "out");

describe("a character language model", () => {
  it.each([
    [forward, backward],
    [backward, forward],
  ])("is joined from its two directions, in any order", async (first, second) => {
    const out = await target();
    const report = await importModel(first, out, { with: second });
    expect(report).toMatchObject({ kind: "characters", forward, backward, characters: 5, hidden: 3, layers: 2 });
    expect(JSON.parse(await readFile(join(out, "config.json"), "utf8"))).toEqual({
      model_type: "flair-char-lm",
      characters: ["<unk>", " ", "a", "é", "京"],
      ...{ embedding_size: 2, hidden_size: 3, layers: 2, unknown: 0, document_start: "\n", end: " " },
    });
    const tensors = readSafetensors(join(out, "model.safetensors"));
    const parts = ["encoder.weight"].concat(
      [0, 1].flatMap((layer) =>
        ["weight_ih", "weight_hh", "bias_ih", "bias_hh"].map((part) => `rnn.${part}_l${layer}`),
      ),
    );
    expect([...tensors.keys()]).toEqual([
      ...parts.map((part) => `forward.${part}`),
      ...parts.map((part) => `backward.${part}`),
    ]);
    const numbers = (name: string): number[] => [...tensors.get(name)!.data];
    near(
      numbers("forward.encoder.weight"),
      [0.803276, 0.174833, 0.088978, -0.613718, 0.046182, -1.368259, 0.337495, 1.011116, -1.435179, 0.977432],
    );
    near(numbers("forward.rnn.weight_ih_l0").slice(0, 2), [0.171254, -0.329369]);
    near(numbers("backward.rnn.weight_hh_l1").slice(-3), [0.112383, 0.512163, -0.072231]);
    near(numbers("backward.rnn.bias_hh_l0").slice(0, 3), [0.272301, 0.105453, -0.424972]);
    expect(tensors.get("backward.rnn.weight_ih_l1")!.shape).toEqual([12, 3]);
  });

  it("needs its other direction", async () => {
    await expect(importModel(forward, await target())).rejects.toThrow(
      `${forward}: is the forward half of a character language model; give the backward one with --with`,
    );
    await expect(importModel(forward, await target(), { with: forward })).rejects.toThrow(
      `${forward}: reads forward like ${forward}; the other direction is needed`,
    );
  });

  it.each([
    ["hidden_size", "hidden_sise", "hidden_size must be a whole number from 1 to 65536"],
    ["is_forward_lm", "is_forwart_lm", "is no character language model, the only kind for which --with is"],
    ["item2idx", "item2idy", "its dictionary must hold item2idx"],
    ["rnn.weight_hh_l1", "rnn.weight_hh_l2", 'no tensor "rnn.weight_hh_l1"'],
    ["decoder.bias", "proj.bias___", "a projection of its states (nout) is not supported"],
    ["flair.data\nDictionary", "flair.data\nDictionarx", 'holds "flair.data.Dictionarx", which is neither'],
  ])("is refused with %s changed", async (from, to, message) => {
    const file = join(await temporaryFolder(), "model.pt");
    const bytes = (await readFile(backward)).toString("latin1");
    expect(bytes).toContain(from);
    await writeFile(file, Buffer.from(bytes.replaceAll(from, to), "latin1"));
    await expect(importModel(file, await target(), { with: forward })).rejects.toThrow(message);
  });

  it("is refused when the two do not fit together", async () => {
    const file = join(await temporaryFolder(), "model.pt");
    const bytes = (await readFile(backward)).toString("latin1");
    await writeFile(file, Buffer.from(bytes.replace("document_delimiterq", "document_delimiteRq"), "latin1"));
    expect(await importModel(file, await target(), { with: forward })).toMatchObject({ kind: "characters" });
    const other = bytes.replaceAll("<unk>", "<ukn>");
    expect(other).not.toBe(bytes);
    await writeFile(file, Buffer.from(other, "latin1"));
    await expect(importModel(file, await target(), { with: forward })).rejects.toThrow(
      `${file}: its characters must be those of ${forward}`,
    );
  });
});

function near(found: readonly number[], expected: readonly number[]): void {
  expect(found.length).toBe(expected.length);
  expect(Math.max(...expected.map((number, i) => Math.abs(number - found[i]!)))).toBeLessThanOrEqual(1e-6);
}
