import { existsSync } from "node:fs";

import { join } from "node:path";
import { z } from "zod";
import { type EncoderKind, encoders, restoreEncoder, type Table } from "../encoders/index.ts";
import { type Head, heads, type Model, migrateHead, type Retrieval, untrainedHeads } from "../heads/index.ts";
import { ParameterStore } from "../nn/index.ts";
import { writeTextAtomically } from "../util/atomic.ts";
import { InputError, messageOf, unknownName } from "../util/errors.ts";
import { hashFile } from "../util/file-hash.ts";
import { parseJson } from "../util/json.ts";
import { makeFolder } from "../util/make-folder.ts";
import { fileIn, readTextFile } from "../util/regular-file.ts";
import { type NumberArray, SafetensorsFile, writeSafetensors } from "../util/safetensors.ts";
import { assertSizesFit } from "./saved-sizes.ts";
import { type Shift, shiftSchema } from "./shift.ts";

/** Models of version 1 say `model` where these say `head`. */
const formatVersion = 2;

const configSchema = z.object({
  format: z.literal("lacuna-model"),
  version: z.union([z.literal(1), z.literal(formatVersion)]),
  types: z.array(z.string()).min(1),
  encoder: z.object({ name: z.string(), settings: z.record(z.string(), z.unknown()), files: z.array(z.string()) }),
  head: z.looseObject({ name: z.string() }),
  /** How the centroids among the weights are used in prediction; absent where the model is on its own. */
  retrieval: z.object({ alpha: z.number().min(0).max(1), mix: z.enum(["prob", "log"]) }).optional(),
  /** What training chose for decoding; the rest of it stands among the settings. */
  decode: z.object({ shift: shiftSchema }).optional(),
  /** The SHA-256 of the weights; models of earlier versions have none. */
  weights: z
    .string()
    .regex(/^[0-9a-f]{64}$/, { error: "expected a SHA-256 hash" })
    .optional(),
  /** The complete settings of the run that made the model. */
  training: z.record(z.string(), z.unknown()),
  /** What else is known of the run: seed, data and their hashes, scores. */
  provenance: z.record(z.string(), z.unknown()),
});
export type ModelConfig = z.output<typeof configSchema>;

/** A model with its weights. */
export interface LoadedModel {
  readonly model: Model;
  readonly store: ParameterStore;
  readonly retrieval?: Retrieval;
  readonly config: ModelConfig;
}

export interface SaveOptions {
  readonly training: object;
  readonly provenance: object;
  readonly card: string;
  readonly retrieval?: Retrieval | undefined;
  /** The shift that was chosen, where the settings left it open. */
  readonly shift?: Shift | undefined;
}

const weightsFile = "model.safetensors";
const configFile = "config.json";
const centroidsName = "retrieval.centroids";

/** Writes a model directory: configuration, weights, the encoder's files and a card. Each file appears whole. */
export async function saveModel(
  directory: string,
  model: Model,
  store: ParameterStore,
  { training, provenance, card, retrieval, shift }: SaveOptions,
): Promise<void> {
  await makeFolder(directory);
  const { head, encoder, types, settings } = model;
  const files = encoder.files();
  for (const [name, text] of Object.entries(files)) await writeTextAtomically(join(directory, name), text);
  const centroids = retrieval && {
    [centroidsName]: {
      data: retrieval.centroids,
      shape: [types.length + 1, retrieval.centroids.length / (types.length + 1)],
    },
  };
  await writeSafetensors(join(directory, weightsFile), { ...weightsOf(store, encoder.tables), ...centroids });
  const config = {
    format: "lacuna-model",
    version: formatVersion,
    types,
    encoder: { name: encoder.name, settings: encoder.settings, files: Object.keys(files) },
    head: { name: head, ...settings },
    ...(retrieval && { retrieval: { alpha: retrieval.alpha, mix: retrieval.mix } }),
    ...(shift !== undefined && { decode: { shift } }),
    weights: await hashFile(join(directory, weightsFile)),
    training,
    provenance,
  };
  await writeTextAtomically(join(directory, "README.md"), card);
  await writeTextAtomically(join(directory, configFile), `${JSON.stringify(config, null, 2)}\n`);
}

/** A model whose training goes on with other settings: its description says them, its weights stay. */
export async function updateTraining(directory: string, training: unknown, card: string): Promise<void> {
  const config = await readConfig(directory);
  await writeTextAtomically(join(directory, "README.md"), card);
  await writeTextAtomically(join(directory, configFile), `${JSON.stringify({ ...config, training }, null, 2)}\n`);
}

/** Parts that are not in the package. */
export interface OwnParts {
  readonly heads?: readonly Head[] | undefined;
  readonly encoders?: readonly EncoderKind[] | undefined;
}

export interface LoadOptions extends OwnParts {
  /** Directories of large frozen parts that the model only refers to, by the name of the source; else where they were in training. */
  readonly parts?: Readonly<Record<string, string>> | undefined;
}

