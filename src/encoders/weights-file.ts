import { SafetensorsFile } from "../util/safetensors.ts";
import { PyTorchFile } from "./pytorch/index.ts";

/** An open file of named tensors, whichever its format. */
export interface WeightsFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly names: string[];
  shape(name: string): readonly number[];
  /** The type of its numbers, as safetensors calls it. */
  type(name: string): string;
  /** The numbers of a tensor as float32. */
  read(name: string): Float32Array;
  close(): void;
}

function openWeights(path: string): WeightsFile {
  return path.endsWith(".safetensors") ? SafetensorsFile.open(path) : PyTorchFile.open(path);
}

/** Opens a file of weights for as long as it is used. */
export function withWeights<T>(path: string, use: (file: WeightsFile) => T): T {
  const file = openWeights(path);
  try {
    return use(file);
  } finally {
    file.close();
  }
}
