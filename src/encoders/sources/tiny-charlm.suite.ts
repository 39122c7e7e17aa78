import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gaussian, random } from "../../util/random.ts";
import { type NumberArray, writeSafetensors } from "../../util/safetensors.ts";
import { temporaryFolder } from "../transformer/tiny-models.suite.ts";

/** Two character language models small enough to compute by hand. */
export interface TinyCharlm {
  readonly config: Readonly<Record<string, unknown>> & { readonly characters: readonly string[] };
  readonly tensors: Readonly<Record<string, NumberArray>>;
}

export const tinyHidden = 5;
const embedding = 3;

export function tinyCharlm(seed = 1): TinyCharlm {
  const characters = ["<unk>", " ", "\n", ..."abcdehkmnorstuwyTé😀"];
  const rng = random(seed, "charlm");
  const shapes = {
    "encoder.weight": [characters.length, embedding],
    "rnn.weight_ih_l0": [4 * tinyHidden, embedding],
    "rnn.weight_hh_l0": [4 * tinyHidden, tinyHidden],
    "rnn.bias_ih_l0": [4 * tinyHidden],
    "rnn.bias_hh_l0": [4 * tinyHidden],
  };
  const tensors: Record<string, NumberArray> = {};
  for (const direction of ["forward", "backward"]) {
    for (const [name, shape] of Object.entries(shapes)) {
      const size = shape.reduce((a, b) => a * b);
      tensors[`${direction}.${name}`] = { shape, data: Float32Array.from({ length: size }, () => gaussian(rng)) };
    }
  }
  const config = {
    model_type: "flair-char-lm",
    characters,
    embedding_size: embedding,
    hidden_size: tinyHidden,
    layers: 1,
    unknown: 0,
    document_start: "\n",
    end: " ",
  };
  return { config, tensors };
}

export async function writeCharlm({ config, tensors }: TinyCharlm = tinyCharlm()): Promise<string> {
  const directory = await temporaryFolder();
  await writeFile(join(directory, "config.json"), JSON.stringify(config));
  await writeSafetensors(join(directory, "model.safetensors"), tensors);
  return directory;
}

/** The vectors of words by plain numbers, straight from the description of the method. */
export function plainCharlm({ config, tensors }: TinyCharlm, words: readonly string[]): number[][] {
  const text = words.join(" ");
  const letters = [...text];
  const forward = statesAfter({ config, tensors }, "forward", ["\n", ...letters, " "]);
  const backward = statesAfter({ config, tensors }, "backward", ["\n", ...letters.toReversed(), " "]);
  let before = 0;
  return words.map((word) => {
    const length = [...word].length;
    // Behind the first marker and all characters up to and including the one behind the word.
    const ahead = forward[1 + before + length]!;
    // Backward, the same counted from the end of the text: what stands before the word.
    const behind = backward[1 + letters.length - before]!;
    before += length + 1;
    return [...ahead, ...behind];
  });
}

/** The state after each character. */
function statesAfter({ config, tensors }: TinyCharlm, direction: string, text: readonly string[]): number[][] {
  const at = (name: string, row: number, column = 0): number => {
    const { data, shape } = tensors[`${direction}.${name}`]!;
    return data[row * (shape[1] ?? 1) + column]!;
  };
  const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
  let state = new Array<number>(tinyHidden).fill(0);
  let cell = new Array<number>(tinyHidden).fill(0);
  return text.map((character) => {
    const id = Math.max(0, config.characters.indexOf(character));
    const gate = (number: number, unit: number): number => {
      const row = number * tinyHidden + unit;
      let sum = at("rnn.bias_ih_l0", row) + at("rnn.bias_hh_l0", row);
      for (let k = 0; k < embedding; k++) sum += at("rnn.weight_ih_l0", row, k) * at("encoder.weight", id, k);
      for (let k = 0; k < tinyHidden; k++) sum += at("rnn.weight_hh_l0", row, k) * state[k]!;
      return sum;
    };
    const units = Array.from({ length: tinyHidden }, (_, unit) => unit);
    cell = units.map(
      (unit) => sigmoid(gate(1, unit)) * cell[unit]! + sigmoid(gate(0, unit)) * Math.tanh(gate(2, unit)),
    );
    state = units.map((unit) => sigmoid(gate(3, unit)) * Math.tanh(cell[unit]!));
    return state;
  });
}
