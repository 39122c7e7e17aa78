import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { z } from "zod";
import { cast, concat, input, slice, type Tensor } from "../../tensor/index.ts";
import { InputError } from "../../util/errors.ts";
import { own } from "../../util/own.ts";
import type { PortableInputs } from "../encoder.ts";
import { locatePart, type PartFiles, type PartReference, partReference, referTo } from "../features/part-files.ts";
import { FeatureStore } from "../features/store.ts";
import { pretrainedFrom } from "../kind.ts";
import { findPretrained } from "../pretrained.ts";
import { savedFile } from "../saved-file.ts";
import { openBody, restoreBody, type TransformerBody, transformerSettings } from "../transformer/body.ts";
import { wordStates } from "../transformer/graph.ts";
import { layerMix } from "./layer-mix.ts";
import { named, type Source, type SourceKind } from "./source.ts";
import { extractorGraph, pieceExtractor, subwordGroups, wordExtractor } from "./transformer-extractor.ts";

const { dropout, attentionDropout, window, overlap } = transformerSettings.shape;

const settings = z.strictObject({
  name: z.literal("transformer"),
  /** A Hugging Face directory, or an installed package that holds one. */
  from: pretrainedFrom,
  /** What training changes: nothing, the upper layers, or all. What it does not change is computed once for each text. */
  train: z
    .string()
    .regex(/^(none|all|top:[1-9]\d*)$/, { error: "expected none, all or top:N" })
    .default("none"),
  /** The layers whose states are mixed, from 1; four in the middle of a frozen model, else the last, when null. */
  layers: z.array(z.int().min(1)).min(1).nullable().default(null),
  dropout,
  attentionDropout,
  window,
  overlap,
});
type Settings = z.output<typeof settings>;

/** Changes when the same settings and weights would give other numbers. */
const version = 1;

const fileNames = ["transformer.json", "tokenizer.json"] as const;

/** A pretrained model of the BERT family, frozen, with its upper layers in training, or fine-tuned. */
export const transformer = {
  name: "transformer",
  usage: "transformer:DIR",
  description: "a pretrained model of the BERT family, frozen unless train says otherwise",
  settings,
  async open(given, _, { id, ends }) {
    const body = await openBody(given.from, [], bodySettings(given));
    const part = given.train === "all" ? undefined : await referTo(given.from, findTransformer);
    return assemble(completed(given, body), body, { id, ends, part });
  },
  restore(given, { id, ends, files, parts }) {
    const saved = fileNames.flatMap((name) => {
      const text = own(files, named(id, name));
      return text === undefined ? [] : [[name, text] as const];
    });
    const body = restoreBody(bodySettings(given), Object.fromEntries(saved));
    const isWhole = own(files, named(id, "json")) === undefined;
    const part = isWhole ? undefined : savedFile(files, named(id, "json"), partReference);
    return assemble(completed(given, body), body, { id, ends, part, directory: parts[id] });
  },
} satisfies SourceKind<Settings>;

async function findTransformer(nameOrDirectory: string): Promise<PartFiles> {
  const { config, tokeniser, weights } = await findPretrained(nameOrDirectory);
  return { directory: dirname(config), files: [config, tokeniser, weights] };
}

/** Characters, shapes and an LSTM are other sources' business here. */
function bodySettings({ dropout, attentionDropout, window, overlap }: Settings) {
  return transformerSettings.parse({ dropout, attentionDropout, window, overlap, features: false, context: 0 });
}

/** Settings with the layers that are meant, after checking them. */
function completed(given: Settings, { architecture: { layers: depth } }: TransformerBody): Settings {
  const frozen = frozenLayers(given, depth);
  const [least, most] = given.train === "none" ? [1, depth] : [frozen + 1, depth];
  if (frozen < 1 && given.train !== "all")
    throw new InputError(
      `transformer source: train: the model has ${depth} layers, got ${given.train}; take train=all to train all of them`,
    );
  const layers = given.layers ?? (given.train === "none" ? middleLayers(depth) : [depth]);
  const wrong = layers.find((layer) => layer < least || layer > most);
  if (wrong !== undefined)
    throw new InputError(`transformer source: layers: must be numbers from ${least} to ${most}, got ${wrong}`);
  return { ...given, layers: [...new Set(layers)].sort((a, b) => a - b) };
}

/** How many layers are computed once. */
function frozenLayers({ train }: Settings, depth: number): number {
  if (train === "none") return depth;
  return train === "all" ? 0 : depth - Number(train.slice("top:".length));
}

/** Four layers between a quarter and three quarters of the depth: 3, 5, 7, 9 of 12. */
export function middleLayers(depth: number): number[] {
  return [...new Set([3, 5, 7, 9].map((twelfths) => Math.max(1, Math.round((twelfths * depth) / 12))))];
}

interface Assembly {
  readonly id: string;
  readonly ends: boolean;
  /** The pretrained model, where some of it is not in the weights that are saved. */
  readonly part: PartReference | undefined;
  /** Where it is, as the user says. */
  readonly directory?: string | undefined;
}

