import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Noise, ParameterStore, Parameters } from "../nn/index.ts";
import { type Data, gradients, input, inputsOf, mul, Program, sum } from "../tensor/index.ts";
import { type Sentence, tokenCount } from "../text/index.ts";
import {
  commandForm,
  type Encoder,
  encoderInput,
  encoderSettings,
  encoders,
  openEncoder,
  restoreEncoder,
} from "./index.ts";
import { writeCharlm } from "./sources/tiny-charlm.suite.ts";
import { sentenceOf, temporaryFolder, tinyModel, writeModel } from "./transformer/tiny-models.suite.ts";

const train = ["The cats sat on a mat .", "the cats sat on a mat", "new york ( a )"].map(sentenceOf);
const sentences = [
  "the cats",
  "mattings",
  "",
  "new york cats sat on the mat . the cats sat on a mat . new york cats",
  "The cats sat on a mat .",
].map(sentenceOf);
const single = Object.keys(encoders).filter((name) => name !== "stack");
/** Stacks of one source each, of several, and without a layer above them. */
const stacks = [
  "words",
  "chars",
  "shapes+bigrams",
  "transformer",
  "transformer top",
  "transformer all",
  "charlm",
].concat("softlexicon", "dict", "words+words+chars+transformer+transformer top+charlm+softlexicon+dict");
const names = [...single, ...stacks.flatMap((stack) => [`stack ${stack}`, `stack ${stack} without context`])];

/** Every encoder in a small form, with words of two and three tokens to find. */
async function opened(name: string): Promise<Encoder> {
  if (name.startsWith("stack ")) return openedStack(name);
  const lexicon = join(await temporaryFolder(), "words.txt");
  await writeFile(lexicon, "the cats\ncats sat\non a mat\nnew york\nnew york cats\n");
  const words = { lexicon, width: 3 };
  // Seven sub-words fit beside the two special ones: the longest sentence needs several windows.
  const transformer = { window: 9, features: true, context: 5 };
  const small: Readonly<Record<string, object>> = {
    bilstm: { wordWidth: 4, units: 3 },
    transformer,
    flat: { wordWidth: 4, heads: 2, headWidth: 3, layers: 2, words },
    "bert-word": { units: 3, transformer, words },
    lebert: { transformer, words },
  };
  const from = "from" in encoders[name as keyof typeof encoders].settings.shape && {
    from: await writeModel(tinyModel("bert")),
  };
  return openEncoder(encoderSettings.parse({ name, ...from, ...small[name] }), train, 1);
}

/** Sources in a small form, read from `stack words+chars without context`. */
async function openedStack(name: string): Promise<Encoder> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "words.txt"), "the cats\ncats sat\non a mat\nnew york\nnew york cats\nthe\n");
  await writeFile(join(folder, "places.tsv"), "new york\tLOC\nyork\tPER\nmat\tLOC\n");
  const from = await writeModel(tinyModel("bert"));
  const transformer = { name: "transformer", from, window: 9 };
  const small: Readonly<Record<string, object>> = {
    words: { name: "words", width: 4 },
    chars: { name: "chars", width: 3, filters: 4 },
    shapes: { name: "shapes", width: 2 },
    bigrams: { name: "bigrams", width: 3 },
    transformer: { ...transformer, layers: [1, 2] },
    "transformer top": { ...transformer, train: "top:1" },
    "transformer all": { ...transformer, train: "all", layers: [1, 2] },
    charlm: { name: "charlm", from: await writeCharlm() },
    softlexicon: { name: "softlexicon", from: join(folder, "words.txt"), width: 3 },
    dict: { name: "dict", from: join(folder, "places.tsv") },
  };
  const [parts = "", without] = name.slice("stack ".length).split(" without ");
  const sources = parts.split("+").map((part) => small[part]);
  const context = { layers: without ? 0 : 1, units: 3 };
  const encoder = await openEncoder(encoderSettings.parse({ name: "stack", sources, context }), train, 1);
  onTestFinished(() => encoder.dispose?.());
  return encoder;
}

interface Vectors {
  /** For each sentence the numbers of all its tokens. */
  readonly first: number[][];
  readonly last: number[][];
}

