import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ParameterStore, Parameters } from "../../nn/index.ts";
import { Program } from "../../tensor/index.ts";
import type { Sentence } from "../../text/index.ts";
import type { Encoder } from "../encoder.ts";
import { forward, type Matrix } from "../transformer/forward.suite.ts";
import { sentenceOf, temporaryFolder, tinyModel, wordPieces, writeModel } from "../transformer/tiny-models.suite.ts";
import { bertWordKind } from "./bert-word.ts";
import { lebertKind } from "./lebert.ts";
import { dot, mixture, plainLayers, plus, softmax } from "./plain.suite.ts";

const model = tinyModel("bert");
const train = ["the cats sat", "the cats sat on a mat"].map(sentenceOf);
const ids = (...pieces: string[]): number[] => pieces.map((piece) => wordPieces.indexOf(piece));
/** "cats" is cat ##s; "the cats" and "cats sat" are words, and so is "the cats sat". */
const row = ids("[CLS]", "the", "cat", "##s", "sat", "[SEP]");
const wordsAtTokens = [
  ["the cats sat", "the cats"],
  ["the cats sat", "the cats", "cats sat"],
  ["the cats sat", "cats sat"],
];

async function settingsOf(own: object, transformer: object = {}): Promise<object> {
  const lexicon = join(await temporaryFolder(), "words.txt");
  await writeFile(lexicon, "the cats\ncats sat\nthe cats sat\na mat\n");
  return {
    from: await writeModel(model),
    transformer: { features: false, ...transformer },
    words: { lexicon, width: 3, minimumCount: 1 },
    ...own,
  };
}

async function openLebert(own: object = {}, transformer: object = {}): Promise<Encoder> {
  const { settings, open } = lebertKind;
  return open(settings.parse({ name: "lebert", ...(await settingsOf(own, transformer)) }), train, 1);
}

async function openBertWord(): Promise<Encoder> {
  const { settings, open } = bertWordKind;
  return open(settings.parse({ name: "bert-word", ...(await settingsOf({ units: 5 })) }), train, 1);
}

async function run(
  encoder: Encoder,
  sentence: Sentence,
): Promise<{ first: Matrix; last: Matrix; store: ParameterStore }> {
  const params = new Parameters();
  const { first, last } = encoder.build(params, {});
  const store = new ParameterStore(params.specs).initialise(1);
  const program = await Program.compile({ first, last });
  const results = await program.run({ ...store.tensors(), ...encoder.batch([sentence]).feeds });
  await program.dispose();
  const rows = (name: string): Matrix => {
    const { data, shape } = results[name]!;
    const width = shape[2]!;
    return Array.from({ length: shape[1]! }, (_, i) => [
      ...(data as Float32Array).subarray(i * width, (i + 1) * width),
    ]);
  };
  return { first: rows("first"), last: rows("last"), store };
}

/** The vector of a word in the encoder's table. */
function vectorOf({ tables, batch }: Encoder, word: string): number[] {
  const table = tables.find(({ name }) => name === "words")!;
  const lookup = batch([sentenceOf(word)]).lookups.find((each) => each.table === table)!;
  // The longest word is the first that the first token meets.
  return [...table.values.subarray(3 * lookup.rows[0]!, 3 * lookup.rows[0]! + 3)];
}

function expectClose(found: Matrix, expected: Matrix): void {
  expect(found.length).toBe(expected.length);
  expected.forEach((line, i) => {
    line.forEach((number, k) => {
      expect(Math.abs(found[i]![k]! - number), `token ${i}, ${k}`).toBeLessThan(3e-5);
    });
  });
}

