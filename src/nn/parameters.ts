import { input, type Shape, type Tensor } from "../tensor/index.ts";
import { random } from "../util/random.ts";
import type { Initialiser } from "./initialise.ts";

export interface ParameterSpec {
  readonly name: string;
  readonly shape: readonly number[];
  readonly initialise: Initialiser;
  /** Weight decay applies to it; biases and norms go without. */
  readonly decay: boolean;
}

/**
 * The parameters that a model declares while its graph is built. Declaring a name twice gives the same tensor, so the
 * graphs for training and for prediction share their weights by name.
 */
export class Parameters {
  private readonly declared = new Map<string, { spec: ParameterSpec; tensor: Tensor }>();

  declare(name: string, shape: readonly number[], initialise: Initialiser, { decay = shape.length > 1 } = {}): Tensor {
    const known = this.declared.get(name);
    if (known) {
      if (known.spec.shape.join() !== shape.join()) {
        throw new TypeError(
          `parameters: "${name}" was declared as [${known.spec.shape.join(", ")}], now as [${shape.join(", ")}]`,
        );
      }
      return known.tensor;
    }
    const tensor = input(name, "float32", shape as Shape);
    this.declared.set(name, { spec: { name, shape, initialise, decay }, tensor });
    return tensor;
  }

  get specs(): ParameterSpec[] {
    return [...this.declared.values()].map(({ spec }) => spec);
  }

  tensors(): Tensor[] {
    return [...this.declared.values()].map(({ tensor }) => tensor);
  }
}

/** Where a parameter lies in the one array that holds them all. */
export interface Slot extends ParameterSpec {
  readonly start: number;
  readonly end: number;
}

/**
 * The values of all parameters (or gradients, or moments) in one array, with a view for each. Every parameter starts at
 * a multiple of four numbers, so that it can be worked on four at a time; the gaps hold zeros.
 */
export class ParameterStore {
  readonly slots: readonly Slot[];
  readonly data: Float32Array;

  constructor(specs: readonly ParameterSpec[], data?: Float32Array) {
    let start = 0;
    this.slots = specs.map((spec) => {
      const slot = { ...spec, start, end: start + spec.shape.reduce((a, b) => a * b, 1) };
      start = 4 * Math.ceil(slot.end / 4);
      return slot;
    });
    this.data = data ?? new Float32Array(start);
    if (this.data.length !== start) throw new RangeError(`parameters: need ${start} numbers, got ${this.data.length}`);
  }

  /** Fills every parameter from its own key, so that adding one does not change the others. */
  initialise(seed: number): this {
    for (const slot of this.slots) slot.initialise(this.view(slot), slot.shape, random(seed, "initialise", slot.name));
    return this;
  }

  view({ start, end }: Slot): Float32Array {
    return this.data.subarray(start, end);
  }

  get(name: string): Float32Array {
    const slot = this.slots.find((each) => each.name === name);
    if (!slot) throw new RangeError(`parameters: no parameter "${name}"`);
    return this.view(slot);
  }

  /** Feeds or targets for a program, keyed by parameter name with an optional prefix. */
  tensors(prefix = ""): Record<string, { data: Float32Array; shape: readonly number[] }> {
    return Object.fromEntries(
      this.slots.map((slot) => [prefix + slot.name, { data: this.view(slot), shape: slot.shape }]),
    );
  }

  /** An array of the same layout, for gradients or moments. */
  like(): ParameterStore {
    return new ParameterStore(this.slots);
  }
}

/** How many numbers a store of these parameters holds. */
export function storeSize(specs: readonly ParameterSpec[]): number {
  return new ParameterStore(specs).data.length;
}
