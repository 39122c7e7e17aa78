import { InputError, quote } from "../../util/errors.ts";
import type { NumberArray } from "../../util/safetensors.ts";
import { type Pickled, PickledRecord, PyTorchFile } from "../pytorch/index.ts";
import { readAll } from "./checkpoint.ts";
import { parametersIn, writeModel } from "./files.ts";
import type { CharacterModelReport, ImportOptions } from "./options.ts";

/** One direction of a character language model as Flair saves it. */
interface Direction {
  readonly path: string;
  readonly forward: boolean;
  readonly characters: readonly string[];
  readonly embedding: number;
  readonly hidden: number;
  readonly layers: number;
  readonly start: string;
  readonly tensors: Readonly<Record<string, NumberArray>>;
}

const mostLayers = 16;

/** Whether a file of PyTorch holds a language model with its characters. */
export function isCharacterModel(path: string): boolean {
  if (path.endsWith(".safetensors")) return false;
  const file = PyTorchFile.open(path);
  file.close();
  return file.value instanceof Map && file.value.has("dictionary") && file.value.has("is_forward_lm");
}

/** Joins the two directions, in any order, into one directory: `forward.*` and `backward.*` beside their alphabet. */
export async function importCharacterModel(
  path: string,
  out: string,
  { with: other, float16 = false }: ImportOptions,
): Promise<CharacterModelReport> {
  const first = readDirection(path);
  const name = (forward: boolean): string => (forward ? "forward" : "backward");
  if (other === undefined) {
    const rule = `is the ${name(first.forward)} half of a character language model`;
    throw new InputError(`${rule}; give the ${name(!first.forward)} one with --with`, { file: path });
  }
  const second = readDirection(other);
  if (first.forward === second.forward) {
    throw new InputError(`reads ${name(second.forward)} like ${path}; the other direction is needed`, { file: other });
  }
  const [forward, backward] = first.forward ? [first, second] : [second, first];
  checkSame(forward, backward);
  const { characters, embedding, hidden, layers, start } = forward;
  const unknown = Math.max(0, characters.indexOf("<unk>"));
  const numbers = { embedding_size: embedding, hidden_size: hidden, layers, unknown };
  const markers = { document_start: start, end: " " };
  const config = JSON.stringify({ model_type: "flair-char-lm", characters, ...numbers, ...markers });
  const tensors = Object.fromEntries(
    [forward, backward].flatMap((each) =>
      Object.entries(each.tensors).map(([part, tensor]) => [`${name(each.forward)}.${part}`, tensor]),
    ),
  );
  await writeModel(out, { config, tensors }, float16);
  return {
    kind: "characters",
    ...{ forward: forward.path, backward: backward.path, characters: characters.length, hidden, layers },
    parameters: parametersIn(tensors),
  };
}

function readDirection(path: string): Direction {
  const file = PyTorchFile.open(path);
  try {
    return directionOf(file);
  } finally {
    file.close();
  }
}

function directionOf(file: PyTorchFile): Direction {
  const fail = (message: string): never => {
    throw new InputError(`character language model: ${message}`, { file: file.path });
  };
  const { value } = file;
  const field = (name: string): Pickled | undefined =>
    value instanceof Map ? (value.get(name) as Pickled | undefined) : undefined;
  const size = (name: string, most: number): number => {
    const found = field(name);
    const fits = Number.isInteger(found) && (found as number) >= 1 && (found as number) <= most;
    return fits ? (found as number) : fail(`${name} must be a whole number from 1 to ${most}`);
  };
  const forward = field("is_forward_lm");
  if (typeof forward !== "boolean") return fail("is_forward_lm must say in which direction it reads");
  const kind = field("recurrent_type") ?? "LSTM";
  if (kind !== "LSTM") fail(`only LSTMs are supported, got ${quote(String(kind))}`);
  if (file.names.some((name) => name.startsWith("proj."))) fail("a projection of its states (nout) is not supported");
  const [embedding, hidden] = [size("embedding_size", 1 << 16), size("hidden_size", 1 << 16)];
  const layers = size("nlayers", mostLayers);
  const characters = charactersOf(field("dictionary"), fail);
  const delimiter = field("document_delimiter");
  const shapes = shapesOf(characters.length, embedding, hidden, layers);
  for (const [name, shape] of Object.entries(shapes)) {
    if (!file.names.includes(name)) fail(`no tensor ${quote(name)}`);
    const found = file.shape(name);
    if (found.join() !== shape.join()) fail(`tensor ${name} must have shape ${quote(shape)}, got ${quote(found)}`);
  }
  const tensors = readAll(file, new Map(Object.keys(shapes).map((name) => [name, name])));
  const start = typeof delimiter === "string" ? delimiter : "\n";
  return { path: file.path, forward, characters, embedding, hidden, layers, start, tensors };
}

function shapesOf(characters: number, embedding: number, hidden: number, layers: number): Record<string, number[]> {
  const shapes: Record<string, number[]> = { "encoder.weight": [characters, embedding] };
  for (let layer = 0; layer < layers; layer++) {
    shapes[`rnn.weight_ih_l${layer}`] = [4 * hidden, layer === 0 ? embedding : hidden];
    shapes[`rnn.weight_hh_l${layer}`] = [4 * hidden, hidden];
    shapes[`rnn.bias_ih_l${layer}`] = [4 * hidden];
    shapes[`rnn.bias_hh_l${layer}`] = [4 * hidden];
  }
  return shapes;
}

/** Characters by their number; Flair keeps them as bytes of UTF-8. */
function charactersOf(dictionary: Pickled | undefined, fail: (message: string) => never): string[] {
  const items = dictionary instanceof PickledRecord ? dictionary.state.get("item2idx") : undefined;
  if (!(items instanceof Map)) return fail("its dictionary must hold item2idx");
  const characters = new Array<string>(items.size);
  for (const [item, number] of items as Map<Pickled, Pickled>) {
    const text = item instanceof Uint8Array ? Buffer.from(item).toString("utf8") : item;
    const fits = Number.isInteger(number) && (number as number) >= 0 && (number as number) < items.size;
    if (typeof text !== "string" || !fits) return fail("its dictionary must number characters from 0");
    characters[number as number] = text;
  }
  return Object.keys(characters).length === items.size ? characters : fail("its dictionary must number each character");
}

/** Both directions are read with one alphabet and one width. */
function checkSame(forward: Direction, backward: Direction): void {
  for (const part of ["characters", "embedding", "hidden", "layers", "start"] as const) {
    if (JSON.stringify(forward[part]) === JSON.stringify(backward[part])) continue;
    throw new InputError(`its ${part} must be those of ${forward.path}`, { file: backward.path });
  }
}
