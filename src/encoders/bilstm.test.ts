import { describe, expect, it } from "vitest";
import { sentenceOf } from "../../test/support/words.ts";
import { shapeOf, unknownId } from "../inputs/index.ts";
import { ParameterStore, Parameters } from "../nn/index.ts";
import { Program } from "../tensor/index.ts";
import type { Sentence } from "../text/index.ts";
import { bilstm, bilstmKind, bilstmSettings } from "./bilstm.ts";
import type { Encoder } from "./encoder.ts";
import { type WordVectors, wordVectors } from "./word-vectors.ts";

const english = ["Ana saw Ana in Lisbon", "the bridge of Lisbon fell", "the rain in Porto"].map((words) =>
  sentenceOf(words),
);
const chinese = ["中 国 人 中 国 人", "中 国 银 行"].map((words) => sentenceOf(words));
const small = {
  wordWidth: 6,
  units: 5,
  bigramWidth: 4,
  minimumCount: 2,
  featureSettings: { charWidth: 4, charFilters: 6, shapeWidth: 3 },
};
const settingsOf = (rest: object = {}) => bilstmSettings.parse({ ...small, ...rest });

async function vectorsOf(
  encoder: Encoder,
  store: ParameterStore,
  sentences: readonly Sentence[],
): Promise<Float32Array> {
  const program = await Program.compile({ first: encoder.build(new Parameters(), {}).first });
  const { first } = await program.run({ ...store.tensors(), ...encoder.batch(sentences).feeds });
  await program.dispose();
  return first!.data as Float32Array;
}

function storeOf(encoder: Encoder): ParameterStore {
  const params = new Parameters();
  encoder.build(params, {});
  return new ParameterStore(params.specs).initialise(1);
}

describe("the bilstm encoder", () => {
  it("knows words that occur often enough, without case; the others share a vector", () => {
    const encoder = bilstm(english, settingsOf(), { seed: 1 });
    const [lookup] = encoder.batch([sentenceOf("LISBON fell the")]).lookups;
    const [lisbon, fell, the] = lookup!.rows;
    expect(fell).toBe(unknownId);
    expect(lisbon).not.toBe(unknownId);
    expect(the).not.toBe(lisbon);
  });

  it("takes characters and shapes for words, bigrams for characters", () => {
    expect(Object.keys(bilstm(english, settingsOf(), { seed: 1 }).batch(english).feeds)).toContain(
      "features.characters",
    );
    const zh = bilstm(chinese, settingsOf(), { seed: 1 });
    expect(zh.tables.map(({ name }) => name)).toEqual(["bilstm.words", "bilstm.bigrams"]);
    const [, bigrams] = zh.batch([sentenceOf("中 国 中")]).lookups;
    const [known, other, last] = bigrams!.rows;
    expect(known).not.toBe(unknownId);
    expect(other).toBe(unknownId);
    expect(last).toBe(unknownId);
  });

  it("places pretrained vectors, keeps the most frequent and all that training saw", () => {
    const vectors = wordVectors(["the", "zebra", "porto", "quagga"], Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8));
    const encoder = bilstm(english, settingsOf({ pretrainedWords: 2 }), { seed: 1, vectors });
    const [table] = encoder.tables;
    expect(table!.width).toBe(2);
    const row = (word: string): number[] => {
      const id = encoder.batch([sentenceOf(word)]).lookups[0]!.rows[0]!;
      return id === unknownId ? [] : [...table!.values.subarray(2 * id, 2 * id + 2)];
    };
    expect(row("The")).toEqual([1, 2]);
    expect(row("zebra")).toEqual([3, 4]);
    expect(row("Porto")).toEqual([5, 6]);
    expect(row("quagga")).toEqual([]);
  });

  it("keeps pretrained vectors as they are where that is asked, never learned ones", () => {
    const vectors = wordVectors(["中", "国"], Float32Array.of(1, 2, 3, 4));
    const trainable = (settings: object, given: { vectors?: WordVectors }): boolean[] =>
      bilstm(chinese, settingsOf(settings), { seed: 1, ...given }).tables.map((table) => table.trainable);
    expect(trainable({ vectors: "some" }, { vectors })).toEqual([true, true]);
    expect(trainable({ vectors: "some", tuneVectors: false }, { vectors })).toEqual([false, true]);
    expect(trainable({ tuneVectors: false }, {})).toEqual([true, true]);
  });

  it("gives a word the same vector beside longer sentences", async () => {
    const encoder = bilstm(english, settingsOf(), { seed: 1 });
    const store = storeOf(encoder);
    const alone = await vectorsOf(encoder, store, [english[2]!]);
    const together = await vectorsOf(encoder, store, [
      english[2]!,
      sentenceOf("a much longer sentence than the one before it , with rareunknownwords"),
    ]);
    alone.forEach((value, i) => {
      expect(Math.abs(value - together[i]!)).toBeLessThan(1e-6);
    });
  });

  it("tells unknown words apart by their characters", async () => {
    const encoder = bilstm(english, settingsOf(), { seed: 1 });
    const store = storeOf(encoder);
    const [a, b] = [
      await vectorsOf(encoder, store, [sentenceOf("Lisboa")]),
      await vectorsOf(encoder, store, [sentenceOf("riverbank")]),
    ];
    expect([...a]).not.toEqual([...b]);
  });

  it("comes back from its settings and files", async () => {
    for (const sentences of [english, chinese]) {
      const encoder = bilstm(sentences, settingsOf(), { seed: 1 });
      const store = storeOf(encoder);
      const restored = bilstmKind.restore(bilstmKind.settings.parse(encoder.settings), encoder.files());
      restored.tables.forEach((table, i) => {
        table.values.set(encoder.tables[i]!.values);
      });
      expect([...(await vectorsOf(restored, store, sentences))]).toEqual([
        ...(await vectorsOf(encoder, store, sentences)),
      ]);
    }
  });
});

it("shapes of words", () => {
  const shapes = ["paris", "Paris", "P", "PARIS", "1996", "1,996.5", "U.S.", "B2B", "McCoy", "iPhone", "...", "北"].map(
    shapeOf,
  );
  expect(new Set(shapes).size).toBe(shapes.length);
  expect(shapeOf("Rome")).toBe(shapeOf("Paris"));
});
