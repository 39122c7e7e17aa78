import { InputError, quote, unknownName } from "../../util/errors.ts";
import { FileBytes } from "../../util/file-bytes.ts";
import { readArchive } from "./archive.ts";
import { readLegacy } from "./legacy.ts";
import type { Pickled } from "./pickle-machine.ts";
import type { Loaded } from "./storages.ts";
import { tensorNumbers } from "./tensor-numbers.ts";
import { isTensor, type StoredTensor } from "./tensors.ts";

/** Under one of these a training script keeps the weights beside other things. */
const wrappers = ["state_dict", "model_state_dict", "model"] as const;

/** An open file of `torch.save`, in the format of zip archives or in the one before it. Tensors are read when asked for. */
export class PyTorchFile {
  /** What was saved, tensors as views of storages. */
  readonly value: Pickled;
  private readonly file: FileBytes;
  private readonly loaded: Loaded;
  private readonly tensors: ReadonlyMap<string, StoredTensor>;

  private constructor(file: FileBytes, loaded: Loaded) {
    this.file = file;
    this.loaded = loaded;
    this.value = loaded.value;
    this.tensors = namedTensors(loaded.value);
  }

  static open(path: string): PyTorchFile {
    const file = FileBytes.open(path);
    try {
      return new PyTorchFile(file, isArchive(file) ? readArchive(file) : readLegacy(file));
    } catch (error) {
      file.close();
      throw error;
    }
  }

  get path(): string {
    return this.file.path;
  }

  /** In bytes. */
  get size(): number {
    return this.file.size;
  }

  get names(): string[] {
    return [...this.tensors.keys()];
  }

  shape(name: string): readonly number[] {
    return this.tensor(name).shape;
  }

  /** The type of its numbers, as safetensors calls it. */
  type(name: string): string {
    return this.tensor(name).type;
  }

  /** The numbers of a tensor as float32. */
  read(name: string): Float32Array {
    const tensor = this.tensor(name);
    return tensorNumbers(tensor, (start, end) => this.loaded.bytes(tensor.storage, start, end));
  }

  close(): void {
    this.file.close();
  }

  private tensor(name: string): StoredTensor {
    const found = this.tensors.get(name);
    if (found) return found;
    throw new InputError(`no tensor ${unknownName(name, this.names.slice(0, 20).map(quote))}`, { file: this.path });
  }
}

function isArchive(file: FileBytes): boolean {
  return file.size >= 4 && Buffer.from(file.slice(0, 4)).toString("latin1") === "PK\x03\x04";
}

/** The tensors of a state dictionary, which may stand in the value of a larger one. */
function namedTensors(value: Pickled): Map<string, StoredTensor> {
  const own = tensorsIn(value);
  if (own.size > 0 || !(value instanceof Map)) return own;
  for (const name of wrappers) {
    const found = tensorsIn(value.get(name) as Pickled);
    if (found.size > 0) return found;
  }
  return own;
}

function tensorsIn(value: Pickled): Map<string, StoredTensor> {
  const found = new Map<string, StoredTensor>();
  if (!(value instanceof Map)) return found;
  for (const [name, tensor] of value as Map<Pickled, Pickled>)
    if (typeof name === "string" && isTensor(tensor)) found.set(name, tensor);
  return found;
}
