import { z } from "zod";
import { cast, input } from "../../tensor/index.ts";
import { type Sentence, tokenCount, tokenTexts } from "../../text/index.ts";
import { locatePart, partReference, referTo } from "../features/part-files.ts";
import { FeatureStore } from "../features/store.ts";
import { savedFile } from "../saved-file.ts";
import { charlmExtractor, charlmGraph } from "./charlm-extractor.ts";
import { findCharlm, largestWidth, readCharlm, readCharlmConfig } from "./charlm-model.ts";
import { named, type Source, type SourceKind } from "./source.ts";

const settings = z.strictObject({
  name: z.literal("charlm"),
  /** A directory with the two language models. */
  from: z.string({ error: "expected a directory" }).min(1, { error: "expected a directory" }),
});
type Settings = z.output<typeof settings>;

/** What a saved model knows of its language models. */
const knownSchema = z.object({ ...partReference.shape, hidden: z.int().min(1).max(largestWidth) });
type Known = Readonly<z.output<typeof knownSchema>>;

/** Changes when the same weights would give other numbers. */
const version = 1;

/** Sentences that go through the model at once: enough to keep all cores busy. */
const rows = 128;

/**
 * Contextual string embeddings (Akbik et al. 2018): the states of two language models over characters, one reading
 * forward and one backward, at the ends of each word. Frozen.
 */
export const charlm = {
  name: "charlm",
  usage: "charlm:DIR",
  description: "states of two frozen language models over characters, which see capitals and context",
  settings,
  async open(given, _, { id }) {
    const { hidden_size: hidden } = await readCharlmConfig(given.from);
    return assemble(given, { ...(await referTo(given.from, findCharlm)), hidden }, id);
  },
  restore: (given, { id, files, parts }) =>
    assemble(given, savedFile(files, named(id, "json"), knownSchema), id, parts[id]),
} satisfies SourceKind<Settings>;

function assemble(given: Settings, known: Known, id: string, directory?: string): Source {
  const width = 2 * known.hidden;
  const locate = (): Promise<string> => locatePart(id, known, directory, findCharlm);
  const features = new FeatureStore({
    name: "charlm",
    id: `${version}-${known.sha256.slice(0, 16)}`,
    groups,
    check: async () => {
      await locate();
    },
    open: async (runtime) => charlmExtractor(await locate(), runtime),
  });
  const name = named(id, "states");
  return {
    width,
    settings: given,
    tables: [],
    pretrained: [],
    features,
    batch(sentences, time) {
      const data = new Uint16Array(sentences.length * time * width);
      sentences.forEach((sentence, b) => {
        features.copy(sentence, data.subarray(b * time * width));
      });
      return { lookups: [], feeds: { [name]: { data, shape: [sentences.length, time, width] } } };
    },
    build() {
      const states = cast(input(name, "float16", ["batch", "time", width]), "float32");
      return { first: states, last: states };
    },
    flops: () => 0,
    files: () => ({ [named(id, "json")]: JSON.stringify(known) }),
    async portable() {
      const model = await readCharlm(await locate());
      const prefix = named(id, "");
      const file = named(id, "characters.json");
      const { characters, unknown, document_start: before, end: after } = model.config;
      const inputs = {
        forward: `${prefix}forward`,
        backward: `${prefix}backward`,
        forwardAt: `${prefix}forward.at`,
        backwardAt: `${prefix}backward.at`,
      };
      return {
        inputs: [{ kind: "characters", inputs, characters: file, unknown, before, after }],
        frozen: [{ input: name, prefix, tables: [], ...charlmGraph(model) }],
        files: { [file]: JSON.stringify(characters) },
      };
    },
  };
}

/** Sentences of about the same number of characters, short ones first. */
function* groups(sentences: readonly Sentence[]): Generator<Sentence[]> {
  const length = (sentence: Sentence): number =>
    tokenTexts(sentence).reduce((sum, word) => sum + word.length, tokenCount(sentence));
  const sorted = sentences.map((sentence) => ({ sentence, length: length(sentence) }));
  sorted.sort((a, b) => a.length - b.length);
  for (let at = 0; at < sorted.length; at += rows) yield sorted.slice(at, at + rows).map(({ sentence }) => sentence);
}