describe("lebert", () => {
  it.each([1, 2])("adds words behind layer %d, and the later layers read on", async (layer) => {
    const encoder = await openLebert({ layer });
    const { first, last, store } = await run(encoder, train[0]!);
    const plain = plainLayers(store);
    const form = plain.rows("lebert.attention.weight");
    const adapt = (x: Matrix): Matrix => {
      const mixed = x.map((state, i) => {
        const token = [undefined, 0, 1, 1, 2, undefined][i];
        if (token === undefined) return state.map(() => 0);
        const vectors = wordsAtTokens[token]!.map((word) => vectorOf(encoder, word));
        const inner = plain.linear(vectors, "lebert.inner").map((line) => line.map(Math.tanh));
        const words = plain.linear(inner, "lebert.outer");
        return mixture(
          softmax(
            words.map((word) =>
              dot(
                state,
                form.map((line) => dot(line, word)),
              ),
            ),
          ),
          words,
        );
      });
      return plain.normalise(plus(x, mixed), "lebert.norm", 1e-12);
    };
    const expected = forward(model, row, (x, number) => (number === layer ? adapt(x) : x));
    expectClose(first, [expected[1]!, expected[2]!, expected[4]!]);
    expectClose(last, [expected[1]!, expected[3]!, expected[4]!]);
  });

  it("gives words to every window of a sentence, also those that an edge cuts", async () => {
    const encoder = await openLebert({}, { window: 5, overlap: 0 });
    // Three sub-words fit: [the cat ##s] [sat on a] and, reaching back from the end, [on a mat].
    const { feeds } = encoder.batch([train[1]!]);
    expect(feeds["words.at"]!.shape.slice(0, 2)).toEqual([3, 5]);
    const [, positions, count] = feeds["words.at"]!.shape as [number, number, number];
    const at = (window: number, position: number): number => {
      const start = (window * positions + position) * count;
      return [...feeds["words.at"]!.data.slice(start, start + count)].reduce((a, b) => a + b, 0);
    };
    expect([0, 1, 2, 3, 4].map((position) => at(0, position))).toEqual([0, 2, 3, 3, 0]);
    expect([0, 1, 2, 3, 4].map((position) => at(1, position))).toEqual([0, 2, 0, 1, 0]);
    expect([0, 1, 2, 3, 4].map((position) => at(2, position))).toEqual([0, 0, 1, 1, 0]);
  });

  it("refuses a layer that the model does not have", async () => {
    await expect(openLebert({ layer: 3 })).rejects.toThrow(
      "lebert encoder: layer must be one of the model's, from 1 to 2, got 3",
    );
  });

  it("counts the operations of the adapter beside those of the model", async () => {
    const encoder = await openLebert();
    const batch = encoder.batch([train[0]!]);
    // One row of 6; two layers of four 8 × 8, twice 8 × 12, and twice 6 × 8 for scores and mixture.
    const own = 2 * 6 * 2 * (4 * 64 + 2 * 96 + 2 * 6 * 8);
    // Three words: 3 × 8, 8 × 8, the form 8 × 8, and 6 scores and mixtures of 8.
    expect(encoder.flops(batch)).toBe(own + 2 * 3 * (24 + 64 + 64 + 2 * 6 * 8));
  });
});

describe("bert-word", () => {
  it("joins the states of the model and the words, and reads them in both directions", async () => {
    const encoder = await openBertWord();
    const { first, last, store } = await run(encoder, train[0]!);
    expect(last).toEqual(first);
    const plain = plainLayers(store);
    const form = plain.rows("bert-word.attention.weight");
    const states = forward(model, row);
    const joined = [1, 2, 4].map((piece, token) => {
      const words = wordsAtTokens[token]!.map((word) => vectorOf(encoder, word));
      const scores = words.map((word) =>
        dot(
          states[piece]!,
          form.map((line) => dot(line, word)),
        ),
      );
      return [...states[piece]!, ...mixture(softmax(scores), words)];
    });
    const [forwards, backwards] = [lstm(store, joined, 0), lstm(store, joined.toReversed(), 1).toReversed()];
    expectClose(
      first,
      forwards.map((line, i) => [...line, ...backwards[i]!]),
    );
  });

  it("counts the operations of attention and LSTM beside those of the model", async () => {
    const encoder = await openBertWord();
    const own = 2 * 6 * 2 * (4 * 64 + 2 * 96 + 2 * 6 * 8);
    const attention = 3 * 8 * 3 + 3 * 3 * (8 + 3);
    const recurrence = 3 * 2 * 4 * 5 * (8 + 3 + 5);
    expect(encoder.flops(encoder.batch([train[0]!]))).toBe(own + 2 * (attention + recurrence));
  });
});

/** One direction of the LSTM: gates in the order input, forget, output, candidate. */
function lstm(store: ParameterStore, rows: Matrix, direction: number): Matrix {
  const units = 5;
  const gates = 4 * units;
  const [input, bias, recurrent] = ["input", "bias", "recurrent"].map((part) => store.get(`bert-word.lstm.${part}`));
  let [state, cell] = [new Array<number>(units).fill(0), new Array<number>(units).fill(0)];
  return rows.map((x) => {
    const sums = Array.from({ length: gates }, (_, g) => {
      const column = direction * gates + g;
      const fromInput = x.reduce((sum, a, i) => sum + a * input![i * 2 * gates + column]!, bias![column]!);
      return state.reduce((sum, a, i) => sum + a * recurrent![(direction * units + i) * gates + g]!, fromInput);
    });
    const open = (g: number): number => 1 / (1 + Math.exp(-sums[g]!));
    cell = cell.map((c, k) => open(units + k) * c + open(k) * Math.tanh(sums[3 * units + k]!));
    state = cell.map((c, k) => open(2 * units + k) * Math.tanh(c));
    return state;
  });
}