/** A compiled encoder: vectors of sentences, with their keys where it draws noise as in training. */
type Run = (some: readonly Sentence[], keys?: readonly number[]) => Promise<Vectors>;

async function compiled(encoder: Encoder, { training }: { training: boolean }): Promise<Run> {
  const params = new Parameters();
  const noise: Noise | undefined = training ? { keys: input("keys", "int32", ["batch"]) } : undefined;
  const program = await Program.compile({ ...encoder.build(params, { noise }) });
  onTestFinished(() => program.dispose());
  const store = new ParameterStore(params.specs).initialise(1);
  await encoder.prepare?.(sentences, { keep: true });
  return async (some, keys = []) => {
    const fed = training && { keys: { data: Int32Array.from(keys), shape: [keys.length] } };
    return vectorsIn(await program.run({ ...encoder.batch(some).feeds, ...store.tensors(), ...fed }), some);
  };
}

function vectorsIn({ first, last, mask }: Readonly<Record<string, Data>>, some: readonly Sentence[]): Vectors {
  const [, time] = mask!.shape as [number, number];
  expect([...mask!.data]).toEqual(
    some.flatMap((sentence) => Array.from({ length: time }, (_, i) => (i < tokenCount(sentence) ? 1 : 0))),
  );
  const bySentence = ({ data, shape }: Data): number[][] =>
    some.map((sentence, b) => {
      const start = b * time * shape[2]!;
      return Array.from(data.subarray(start, start + tokenCount(sentence) * shape[2]!));
    });
  return { first: bySentence(first!), last: bySentence(last!) };
}

function expectClose(found: readonly number[], expected: readonly number[], what: string): void {
  expect(found.length, what).toBe(expected.length);
  expect(Math.max(0, ...expected.map((number, i) => Math.abs(number - found[i]!))), what).toBeLessThan(2e-5);
}

describe.each(names)("the encoder %s", (name) => {
  it("gives a sentence the same vectors alone and in a batch, in training too", async () => {
    const encoder = await opened(name);
    const keys = sentences.map((_, i) => 11 + i);
    const [still, drawing] = [
      await compiled(encoder, { training: false }),
      await compiled(encoder, { training: true }),
    ];
    const [quiet, noisy] = [await still(sentences), await drawing(sentences, keys)];
    for (const [i, sentence] of sentences.entries()) {
      const [alone, aloneNoisy] = [await still([sentence]), await drawing([sentence], [keys[i]!])];
      for (const which of ["first", "last"] as const) {
        expectClose(quiet[which][i]!, alone[which][0]!, `${which}, sentence ${i}`);
        expectClose(noisy[which][i]!, aloneNoisy[which][0]!, `${which}, sentence ${i} in training`);
      }
    }
    expect(noisy.first[3]).not.toEqual(quiet.first[3]);
  });

  it("is made again from its settings and files as a model directory keeps them", async () => {
    const encoder = await opened(name);
    const settings = JSON.parse(JSON.stringify(encoder.settings)) as Readonly<Record<string, unknown>>;
    const restored = restoreEncoder(encoder.name, settings, encoder.files());
    expect(restored.name).toBe(name.split(" ")[0]);
    expect(restored.settings).toEqual(settings);
    expect(restored.files()).toEqual(encoder.files());
    expect(restored.pretrained).toEqual(encoder.pretrained);
    // Weights are saved by name and shape; here one array serves both, so these and their order must agree.
    const specsOf = (each: Encoder) => {
      const params = new Parameters();
      each.build(params, {});
      return params.specs;
    };
    const specs = specsOf(restored);
    expect(specs.map(({ name: each, shape }) => [each, shape])).toEqual(
      specsOf(encoder).map(({ name: each, shape }) => [each, shape]),
    );
    restored.tables.forEach((table, i) => {
      expect([table.name, table.width]).toEqual([encoder.tables[i]!.name, encoder.tables[i]!.width]);
      table.values.set(encoder.tables[i]!.values);
    });
    const { data } = new ParameterStore(specsOf(encoder)).initialise(1);
    const vectorsOf = async (each: Encoder): Promise<Data | undefined> => {
      const program = await Program.compile({ first: each.build(new Parameters(), {}).first });
      const store = new ParameterStore(specs, data);
      await each.prepare?.(sentences);
      const { first } = await program.run({ ...each.batch(sentences).feeds, ...store.tensors() });
      await program.dispose();
      return first;
    };
    expect(await vectorsOf(restored)).toEqual(await vectorsOf(encoder));
  });

  it("lets gradients reach every table and every parameter", async () => {
    const encoder = await opened(name);
    const params = new Parameters();
    const { first } = encoder.build(params, {});
    const loss = sum(mul(first, input("weights", "float32", first.shape)));
    const tables = new Set(encoder.tables.map((table) => table.name));
    const rows = inputsOf(loss).filter((each) => tables.has(each.name));
    expect(rows.length).toBe(encoder.tables.length);
    const grads = gradients(loss, [...rows.map(({ tensor }) => tensor), ...params.tensors()]);
    const reached = [...rows, ...params.specs].map((each) => each.name);
    const program = await Program.compile({
      first,
      ...Object.fromEntries(reached.map((each, i) => [`d ${each}`, grads[i]!])),
    });
    const store = new ParameterStore(params.specs).initialise(1);
    await encoder.prepare?.(train);
    const { feeds, lookups } = encoder.batch(train);
    const time = Math.max(...train.map(tokenCount));
    const width = first.shape.at(-1) as number;
    const numbers = Float32Array.from({ length: train.length * time * width }, (_, i) => Math.sin(i + 1));
    const weights = { data: numbers, shape: [train.length, time, width] };
    const results = await program.run({ ...feeds, ...store.tensors(), weights });
    await program.dispose();
    for (const each of reached) {
      const largest = Math.max(...Array.from(results[`d ${each}`]!.data, Math.abs));
      expect(Number.isFinite(largest), each).toBe(true);
      // The bias of a key moves all scores of a query alike, so its gradient is 0 but for rounding.
      if (!each.endsWith("attention.key.bias")) expect(largest, each).toBeGreaterThan(1e-6);
    }
    expect(lookups.map(({ table }) => table.name).sort()).toEqual([...tables].sort());
    // Rows of tables alone cost no product.
    expect(encoder.flops({ feeds, lookups })).toBeGreaterThanOrEqual(name.endsWith("without context") ? 0 : 1);
  });
});