function assemble(given: Settings, body: TransformerBody, assembly: Assembly): Source {
  const { id, part, directory } = assembly;
  const files = body.files();
  const common = {
    width: body.architecture.hidden,
    settings: given,
    files: () => ({
      ...Object.fromEntries(fileNames.map((name) => [named(id, name), files[name]!])),
      ...(part && { [named(id, "json")]: JSON.stringify(part) }),
    }),
  };
  const tokenizer = named(id, "tokenizer.json");
  const names = { tokeniser: tokenizer, vocabulary: "" };
  if (!part) {
    const portable = async () => ({ inputs: body.specs(names) });
    return { ...common, portable, ...trainedLayers(given, body, assembly) };
  }
  const locate = (): Promise<string> => locatePart(id, part, directory, findTransformer);
  const layers = given.train === "none" ? given.layers! : [frozenLayers(given, body.architecture.layers)];
  const of = given.train === "none" ? "words" : "pieces";
  const portable = async (): Promise<PortableInputs> => {
    const whole = await openBody(await locate(), [], bodySettings(given));
    const { states: output, weights } = extractorGraph(whole, { layers, ends: assembly.ends }, of);
    const prefix = named(id, "");
    const input = named(id, of === "words" ? "states" : "lower");
    const upper = of === "words" ? [] : body.specs(names);
    return {
      inputs: [...whole.specs(names, prefix), ...upper],
      frozen: [{ input, prefix, output, weights, tables: [whole.table] }],
    };
  };
  const key = [version, part.sha256, given.window, given.overlap, given.train];
  const store = (detail: unknown, extractor: typeof wordExtractor): FeatureStore =>
    new FeatureStore({
      name: "transformer",
      id: createHash("sha256")
        .update(JSON.stringify([...key, detail]))
        .digest("hex")
        .slice(0, 16),
      groups: (sentences) => subwordGroups(sentences, body),
      check: async () => {
        await locate();
      },
      open: async (runtime) =>
        extractor(await openBody(await locate(), [], bodySettings(given)), {
          layers,
          ends: assembly.ends,
          runtime,
        }),
    });
  if (given.train === "none") {
    const features = store([given.layers, assembly.ends], wordExtractor);
    return { ...common, portable, ...frozenStates(given, body, assembly, features) };
  }
  return { ...common, portable, ...trainedLayers(given, body, assembly, store("pieces", pieceExtractor)) };
}

/** Nothing trains but the weights of the mix. */
function frozenStates(
  { layers }: Settings,
  { architecture: { hidden } }: TransformerBody,
  { id, ends }: Assembly,
  features: FeatureStore,
): Omit<Source, "width" | "settings" | "files" | "portable"> {
  const one = layers!.length * hidden;
  const width = ends ? 2 * one : one;
  const name = named(id, "states");
  return {
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
    build(params) {
      const states = cast(input(name, "float16", ["batch", "time", width]), "float32");
      const mix = (all: Tensor): Tensor => layerMix(params, `source.${id}`, all, layers!.length);
      if (!ends) {
        const first = mix(states);
        return { first, last: first };
      }
      return { first: mix(slice(states, 2, 0, one)), last: mix(slice(states, 2, one, width)) };
    },
    flops: ({ feeds }) => 2 * feeds[name]!.data.length,
  };
}

/** All layers in training, or those above states that are computed once. */
function trainedLayers(
  given: Settings,
  body: TransformerBody,
  { id }: Assembly,
  features?: FeatureStore,
): Omit<Source, "width" | "settings" | "files" | "portable"> {
  const { hidden, layers: depth } = body.architecture;
  const frozen = frozenLayers(given, depth);
  const name = named(id, "lower");
  return {
    tables: features ? [] : [body.table],
    pretrained: [body.pretrained],
    ...(features && { features }),
    size: (sentence) => body.size(sentence),
    batch(sentences) {
      const layout = body.layOut(sentences);
      const { feeds, lookups } = body.batch(sentences, layout);
      if (!features) return { feeds, lookups };
      const { [body.table.name]: _, ...rest } = feeds;
      const [windows, pieces] = feeds["transformer.visible"]!.shape as [number, number];
      const data = new Uint16Array(windows * pieces * hidden);
      let taken = { sentence: -1, at: 0 };
      layout.rows.forEach(({ ids, sentence }, row) => {
        if (sentence !== taken.sentence) taken = { sentence, at: 0 };
        const end = taken.at + ids.length * hidden;
        data.set(features.values(sentences[sentence]!).subarray(taken.at, end), row * pieces * hidden);
        taken = { sentence, at: end };
      });
      return { lookups: [], feeds: { ...rest, [name]: { data, shape: [windows, pieces, hidden] } } };
    },
    build(params, context) {
      const found: Tensor[] = [];
      const lower = features && {
        states: cast(input(name, "float16", ["windows", "pieces", hidden]), "float32"),
        layers: frozen,
      };
      body.states(
        params,
        context,
        (states, layer) => {
          if (given.layers!.includes(layer)) found.push(states);
          return states;
        },
        lower,
      );
      const all = found.length > 1 ? concat(found, -1) : found[0]!;
      const mix = (which: "first" | "last"): Tensor =>
        layerMix(params, `source.${id}`, wordStates(all, which), found.length);
      return { first: mix("first"), last: mix("last") };
    },
    flops: (batch) => ((depth - frozen) / depth) * body.flops(batch),
  };
}
