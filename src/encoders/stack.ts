import { z } from "zod";
import { maskOf } from "../inputs/index.ts";
import { bilstm, dropout, linear, type Parameters, wordDropout } from "../nn/index.ts";
import { concat, input, type Tensor } from "../tensor/index.ts";
import { type Sentence, tokenCount } from "../text/index.ts";
import { InputError } from "../util/errors.ts";
import type { Encoded, Encoder, EncoderBatch, EncoderContext, PortableInputs } from "./encoder.ts";
import type { EncoderKind } from "./kind.ts";
import { type Source, type SourceSettings, sourceNamed, sourceSettings } from "./sources/index.ts";
import { sourceInput } from "./sources/input.ts";

const contextSettings = z.strictObject({
  /** Layers of a bidirectional LSTM over the tokens; 0 goes without. */
  layers: z.int().min(0).default(1),
  /** Units of the LSTM in each direction. */
  units: z.int().min(1).default(256),
  /** Dropout of the vectors that a layer reads, and without a layer of those that leave the encoder. */
  dropout: z.number().min(0).lt(1).default(0.5),
  /** Dropout takes the same numbers of all tokens of a sentence. */
  locked: z.boolean().default(true),
  /** The share of tokens whose vectors are set to 0 in training. */
  wordDropout: z.number().min(0).lt(1).default(0.05),
  /**
   * Brings the joined vectors to this width before the LSTM reads them; 0 goes without. Wide sources cost less so: `auto`
   * brings them to the units of the LSTM where they are wider than one and a half times that.
   */
  project: z.union([z.literal("auto"), z.int().min(0)]).default("auto"),
});
type ContextSettings = z.output<typeof contextSettings>;

const stackSettings = z.strictObject({
  name: z.literal("stack"),
  /** What gives tokens their vectors, each by its name alone or with its options. */
  sources: z.array(z.preprocess(sourceInput, sourceSettings)).min(1, { error: "expected at least one source" }),
  context: contextSettings.prefault({}),
});
type Settings = z.output<typeof stackSettings>;

const maskName = "stack.mask";

/** Vectors from several sources, side by side, through a bidirectional LSTM or as they are. */
export const stackKind = {
  name: "stack",
  usage: "SOURCE+SOURCE",
  description: "vectors from the sources below, joined by +, through a bidirectional LSTM",
  settings: stackSettings,
  hasParts: true,
  async open(settings, sentences, seed) {
    const sources: Source[] = [];
    const ends = settings.context.layers === 0;
    for (const [id, each] of identified(settings.sources))
      sources.push(await sourceNamed(each.name).open(each, sentences, { id, ends, seed }));
    return assemble(settings, sources);
  },
  restore(settings, files, parts = {}) {
    const ends = settings.context.layers === 0;
    const known = identified(settings.sources);
    refuseUnknownParts(parts, [...known.keys()]);
    const restored = [...known].map(([id, each]) => sourceNamed(each.name).restore(each, { id, ends, files, parts }));
    return assemble(settings, restored);
  },
} satisfies EncoderKind<Settings>;

/** Sources with a name of their own each: `words`, and `words-2` for a second one. */
function identified(sources: readonly SourceSettings[]): Map<string, SourceSettings> {
  const result = new Map<string, SourceSettings>();
  for (const each of sources) {
    const like = sources.filter(({ name }) => name === each.name).indexOf(each) + 1;
    result.set(like === 1 ? each.name : `${each.name}-${like}`, each);
  }
  return result;
}

function refuseUnknownParts(parts: Readonly<Record<string, string>>, known: readonly string[]): void {
  const unknown = Object.keys(parts).find((id) => !known.includes(id));
  if (unknown !== undefined)
    throw new InputError(`--part: the model has no source "${unknown}" (its sources: ${known.join(", ")})`);
}

