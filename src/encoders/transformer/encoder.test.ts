import { describe, expect, it } from "vitest";
import { ParameterStore, Parameters } from "../../nn/index.ts";
import { gradients, input, inputsOf, mul, Program, sum } from "../../tensor/index.ts";
import { asked, type Sentence } from "../../text/index.ts";
import type { Encoder } from "../encoder.ts";
import { type ModelType, modelTypes } from "./config.ts";
import { encode, expectClose, plain, settings } from "./encode.suite.ts";
import { forward } from "./forward.suite.ts";
import { loadTransformer, type TransformerSettings } from "./index.ts";
import { sentenceOf, type TinyModel, tinyModel, wordPieces, writeModel } from "./tiny-models.suite.ts";

const ids = (...pieces: string[]): number[] => pieces.map((piece) => wordPieces.indexOf(piece));

describe("the states of words", () => {
  // "cats" is cat ##s, "mattings" mat ##ting ##s: three words of 1, 2 and 3 sub-words.
  const pieces = ids("[CLS]", "the", "cat", "##s", "mat", "##ting", "##s", "[SEP]");
  const cases: Readonly<Record<ModelType, { text: string; row: number[]; first: number[]; last: number[] }>> = {
    bert: { text: "the cats mattings", row: pieces, first: [1, 2, 4], last: [1, 3, 6] },
    electra: { text: "the cats mattings", row: pieces, first: [1, 2, 4], last: [1, 3, 6] },
    distilbert: { text: "the cats mattings", row: pieces, first: [1, 2, 4], last: [1, 3, 6] },
    mpnet: { text: "the cats mattings", row: pieces, first: [1, 2, 4], last: [1, 3, 6] },
    // <s> Ġcat Ġcat s Ġa b </s>
    roberta: { text: "cat cats ab", row: [0, 13, 13, 10, 14, 7, 2], first: [1, 2, 4], last: [1, 3, 5] },
  };

  it.each(modelTypes)("of %s equal those of a second implementation in float64", async (type) => {
    const model = tinyModel(type);
    const { text, row, first, last } = cases[type];
    const encoder = await loadTransformer(await writeModel(model), [], plain);
    const found = await encode(encoder, [sentenceOf(text)]);
    const expected = forward(model, row);
    first.forEach((place, i) => {
      expectClose(found.first[0]![i]!, expected[place]!, 2e-5, `first of word ${i}`);
    });
    last.forEach((place, i) => {
      expectClose(found.last[0]![i]!, expected[place]!, 2e-5, `last of word ${i}`);
    });
  });

  it("behind a question have token type 1, the question has 0, and every window begins with it", async () => {
    const model = tinyModel("bert");
    const encoder = await loadTransformer(
      await writeModel(model),
      [],
      settings({ features: false, window: 10, overlap: 0 }),
    );
    const whole = asked("the cat", sentenceOf("mat on a b sat a b"));
    const found = await encode(encoder, [whole], undefined, true);
    const before = ids("[CLS]", "the", "cat", "[SEP]");
    const isAbout = (piece: number): number => (piece < before.length ? 0 : 1);
    const one = forward(model, [...before, ...ids("mat", "on", "a", "b", "sat", "[SEP]")], undefined, isAbout);
    // The last window reaches back as far as it can.
    const two = forward(model, [...before, ...ids("a", "b", "sat", "a", "b", "[SEP]")], undefined, isAbout);
    const expected = [one[1], one[2], one[4], one[5], one[6], one[7], two[6], two[7], two[8]];
    expected.forEach((states, i) => {
      expectClose(found.first[0]![i]!, states!, 2e-5, `word ${i}`);
    });
  });

  it("behind a question of a model without two token types follow its words alone", async () => {
    const model = tinyModel("distilbert");
    const encoder = await loadTransformer(await writeModel(model), [], plain);
    const found = await encode(encoder, [asked("the", sentenceOf("cat sat"))], undefined, true);
    const expected = forward(model, ids("[CLS]", "the", "[SEP]", "cat", "sat", "[SEP]"));
    [1, 3, 4].forEach((place, i) => {
      expectClose(found.first[0]![i]!, expected[place]!, 2e-5, `word ${i}`);
    });
  });

  it("of a question that fills the window are refused", async () => {
    const encoder = await loadTransformer(await writeModel(tinyModel("bert")), [], settings({ window: 6 }));
    expect(() => encoder.batch([asked("the cat sat on", sentenceOf("a mat"))])).toThrow(
      "question of 5 sub-words: a window has only 4; ask in fewer words",
    );
  });

  it.each(["gelu_new", "relu"])("follow the activation %s", async (activation) => {
    const model = tinyModel("bert", { hidden_act: activation });
    const encoder = await loadTransformer(await writeModel(model), [], plain);
    const { first } = await encode(encoder, [sentenceOf("the cat")]);
    expectClose(first[0]![1]!, forward(model, ids("[CLS]", "the", "cat", "[SEP]"))[2]!, 2e-5, "cat");
  });

  it("are the same when the checkpoint was saved with a head, under old names", async () => {
    const model = tinyModel("bert");
    const named = (name: string): string =>
      `bert.${name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta")}`;
    const renamed = Object.fromEntries(Object.entries(model.tensors).map(([name, tensor]) => [named(name), tensor]));
    const head = { "classifier.weight": { data: new Float32Array(16), shape: [2, 8] } };
    const sentences = [sentenceOf("the cat sat")];
    const before = await encode(await loadTransformer(await writeModel(model), [], plain), sentences);
    const directory = await writeModel({ ...model, tensors: { ...renamed, ...head } });
    expect(await encode(await loadTransformer(directory, [], plain), sentences)).toEqual(before);
  });

  it("do not depend on the other sentences of the batch, on its size or on padding", async () => {
    const encoder = await loadTransformer(await writeModel(tinyModel("bert")), [], settings({ features: true }));
    const sentences = [
      "the cat",
      "mattings",
      "a b a b a b a b a b a b a b a b a b a b",
      "",
      "the cats sat on the mat .",
    ].map(sentenceOf);
    const together = await encode(encoder, sentences);
    for (const [i, sentence] of sentences.entries()) {
      const alone = await encode(encoder, [sentence]);
      alone.first[0]!.forEach((vector, k) => {
        expectClose(together.first[i]![k]!, vector, 1e-5, `sentence ${i}, first of word ${k}`);
        expectClose(together.last[i]![k]!, alone.last[0]![k]!, 1e-5, `sentence ${i}, last of word ${k}`);
      });
    }
  });
});

