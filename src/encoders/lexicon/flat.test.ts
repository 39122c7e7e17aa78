import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ParameterStore, Parameters } from "../../nn/index.ts";
import { Program } from "../../tensor/index.ts";
import { type Sentence, tokenCount, tokenise } from "../../text/index.ts";
import type { Encoder } from "../encoder.ts";
import type { Matrix } from "../transformer/forward.suite.ts";
import { temporaryFolder } from "../transformer/tiny-models.suite.ts";
import { flatKind, flatSettings } from "./flat.ts";
import { dot, mixture, plainLayers, plus, softmax } from "./plain.suite.ts";

const read = (text: string): Sentence => tokenise(text).sentences[0]!;
const train = ["南京市长江大桥", "南京大桥", "长江大桥"].map(read);
const small = { wordWidth: 3, bigramWidth: 2, heads: 2, headWidth: 3, inner: 2 };

async function encoderOf(changes: object = {}): Promise<Encoder> {
  const file = join(await temporaryFolder(), "words.txt");
  await writeFile(file, "南京\n市长\n长江\n长江大桥\n");
  const words = { lexicon: file, width: 4 };
  return flatKind.open(flatSettings.parse({ name: "flat", ...small, ...changes, words }), train, 1);
}

async function run(encoder: Encoder, sentence: Sentence): Promise<{ states: Matrix; store: ParameterStore }> {
  const params = new Parameters();
  const { first } = encoder.build(params, {});
  const store = new ParameterStore(params.specs).initialise(1);
  const program = await Program.compile({ first });
  const results = await program.run({ ...store.tensors(), ...encoder.batch([sentence]).feeds });
  await program.dispose();
  const { data, shape } = results.first!;
  const width = shape[2]!;
  const states = Array.from({ length: shape[1]! }, (_, i) => [...data.subarray(i * width, (i + 1) * width)]);
  return { states: states as number[][], store };
}

/** The encoder pair by pair in plain numbers, from the vectors that it is fed with. */
function second(encoder: Encoder, store: ParameterStore, sentence: Sentence, layers: number): Matrix {
  const plain = plainLayers(store);
  const { feeds } = encoder.batch([sentence]);
  const fed = (name: string): number[][] => {
    const { data, shape } = feeds[name]!;
    const width = shape.at(-1)!;
    return Array.from({ length: data.length / width }, (_, i) => [
      ...(data as Float32Array).subarray(i * width, (i + 1) * width),
    ]);
  };
  const bigrams = fed("flat.bigrams");
  const tokens = plain.linear(
    fed("flat.words").map((row, i) => [...row, ...bigrams[i]!]),
    "flat.tokens",
  );
  // 南京 市长 长江 长江大桥 with heads and tails.
  const words = plain.linear(fed("words"), "flat.word");
  const places = [...tokens.map((_, i) => [i, i]), [0, 1], [2, 3], [3, 4], [3, 6]] as [number, number][];
  const width = 6;
  const wave = (distance: number): number[] =>
    [1, 1, 10_000 ** (2 / 6), 10_000 ** (2 / 6), 10_000 ** (4 / 6), 10_000 ** (4 / 6)].map((scale, k) =>
      k % 2 === 0 ? Math.sin(distance / scale) : Math.cos(distance / scale),
    );
  const relation = ([headI, tailI]: [number, number], [headJ, tailJ]: [number, number]): number[] => {
    const four = [headI - headJ, headI - tailJ, tailI - headJ, tailI - tailJ].flatMap(wave);
    return plain.linear([four], "flat.relation")[0]!.map((x) => Math.max(0, x));
  };
  let x: Matrix = [...tokens, ...words];
  for (let layer = 0; layer < layers; layer++) {
    const name = (part: string): string => `flat.${layer}.${part}`;
    const [query, key, value] = ["query", "key", "value"].map((part) => plain.linear(x, name(`attention.${part}`))) as [
      Matrix,
      Matrix,
      Matrix,
    ];
    const [u, v] = [plain.rows(name("attention.u")), plain.rows(name("attention.v"))];
    const attended = x.map((_, i) =>
      [0, 1].flatMap((head) => {
        const part = (row: readonly number[]): number[] => row.slice(3 * head, 3 * head + 3);
        const scores = x.map((_, j) => {
          const related = plain.linear([relation(places[i]!, places[j]!)], name("attention.relation"))[0]!;
          const asked = part(query[i]!);
          const byContent = dot(
            asked.map((a, k) => a + u[head]![k]!),
            part(key[j]!),
          );
          return (
            byContent +
            dot(
              asked.map((a, k) => a + v[head]![k]!),
              part(related),
            )
          );
        });
        return mixture(softmax(scores), value.map(part));
      }),
    );
    const middle = plain.normalise(plus(x, attended), name("attention.norm"), 1e-5);
    const inner = plain.linear(middle, name("inner")).map((row) => row.map((a) => Math.max(0, a)));
    x = plain.normalise(plus(middle, plain.linear(inner, name("outer"))), name("norm"), 1e-5);
  }
  expect(x[0]!.length).toBe(width);
  return x.slice(0, tokenCount(sentence));
}

describe("the flat lattice", () => {
  it.each([1, 2])("of %d layers equals a second implementation, pair by pair", async (layers) => {
    const encoder = await encoderOf({ layers });
    const { states, store } = await run(encoder, train[0]!);
    const expected = second(encoder, store, train[0]!, layers);
    expect(states.length).toBe(7);
    expected.forEach((row, i) => {
      row.forEach((number, k) => {
        expect(Math.abs(states[i]![k]! - number), `token ${i}, ${k}`).toBeLessThan(2e-5);
      });
    });
  });

  it("sees words: without them the same tokens have other vectors", async () => {
    const encoder = await encoderOf();
    const { states } = await run(encoder, read("南京大桥"));
    for (const table of encoder.tables) if (table.name === "words") table.values.fill(0);
    const { states: without } = await run(encoder, read("南京大桥"));
    expect(states[3]).not.toEqual(without[3]);
  });

  it("grows with the text: as much more text, as many more words, relations and distances", async () => {
    const encoder = await encoderOf();
    const size = (times: number): number[] => {
      const { feeds } = encoder.batch([read("南京市长江大桥".repeat(times))]);
      return ["words", "flat.relations", "flat.distances"].map((name) => feeds[name]!.data.length);
    };
    const [once, twice, thrice] = [size(4), size(8), size(12)];
    expect(thrice.map((count, i) => count - twice[i]!)).toEqual(twice.map((count, i) => count - once[i]!));
  });

  it("counts two operations for each product of a matrix", async () => {
    const encoder = await encoderOf();
    const batch = encoder.batch([read("南京")]);
    // Two tokens of width 5, one word of width 4, states of width 6; three nodes; distances of heads -1, 0, 1 between
    // tokens, and 0, 1 from tokens to the word of two.
    const entry = 2 * 5 * 6 + 1 * 4 * 6 + 5 * 24 * 6;
    const projections = 2 * 6 * 6 + 2 * 3 * 6 * 6 + 5 * 6 * 6;
    const attention = 2 * (3 * 6) + 2 * (5 * 6) + 2 * (3 * 6);
    expect(encoder.flops(batch)).toBe(2 * (entry + projections + attention + 2 * 2 * 6 * 12));
  });
});
