import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { restoreEncoder, type Table } from "../encoders/index.ts";
import { ParameterStore } from "../nn/index.ts";
import { writeTextAtomically } from "../util/atomic.ts";
import { InputError, messageOf } from "../util/errors.ts";
import { type NumberArray, SafetensorsFile, writeSafetensors } from "../util/safetensors.ts";
import { type SpanModel, spanModel } from "./span-model.ts";

const formatVersion = 1;

const configSchema = z.object({
  format: z.literal("lacuna-model"),
  version: z.literal(formatVersion),
  types: z.array(z.string()).min(1),
  encoder: z.object({ name: z.string(), settings: z.record(z.string(), z.unknown()), files: z.array(z.string()) }),
  model: z.object({
    scorer: z.enum(["product", "width"]),
    hidden: z.int(),
    dropout: z.number(),
    maxWidth: z.int().min(1),
  }),
  /** The complete settings of the run that made the model. */
  training: z.record(z.string(), z.unknown()),
  /** What else is known of the run: seed, data and their hashes, scores. */
  provenance: z.record(z.string(), z.unknown()),
});
export type ModelConfig = z.output<typeof configSchema>;

/** A model with its weights. */
export interface LoadedModel {
  readonly model: SpanModel;
  readonly store: ParameterStore;
  readonly config: ModelConfig;
}

const weightsFile = "model.safetensors";
const configFile = "config.json";

/** Writes a model directory: configuration, weights, the encoder's files and a card. Each file appears whole. */
export async function saveModel(
  directory: string,
  model: SpanModel,
  store: ParameterStore,
  { training, provenance, card }: { readonly training: object; readonly provenance: object; readonly card: string },
): Promise<void> {
  await mkdir(directory, { recursive: true });
  const { encoder, types, settings } = model;
  const files = encoder.files();
  for (const [name, text] of Object.entries(files)) await writeTextAtomically(join(directory, name), text);
  await writeSafetensors(join(directory, weightsFile), weightsOf(store, encoder.tables));
  const config = {
    format: "lacuna-model",
    version: formatVersion,
    types,
    encoder: { name: encoder.name, settings: encoder.settings, files: Object.keys(files) },
    model: settings,
    training,
    provenance,
  };
  await writeTextAtomically(join(directory, "README.md"), card);
  await writeTextAtomically(join(directory, configFile), `${JSON.stringify(config, null, 2)}\n`);
}

export async function loadModel(directory: string): Promise<LoadedModel> {
  const config = await readConfig(directory);
  const files: Record<string, string> = {};
  for (const name of config.encoder.files) files[name] = await readText(join(directory, name));
  const model = restoreModel(config, files, directory);
  const { encoder } = model;
  const store = new ParameterStore(model.params.specs);
  readWeights(join(directory, weightsFile), store, encoder.tables);
  return { model, store, config };
}

/** Files that were changed by hand or broken can fail anywhere in the making of a model. */
function restoreModel(
  { encoder, types, model }: ModelConfig,
  files: Record<string, string>,
  directory: string,
): SpanModel {
  try {
    return spanModel(restoreEncoder(encoder.name, encoder.settings, files), types, model);
  } catch (error) {
    if (error instanceof InputError) throw error;
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

/** Fills parameters and tables from a file that must hold exactly these, with these shapes. */
export function readWeights(path: string, store: ParameterStore, tables: readonly Table[]): void {
  const file = SafetensorsFile.open(path);
  try {
    for (const [name, { data, shape }] of Object.entries(weightsOf(store, tables))) {
      const found = file.shape(name);
      if (found.join() !== shape.join()) {
        throw new InputError(`tensor "${name}" must have shape [${shape.join(", ")}], got [${found.join(", ")}]`, {
          file: path,
        });
      }
      data.set(file.read(name));
    }
  } finally {
    file.close();
  }
}

async function readConfig(directory: string): Promise<ModelConfig> {
  const file = join(directory, configFile);
  const text = await readText(file);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new InputError(`not a model configuration: ${messageOf(error)}`, { file });
  }
  const result = configSchema.safeParse(json);
  if (result.success) return result.data;
  const { path, message } = result.error.issues[0]!;
  throw new InputError(`not a Lacuna model configuration: ${path.join(".") || "top level"}: ${message}`, { file });
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(
      code === "ENOENT" || code === "ENOTDIR"
        ? "no such file; is this a model directory?"
        : `cannot be read: ${messageOf(error)}`,
      { file },
    );
  }
}