it("says how many places a sentence takes in a row", async () => {
  const encoder = await loadTransformer(await writeModel(tinyModel("bert")), [], plain);
  for (const sentence of ["the cat", "mattings", "", "the cats sat on the mat ."].map(sentenceOf)) {
    const [, places] = encoder.batch([sentence]).feeds["transformer.visible"]!.shape;
    expect(encoder.size(sentence)).toBe(places);
  }
});

describe("a sentence longer than the model", () => {
  it("goes through overlapping windows, every word from the one where it stands most centrally", async () => {
    const model = tinyModel("bert");
    const encoder = await loadTransformer(
      await writeModel(model),
      [],
      settings({ features: false, window: 8, overlap: 0.5 }),
    );
    // Ten words of one sub-word each; six fit beside [CLS] and [SEP], three are repeated.
    const words = ["the", "cat", "sat", "on", "a", "mat", ".", "new", "york", "."];
    const { first } = await encode(encoder, [sentenceOf(words.join(" "))]);
    // Windows [0, 6), [3, 9) and, reaching back from the end, [4, 10). Word 4 has one word to the nearer edge in the
    // first and in the second and stays in the first; word 6 has two in the second and in the third.
    const homes = [0, 0, 0, 0, 0, 1, 1, 2, 2, 2];
    const starts = [0, 3, 4];
    words.forEach((_, i) => {
      const start = starts[homes[i]!]!;
      const row = ids("[CLS]", ...words.slice(start, start + 6), "[SEP]");
      expectClose(first[0]![i]!, forward(model, row)[1 + i - start]!, 2e-5, `word ${i}`);
    });
  });

  it("keeps the beginning and the end of a word that fits into no window, and all of the other words", async () => {
    const model = tinyModel("bert");
    const encoder = await loadTransformer(
      await writeModel(model),
      [],
      settings({ features: false, window: 7, overlap: 0 }),
    );
    const { first, last } = await encode(encoder, [sentenceOf("the ababababab cat")]);
    const long = ids("[CLS]", "a", "##b", "##a", "##a", "##b", "[SEP]");
    expectClose(first[0]![1]!, forward(model, long)[1]!, 2e-5, "beginning of the long word");
    expectClose(last[0]![1]!, forward(model, long)[5]!, 2e-5, "end of the long word");
    expectClose(first[0]![0]!, forward(model, ids("[CLS]", "the", "[SEP]"))[1]!, 2e-5, "word before");
    expectClose(first[0]![2]!, forward(model, ids("[CLS]", "cat", "[SEP]"))[1]!, 2e-5, "word after");
  });

  it("must have a window that the model can see", async () => {
    const directory = await writeModel(tinyModel("bert"));
    const rule = "transformer encoder: window must be a number of sub-words from 3 to 16, got";
    await expect(loadTransformer(directory, [], settings({ window: 17 }))).rejects.toThrow(`${rule} 17`);
    await expect(loadTransformer(directory, [], settings({ window: 2 }))).rejects.toThrow(`${rule} 2`);
  });
});