export async function loadModel(directory: string, options: LoadOptions = {}): Promise<LoadedModel> {
  const config = await readConfig(directory);
  const files: Record<string, string> = {};
  for (const name of config.encoder.files) files[name] = await readTextFile(await fileIn(directory, name));
  const weights = join(directory, weightsFile);
  withTensors(weights, (file) => {
    assertSizesFit({ encoder: config.encoder.settings, head: config.head }, file, join(directory, configFile));
  });
  const model = restoreModel(config, files, directory, options);
  withTensors(weights, (file) => {
    for (const { name, shape } of model.params.specs) assertShape(file, name, shape);
  });
  await model.encoder.prepare?.([]);
  const { encoder } = model;
  const store = new ParameterStore(model.params.specs);
  restoreWeights(directory, store, encoder.tables);
  await assertUnaltered(weights, config);
  if (!config.retrieval || !model.retrieval) return { model, store, config };
  const shape = [config.types.length + 1, model.retrieval.width] as const;
  const centroids = { data: new Float32Array(shape[0] * shape[1]), shape };
  readTensors(join(directory, weightsFile), { [centroidsName]: centroids });
  return { model, store, config, retrieval: { ...config.retrieval, centroids: centroids.data } };
}

/** Numbers that were changed are numbers still; only a checksum tells. */
async function assertUnaltered(file: string, { weights }: ModelConfig): Promise<void> {
  if (weights === undefined || (await hashFile(file)) === weights) return;
  throw new InputError(
    `the weights are not those that ${configFile} was written for: they were altered, or come from another model; copy both files again or train again`,
    { file },
  );
}

/** Puts parameters and tables to what a model directory holds of them. */
export function restoreWeights(directory: string, store: ParameterStore, tables: readonly Table[]): void {
  readTensors(join(directory, weightsFile), weightsOf(store, tables));
}

/** Files that were changed by hand or broken can fail anywhere in the making of a model. */
function restoreModel(
  { encoder, types, head: { name, ...saved } }: ModelConfig,
  files: Record<string, string>,
  directory: string,
  { parts, ...own }: LoadOptions,
): Model {
  const all = [...Object.values<Head>(heads), ...untrainedHeads, ...(own.heads ?? [])];
  const known = new Map(all.map((each) => [each.name, each]));
  const head = known.get(name);
  if (!head)
    throw new InputError(`head: unknown ${unknownName(name, known.keys())}`, { file: join(directory, configFile) });
  const further = [...(head.encoder ? [head.encoder] : []), ...(own.encoders ?? [])];
  const kinds = { ...encoders, ...Object.fromEntries(further.map((kind) => [kind.name, kind])) };
  const settings = head.settings.safeParse(saved);
  if (!settings.success)
    throw new InputError(firstIssue(settings.error, ["head"]), { file: join(directory, configFile) });
  try {
    return head.open(
      restoreEncoder(encoder.name, encoder.settings, files, { parts, table: kinds }),
      types,
      settings.data,
    );
  } catch (error) {
    if (error instanceof InputError && error.place.file === undefined) throw error;
    const names = [configFile, ...encoder.files].join(" and ");
    throw new InputError(`${names} do not make a model: ${messageOf(error)}`, { file: directory });
  }
}

/** Every number of a model by name: parameters, then tables. */
export function weightsOf(store: ParameterStore, tables: readonly Table[]): Record<string, NumberArray> {
  const rows = tables.map(
    ({ name, width, values }) => [name, { data: values, shape: [values.length / width, width] }] as const,
  );
  return { ...store.tensors(), ...Object.fromEntries(rows) };
}

/** Fills arrays from a file that must hold all of them, with these shapes. */
function readTensors(path: string, arrays: Readonly<Record<string, NumberArray>>): void {
  withTensors(path, (file) => {
    for (const [name, { data, shape }] of Object.entries(arrays)) {
      assertShape(file, name, shape);
      const numbers = file.read(name);
      if (!numbers.every(Number.isFinite)) {
        throw new InputError(`tensor "${name}" holds numbers that are infinite or none at all; train the model again`, {
          file: path,
        });
      }
      data.set(numbers);
    }
  });
}

function withTensors(path: string, use: (file: SafetensorsFile) => void): void {
  const file = SafetensorsFile.open(path);
  try {
    use(file);
  } finally {
    file.close();
  }
}

function assertShape(file: SafetensorsFile, name: string, shape: readonly number[]): void {
  const found = file.shape(name);
  if (found.join() === shape.join()) return;
  throw new InputError(`tensor "${name}" must have shape [${shape.join(", ")}], got [${found.join(", ")}]`, {
    file: file.path,
  });
}

/** What a model directory says of its model, without the weights. */
export async function readConfig(directory: string): Promise<ModelConfig> {
  const file = join(directory, configFile);
  if (!existsSync(file)) throw new InputError("no such file; is this a model directory?", { file });
  const json = parseJson(await readTextFile(file), "a model configuration", { file });
  const result = configSchema.safeParse(migrated(json));
  if (result.success) return result.data;
  throw new InputError(firstIssue(result.error), { file });
}

function migrated(json: unknown): unknown {
  if (typeof json !== "object" || json === null || !("model" in json) || "head" in json) return json;
  const { model, ...rest } = json;
  return { ...rest, head: { name: "span", ...(migrateHead(model) as object) } };
}

function firstIssue({ issues }: z.ZodError, within: readonly string[] = []): string {
  const { path, message } = issues[0]!;
  return `not a Lacuna model configuration: ${[...within, ...path].join(".") || "top level"}: ${message}`;
}
