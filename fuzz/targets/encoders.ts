import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { importModel } from "../../src/encoders/import/index.ts";
import { parseArchitecture } from "../../src/encoders/transformer/config.ts";
import { subwordTokeniser } from "../../src/encoders/transformer/tokeniser.ts";
import { weightsOf, wordTable } from "../../src/encoders/transformer/weights.ts";
import { encodeModel, type OnnxTensor } from "../../src/tensor/onnx-schema.ts";
import { ensure, type Target } from "../target.ts";
import { bytePairs, config, unigrams, wordPieces } from "./tokenizers.ts";

const words = ["Lisbon", "cats", "a", "", "[SEP]", "é東", "x".repeat(120), "👩‍🚀"];

export const encoderTargets: readonly Target[] = [
  {
    name: "tokenizer",
    shape: "json",
    weight: 0.5,
    seeds: async () => [wordPieces, bytePairs, unigrams].map((json) => Buffer.from(JSON.stringify(json))),
    async run(input) {
      const tokeniser = subwordTokeniser(input.toString("utf8"), "tokenizer.json");
      for (const word of words) {
        const pieces = tokeniser.pieces(word);
        ensure(
          pieces.length > 0 && pieces.every((id) => Number.isInteger(id) && id >= 0),
          "tokenizer: a word without ids",
        );
      }
    },
  },
  {
    name: "architecture",
    shape: "json",
    seeds: async () => [Buffer.from(JSON.stringify(config))],
    async run(input) {
      const { hidden, heads, layers } = parseArchitecture(input.toString("utf8"), "config.json");
      ensure(hidden % heads === 0 && layers > 0, "architecture: sizes that do not fit");
    },
  },
  {
    name: "onnx",
    shape: "bytes",
    weight: 0.3,
    seeds: async () => [exported("MatMul"), exported("Cast")],
    async run(input, scratch) {
      const [folder, out] = [join(scratch, "onnx"), join(scratch, "imported")];
      for (const each of [folder, out]) rmSync(each, { recursive: true, force: true });
      mkdirSync(folder);
      writeFileSync(join(folder, "model.onnx"), input);
      writeFileSync(join(folder, "config.json"), JSON.stringify(config));
      writeFileSync(join(folder, "tokenizer.json"), JSON.stringify(wordPieces));
      await importModel(join(folder, "model.onnx"), out);
    },
  },
  {
    name: "flair",
    shape: "bytes",
    weight: 0.3,
    seeds: async () => [readFileSync(flair("forward"))],
    async run(input, scratch) {
      const [file, out] = [join(scratch, "forward.pt"), join(scratch, "imported")];
      rmSync(out, { recursive: true, force: true });
      writeFileSync(file, input);
      await importModel(file, out, { with: flair("backward") });
    },
  },
];

/** Half of a character language model that another program wrote. */
function flair(direction: string): string {
  return join("test", "fixtures", `flair-${direction}.pt`);
}

/** An export of a BERT, the smallest unless told otherwise, with a few nodes behind its weights. */
export function exported(opType: string, sizes: object = config): Buffer {
  const architecture = parseArchitecture(JSON.stringify(sizes), "config.json");
  const { vocabulary, embedding } = architecture;
  const tables = [
    { source: wordTable.source, shape: [vocabulary, embedding], transposed: false },
    ...weightsOf(architecture),
  ];
  const initializer = tables.map(({ source, shape, transposed }): OnnxTensor => {
    const dims = transposed ? shape.toReversed() : [...shape];
    const numbers = Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, i) => Math.sin(i));
    return { name: source, dims, dataType: 1, rawData: new Uint8Array(numbers.buffer) };
  });
  const node = [
    { opType: "MatMul", input: ["x", "encoder.layer.0.attention.self.query.weight"], output: ["p"], attribute: [] },
    { opType, input: ["p"], output: ["q"], attribute: [] },
    {
      opType: "Add",
      input: ["q", "encoder.layer.0.attention.self.query.bias"],
      output: ["r"],
      attribute: [{ name: "epsilon", type: 1, f: 1e-12 }],
    },
  ];
  return Buffer.from(encodeModel({ name: "tiny", node, initializer, input: [], output: [] }));
}