describe("encoders by name", () => {
  it.each(["transformer", "bert-word", "lebert"])("%s needs to be told where its model is", (name) => {
    for (const given of [name, `${name}:`]) {
      const result = encoderSettings.safeParse(encoderInput(given));
      expect(result.error!.issues[0]).toMatchObject({ path: ["from"], message: /^expected a directory or a package/ });
    }
    expect(encoderSettings.parse(encoderInput(`${name}:a:b`))).toMatchObject({ name, from: "a:b" });
  });

  it("that are not known are refused with those that are", () => {
    expect(() => openEncoder({ name: "lstm" }, train, 1)).toThrow(/encoder: unknown "lstm".*bilstm/);
  });

  it("are read from the command line, sources joined by a plus sign", () => {
    expect(encoderInput("words:a+b.txt+charlm:d+chars")).toEqual({
      name: "stack",
      sources: [{ name: "words", from: "a+b.txt" }, { name: "charlm", from: "d" }, { name: "chars" }],
    });
    expect(encoderInput("transformer:d")).toEqual({ name: "transformer", from: "d" });
    expect(encoderInput("transformer:d+shapes")).toMatchObject({ name: "stack", sources: [{ from: "d" }, {}] });
    expect(encoderInput("words")).toEqual({ name: "stack", sources: [{ name: "words" }] });
    expect(encoderInput("bilstm+chars")).toMatchObject({ name: "stack", sources: [{ name: "bilstm" }, {}] });
    for (const text of ["words:a+b.txt+charlm:d+chars", "transformer:d", "bilstm"])
      expect(commandForm(encoderSettings.parse(encoderInput(text)))).toBe(text);
  });

  it("say how they are written and what they are, each under its own name", () => {
    for (const [name, kind] of Object.entries(encoders)) {
      if (name !== "stack") expect([kind.name, kind.usage.split(":")[0]]).toEqual([name, name]);
      expect(kind.usage.includes(":")).toBe("from" in kind.settings.shape);
      expect(kind.description).toMatch(/^[^.]{20,100}$/);
    }
  });
});
