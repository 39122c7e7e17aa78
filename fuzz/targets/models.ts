import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { importModel } from "../../src/encoders/import/index.ts";
import { Recogniser, type TrainSettings, tokenise, train as trainModel } from "../../src/index.ts";
import { ensure, type Target } from "../target.ts";
import { exported } from "./encoders.ts";
import { config, wordPieces } from "./tokenizers.ts";

export const text = "Ana lives in Oslo.";
const train = ["Ana lives in Oslo.", "Bob lives in Rome."].flatMap(
  (line) =>
    tokenise(line, {
      entities: [
        { start: 0, end: 3, type: "PER" },
        { start: 13, end: 17, type: "LOC" },
      ],
    }).sentences,
);

/** Encoders whose saved files are changed: the usual one, one of everything that needs nothing pretrained, sub-words. */
const encoders = {
  bilstm: () => ({
    name: "bilstm",
    units: 4,
    wordWidth: 4,
    featureSettings: { charWidth: 2, charFilters: 2, shapeWidth: 2 },
  }),
  stack(scratch: string) {
    const [names, words] = [join(scratch, "names.tsv"), join(scratch, "words.txt")];
    writeFileSync(names, "Oslo\tLOC\nAna\tPER\n");
    writeFileSync(words, "Oslo\nlives in\n");
    const sources = [
      { name: "words", width: 4, minimumCount: 1 },
      { name: "chars", width: 2, filters: 2 },
      { name: "shapes", width: 2 },
      { name: "bigrams", width: 2, minimumCount: 1 },
      { name: "softlexicon", from: words, width: 2 },
      { name: "dict", from: names },
    ];
    return { name: "stack", sources, context: { units: 4 } };
  },
  async transformer(scratch: string) {
    const [given, from] = [join(scratch, "bert"), join(scratch, "bert-imported")];
    mkdirSync(given, { recursive: true });
    writeFileSync(join(given, "model.onnx"), exported("MatMul"));
    writeFileSync(join(given, "config.json"), JSON.stringify(config));
    writeFileSync(join(given, "tokenizer.json"), JSON.stringify(wordPieces));
    rmSync(from, { recursive: true, force: true });
    await importModel(join(given, "model.onnx"), from);
    return { name: "transformer", from, features: false };
  },
};
export type Encoder = keyof typeof encoders;
const heads: { readonly [E in Encoder]: object } = {
  bilstm: { name: "span", hidden: 4 },
  stack: { name: "span", hidden: 4 },
  transformer: { name: "token", output: "crf" },
};

/** A model that was trained for a moment; made once in each process. */
export async function trained(scratch: string, encoder: Encoder): Promise<string> {
  const directory = join(scratch, `model-${encoder}`);
  if (existsSync(join(directory, "config.json"))) return directory;
  rmSync(directory, { recursive: true, force: true });
  const settings = { encoder: await encoders[encoder](scratch), epochs: 1, threads: 1, head: heads[encoder] };
  for await (const _ of trainModel({ train, dev: train }, settings as TrainSettings, { directory })) {
    // Only the folder counts.
  }
  return directory;
}

/** One file of a model folder at a time: whatever it holds, the model tags or is refused. */
const modelFile = (
  name: string,
  shape: Target["shape"],
  encoder: Encoder = "bilstm",
  older: (seed: Buffer) => readonly Buffer[] = () => [],
): Target => ({
  name: encoder === "bilstm" ? `model-${name}` : `model-${encoder}-${name}`,
  shape,
  weight: 0.1,
  async seeds(scratch) {
    const seed = readFileSync(join(await trained(scratch, encoder), name));
    return [seed, ...older(seed)];
  },
  async run(input, scratch) {
    const directory = join(scratch, "changed");
    if (!existsSync(directory)) cpSync(await trained(scratch, encoder), directory, { recursive: true });
    writeFileSync(join(directory, name), input);
    const recogniser = await Recogniser.load(directory, { threads: 1 });
    try {
      for (const { start, end, text: found } of await recogniser.tag(text)) {
        ensure(text.slice(start, end) === found, "model: an entity that is not in the text");
      }
    } finally {
      await recogniser.dispose();
    }
  },
});

/** The same configuration as version 1 had it. */
function versionOne(config: Buffer): Buffer[] {
  const { head, ...rest } = JSON.parse(config.toString("utf8"));
  return [Buffer.from(JSON.stringify({ ...rest, version: 1, model: head }))];
}

export const modelTargets: readonly Target[] = [
  modelFile("config.json", "json", "bilstm", versionOne),
  modelFile("vocabulary.json", "json"),
  modelFile("model.safetensors", "bytes"),
  modelFile("config.json", "json", "stack"),
  modelFile("source.words.json", "json", "stack"),
  modelFile("source.softlexicon.json", "json", "stack"),
  modelFile("source.dict.json", "json", "stack"),
];
