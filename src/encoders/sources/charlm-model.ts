import { join } from "node:path";
import { z } from "zod";
import { InputError } from "../../util/errors.ts";
import { parseJson } from "../../util/json.ts";
import { readTextFile } from "../../util/regular-file.ts";
import { SafetensorsFile } from "../../util/safetensors.ts";
import type { PartFiles } from "../features/part-files.ts";
import { findDirectory } from "../pretrained.ts";

/** Two language models over characters, one reading forward and one backward. */
export interface CharlmModel {
  readonly config: CharlmConfig;
  readonly forward: CharacterLstm;
  readonly backward: CharacterLstm;
}

/** Far beyond any such model; a number above it is a broken or hostile file. */
export const largestWidth = 1 << 16;

const configSchema = z.object({
  model_type: z.literal("flair-char-lm"),
  /** By number. */
  characters: z.array(z.string()).min(1),
  embedding_size: z.int().min(1).max(largestWidth),
  hidden_size: z.int().min(1).max(largestWidth),
  layers: z.literal(1),
  /** The number of characters that are not known. */
  unknown: z.int().min(0),
  /** What stands before and behind a text. */
  document_start: z.string(),
  end: z.string(),
});
export type CharlmConfig = z.output<typeof configSchema>;

/** An LSTM over characters, with gates in the order input, forget, candidate, output. */
export interface CharacterLstm {
  /** What each character adds to the gates, with the biases: `[characters, 4 * hidden]`. */
  readonly gates: Float32Array;
  /** `[hidden, 4 * hidden]` */
  readonly recurrent: Float32Array;
}

export async function findCharlm(nameOrDirectory: string): Promise<PartFiles> {
  const directory = await findDirectory(nameOrDirectory);
  return { directory, files: [join(directory, "config.json"), join(directory, "model.safetensors")] };
}

export async function readCharlmConfig(nameOrDirectory: string): Promise<CharlmConfig> {
  const [file] = (await findCharlm(nameOrDirectory)).files as [string, string];
  const what = "the config.json of a character language model";
  const result = configSchema.safeParse(parseJson(await readTextFile(file), what, { file }));
  if (!result.success) {
    const { path, message } = result.error.issues[0]!;
    throw new InputError(`character language model: ${path.join(".") || "config"}: ${message}`, { file });
  }
  if (result.data.unknown >= result.data.characters.length)
    throw new InputError(`character language model: unknown: must be one of ${result.data.characters.length} numbers`, {
      file,
    });
  return result.data;
}

export async function readCharlm(nameOrDirectory: string): Promise<CharlmModel> {
  const config = await readCharlmConfig(nameOrDirectory);
  const [, weights] = (await findCharlm(nameOrDirectory)).files as [string, string];
  const file = SafetensorsFile.open(weights);
  try {
    return { config, forward: readLstm(file, "forward", config), backward: readLstm(file, "backward", config) };
  } finally {
    file.close();
  }
}

function readLstm(
  file: SafetensorsFile,
  direction: string,
  { characters: { length: count }, embedding_size: width, hidden_size: hidden }: CharlmConfig,
): CharacterLstm {
  const read = (part: string, shape: readonly number[]): Float32Array => {
    const name = `${direction}.${part}`;
    const found = file.shape(name);
    if (found.join() === shape.join()) return file.read(name);
    throw new InputError(
      `character language model: tensor "${name}" must have shape [${shape.join(", ")}], got [${found.join(", ")}]`,
      { file: file.path },
    );
  };
  const embedding = read("encoder.weight", [count, width]);
  const entry = read("rnn.weight_ih_l0", [4 * hidden, width]);
  const again = read("rnn.weight_hh_l0", [4 * hidden, hidden]);
  const [one, two] = [read("rnn.bias_ih_l0", [4 * hidden]), read("rnn.bias_hh_l0", [4 * hidden])];
  const gates = new Float32Array(count * 4 * hidden);
  for (let c = 0; c < count; c++) {
    for (let g = 0; g < 4 * hidden; g++) {
      let sum = one[g]! + two[g]!;
      for (let k = 0; k < width; k++) sum += embedding[c * width + k]! * entry[g * width + k]!;
      gates[c * 4 * hidden + g] = sum;
    }
  }
  const recurrent = new Float32Array(again.length);
  for (let g = 0; g < 4 * hidden; g++)
    for (let k = 0; k < hidden; k++) recurrent[k * 4 * hidden + g] = again[g * hidden + k]!;
  return { gates, recurrent };
}