describe("dropout in training", () => {
  const sentence = sentenceOf("the cat sat on a mat");
  const load = async (changes: Partial<TransformerSettings>): Promise<Encoder> =>
    loadTransformer(await writeModel(tinyModel("bert")), [], settings({ features: false, ...changes }));

  it("depends on the sentence's key and not on the batch", async () => {
    const encoder = await load({});
    const alone = await encode(encoder, [sentence], [7]);
    const other = await encode(encoder, [sentence], [8]);
    const together = await encode(encoder, [sentenceOf("a b a b a b a b a b"), sentence], [3, 7]);
    alone.first[0]!.forEach((vector, i) => {
      expectClose(together.first[1]![i]!, vector, 1e-5, `word ${i}`);
    });
    expect(other.first[0]![0]).not.toEqual(alone.first[0]![0]);
  });

  it("is off when its rates are 0, whatever the config says", async () => {
    const encoder = await load({ dropout: 0, attentionDropout: 0 });
    expect(await encode(encoder, [sentence], [7])).toEqual(await encode(encoder, [sentence]));
  });

  it("draws for each window of a sentence anew", async () => {
    // The two windows hold the same words, so that only the draws can tell them apart.
    const encoder = await load({ window: 4, overlap: 0 });
    const twice = sentenceOf("the cat the cat");
    const quiet = await encode(encoder, [twice]);
    expect(quiet.first[0]![2]).toEqual(quiet.first[0]![0]);
    const noisy = await encode(encoder, [twice], [7]);
    expect(noisy.first[0]![2]).not.toEqual(noisy.first[0]![0]);
    const single = await encode(encoder, [sentenceOf("the cat")], [7]);
    expectClose(noisy.first[0]![0]!, single.first[0]![0]!, 1e-5, "the first window");
  });
});

describe("gradients", () => {
  it("reach the rows of the table and every parameter, as differences of the second implementation do", async () => {
    const model = tinyModel("electra");
    const encoder = await loadTransformer(await writeModel(model), [], plain);
    const row = ids("[CLS]", "cat", "##s", "sat", "[SEP]");
    const weights = Array.from({ length: 16 }, (_, i) => Math.sin(i + 1));
    const loss = ({ tensors }: TinyModel): number => {
      const all = forward({ ...model, tensors }, row);
      return [...all[1]!, ...all[3]!].reduce((total, x, i) => total + x * weights[i]!, 0);
    };
    const grads = await gradientsOf(encoder, [sentenceOf("cats sat")], weights);
    const check = (name: string, index: number, tensor: string, element: number): void => {
      const { data, shape } = model.tensors[tensor]!;
      const at = (delta: number): number => {
        const moved = Float64Array.from(data);
        moved[element]! += delta;
        return loss({ ...model, tensors: { ...model.tensors, [tensor]: { data: moved as never, shape } } });
      };
      const expected = (at(1e-5) - at(-1e-5)) / 2e-5;
      expect(Math.abs(expected), `${tensor} has a gradient`).toBeGreaterThan(1e-4);
      expectClose([grads[name]![index]!], [expected], 1e-4 * Math.max(1, Math.abs(expected)), name);
    };
    // Piece 2 of the row is ##s; embeddings are 4 wide, linear layers [8, 8] are turned round.
    check("transformer.words", 2 * 4 + 1, "embeddings.word_embeddings.weight", wordPieces.indexOf("##s") * 4 + 1);
    check("transformer.positions", 3 * 4 + 2, "embeddings.position_embeddings.weight", 3 * 4 + 2);
    check("transformer.types", 3, "embeddings.token_type_embeddings.weight", 3);
    check("transformer.norm.weight", 1, "embeddings.LayerNorm.weight", 1);
    check("transformer.project.weight", 2 * 8 + 5, "embeddings_project.weight", 5 * 4 + 2);
    check("transformer.0.attention.query.weight", 3 * 8 + 6, "encoder.layer.0.attention.self.query.weight", 6 * 8 + 3);
    check("transformer.0.attention.value.bias", 4, "encoder.layer.0.attention.self.value.bias", 4);
    check("transformer.1.inner.weight", 2 * 12 + 10, "encoder.layer.1.intermediate.dense.weight", 10 * 8 + 2);
    check("transformer.1.outer.weight", 10 * 8 + 2, "encoder.layer.1.output.dense.weight", 2 * 12 + 10);
  });
});

/** Gradients of the weighted sum of all first states, by parameter and for the looked-up rows. */
async function gradientsOf(
  encoder: Encoder,
  sentences: readonly Sentence[],
  weights: readonly number[],
): Promise<Record<string, ArrayLike<number>>> {
  const params = new Parameters();
  const { first } = encoder.build(params, {});
  const loss = sum(mul(first, input("weights", "float32", first.shape)));
  const table = encoder.tables[0]!;
  const rows = inputsOf(loss).find(({ name }) => name === table.name)!.tensor;
  const names = [table.name, ...params.specs.map(({ name }) => name)];
  const grads = gradients(loss, [rows, ...params.tensors()]);
  const program = await Program.compile({
    loss,
    ...Object.fromEntries(names.map((name, i) => [`d ${name}`, grads[i]!])),
  });
  const store = new ParameterStore(params.specs).initialise(1);
  const fed = { weights: { data: Float32Array.from(weights), shape: [1, 2, 8] } };
  const results = await program.run({ ...encoder.batch(sentences).feeds, ...store.tensors(), ...fed });
  await program.dispose();
  return Object.fromEntries(names.map((name) => [name, results[`d ${name}`]!.data]));
}