function assemble(settings: Settings, sources: readonly Source[]): Encoder {
  const trained = sources.filter(({ pretrained }) => pretrained.length > 0);
  if (trained.length > 1)
    throw new InputError("stack encoder: one transformer at most may train; take train=none for the others");
  const frozen = sources.flatMap(({ features }) => features ?? []);
  return {
    name: "stack",
    settings: { ...settings, sources: sources.map((source) => source.settings) },
    tables: sources.flatMap(({ tables }) => tables),
    pretrained: trained.flatMap(({ pretrained }) => pretrained),
    size: (sentence) => Math.max(tokenCount(sentence), ...sources.flatMap((source) => source.size?.(sentence) ?? [])),
    ...(frozen.length > 0 && {
      async prepare(sentences, options) {
        for (const features of frozen) await features.prepare(sentences, options);
      },
      async dispose() {
        for (const features of frozen) await features.dispose();
      },
    }),
    batch: (sentences) => batchOf(sources, sentences),
    build: (params, context) => build(params, context, settings.context, sources),
    flops: (batch) =>
      sources.reduce((sum, source) => sum + source.flops(batch), contextFlops(settings.context, sources, batch)),
    files: () => Object.assign({}, ...sources.map((source) => source.files())) as Record<string, string>,
    async portable() {
      const parts: PortableInputs[] = [];
      for (const source of sources) parts.push(await source.portable());
      return {
        inputs: [...parts.flatMap(({ inputs }) => inputs), { kind: "mask", input: maskName }],
        frozen: parts.flatMap(({ frozen: graphs = [] }) => graphs),
        files: Object.assign({}, ...parts.map(({ files }) => files)) as Record<string, string>,
      };
    },
  };
}

function batchOf(sources: readonly Source[], sentences: readonly Sentence[]): EncoderBatch {
  const time = Math.max(1, ...sentences.map(tokenCount));
  const batches = sources.map((source) => source.batch(sentences, time));
  return {
    lookups: batches.flatMap(({ lookups }) => lookups),
    feeds: {
      ...(Object.assign({}, ...batches.map(({ feeds }) => feeds)) as EncoderBatch["feeds"]),
      [maskName]: { data: maskOf(sentences, time), shape: [sentences.length, time] },
    },
  };
}

function build(
  params: Parameters,
  { noise, questions }: EncoderContext,
  context: ContextSettings,
  sources: readonly Source[],
): Encoded {
  const { layers, units, dropout: rate, locked, wordDropout: share } = context;
  const project = projection(context, widthOf(sources));
  const mask = input(maskName, "float32", ["batch", "time"]);
  const parts = sources.map((source) => source.build(params, { noise, questions }));
  const side = (which: "first" | "last"): Tensor => {
    const all = parts.map((part) => part[which]);
    const joined = all.length > 1 ? concat(all, -1) : all[0]!;
    const present = wordDropout(joined, share, noise, "stack.words");
    const kept = dropout(present, rate, noise, "stack.0", { shared: locked });
    return project > 0 ? linear(params, "stack.project", kept, project) : kept;
  };
  let states = side("first");
  if (layers === 0) {
    const same = parts.every(({ first, last }) => first === last);
    return { first: states, last: same ? states : side("last"), mask };
  }
  for (let layer = 0; layer < layers; layer++) {
    const read = layer === 0 ? states : dropout(states, rate, noise, `stack.${layer}`, { shared: locked });
    states = bilstm(params, `stack.${layer}`, read, mask, units);
  }
  return { first: states, last: states, mask };
}

/** Multiply–add operations ×2 of the projection and the LSTM. */
function contextFlops(context: ContextSettings, sources: readonly Source[], { feeds }: EncoderBatch): number {
  const { layers, units } = context;
  const width = widthOf(sources);
  const project = projection(context, width);
  const layer = (read: number): number => 2 * 2 * 4 * units * (read + units);
  const lstm = layers === 0 ? 0 : layer(project || width) + (layers - 1) * layer(2 * units);
  return feeds[maskName]!.data.length * (2 * width * project + lstm);
}

/** The width that vectors are brought to before the LSTM; 0 where it reads them as they are. */
function projection({ layers, units, project }: ContextSettings, width: number): number {
  if (project !== "auto") return project;
  return layers > 0 && width > 1.5 * units ? units : 0;
}

function widthOf(sources: readonly Source[]): number {
  return sources.reduce((sum, { width }) => sum + width, 0);
}
