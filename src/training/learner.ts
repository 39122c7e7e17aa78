import type { Table } from "../encoders/index.ts";
import type { Batch } from "../heads/index.ts";
import { type ParameterSpec, ParameterStore, type Parameters, storeSize } from "../nn/index.ts";
import { type Data, gradients, inputsOf, Program, type RuntimeOptions, type Tensor } from "../tensor/index.ts";
import { DivergedError } from "../util/diverged.ts";
import { type Optimiser, squaredNorm } from "./optimiser.ts";
import { RowGradients } from "./row-gradients.ts";
import { type SimdKernels, simdArrays } from "./simd.ts";

/** Learning rate and weight decay of one parameter or table. */
export interface Group {
  readonly rate: number;
  readonly decay: number;
}

export interface LearnerOptions {
  /** Seed of the first values of the parameters. */
  readonly seed: number;
  readonly optimiser: Optimiser;
  /** Settings by parameter or table name. */
  readonly group: (name: string, decays: boolean) => Group;
  /** Largest Euclidean norm of all gradients together; larger ones are scaled down. */
  readonly clip: number;
  readonly runtime?: RuntimeOptions;
}

export interface StepResult {
  readonly loss: number;
  /** Euclidean norm of all gradients, before clipping. */
  readonly norm: number;
  readonly outputs: Readonly<Record<string, Data>>;
}

interface TrainedTable {
  readonly table: Table;
  readonly moments: readonly Float32Array[];
  readonly grads: RowGradients;
}

/**
 * A model that is being trained: one program for loss and gradients, and everything that changes from step to step, in
 * arrays of its own. A step is a pure function of these arrays and the batch.
 */
export class Learner {
  readonly store: ParameterStore;
  readonly moments: readonly ParameterStore[];
  readonly tables: readonly TrainedTable[];
  private readonly grads: ParameterStore;
  private readonly program: Program;
  private readonly options: LearnerOptions;
  private readonly kernels: SimdKernels;
  /** Updates so far. */
  updates = 0;

  private constructor(
    program: Program,
    specs: readonly ParameterSpec[],
    tables: readonly Table[],
    options: LearnerOptions,
  ) {
    this.program = program;
    this.options = options;
    const { moments } = options.optimiser;
    const { arrays, kernels } = simdArrays(storeSize(specs), 2 + moments);
    const [store, grads, ...rest] = arrays.map((array) => new ParameterStore(specs, array));
    this.kernels = kernels;
    this.store = store!.initialise(options.seed);
    this.grads = grads!;
    this.moments = rest;
    this.tables = tables.map((table) => ({
      table,
      moments: Array.from({ length: moments }, () => new Float32Array(table.values.length)),
      grads: new RowGradients(table.width),
    }));
  }

  /** `watched` are further outputs of the graph that a step returns. */
  static async create(
    loss: Tensor,
    params: Parameters,
    tables: readonly Table[],
    options: LearnerOptions,
    watched: Readonly<Record<string, Tensor>> = {},
  ): Promise<Learner> {
    const trained = tables.filter(({ trainable }) => trainable);
    const names = new Set(trained.map(({ name }) => name));
    const inputs = inputsOf(loss).filter(({ name }) => names.has(name));
    const wrt = [...params.tensors(), ...inputs.map(({ tensor }) => tensor)];
    const outputs = gradients(loss, wrt);
    const named = [...params.specs, ...inputs].map(({ name }, i) => [gradientName(name), outputs[i]!] as const);
    const program = await Program.compile({ loss, ...watched, ...Object.fromEntries(named) }, options.runtime);
    return new Learner(program, params.specs, trained, options);
  }

  /** Loss and gradients of one batch, then an update. `scale` is the schedule's factor on all learning rates. */
  async step(batch: Batch, scale: number): Promise<StepResult> {
    const results = await this.program.run(
      { ...this.store.tensors(), ...batch.feeds },
      this.grads.tensors(gradientName("")),
    );
    const loss = (results.loss as Data).data[0]!;
    if (!Number.isFinite(loss)) throw new DivergedError(this.updates + 1, loss);
    let squares = squaredNorm(this.grads.data);
    for (const { table, grads } of this.tables) {
      grads.clear();
      for (const lookup of batch.lookups) {
        if (lookup.table === table) grads.add(lookup.rows, results[gradientName(lookup.input)]!.data as Float32Array);
      }
      squares += squaredNorm(grads.values());
    }
    const norm = Math.sqrt(squares);
    if (!Number.isFinite(norm)) throw new DivergedError(this.updates + 1, norm);
    this.update(scale, norm > this.options.clip ? this.options.clip / norm : 1);
    return { loss, norm, outputs: results };
  }

  async dispose(): Promise<void> {
    await this.program.dispose();
  }

  private update(scale: number, shrink: number): void {
    const { optimiser, group } = this.options;
    const count = ++this.updates;
    const moments = this.moments.map(({ data }) => data);
    for (const { name, start, end, decay: decays } of this.store.slots) {
      const { rate, decay } = group(name, decays);
      optimiser.update({
        params: this.store.data,
        grads: this.grads.data,
        moments,
        start,
        end,
        rate: rate * scale,
        decay,
        scale: shrink,
        count,
        kernels: this.kernels,
      });
    }
    for (const { table, moments: rows, grads } of this.tables) {
      const { rate } = group(table.name, false);
      grads.forEachRow((row, values) => {
        const start = row * table.width;
        const window = (array: Float32Array): Float32Array => array.subarray(start, start + table.width);
        const step = { rate: rate * scale, decay: 0, scale: shrink, count, start: 0, end: table.width };
        optimiser.update({ ...step, params: window(table.values), grads: values, moments: rows.map(window) });
      });
    }
  }
}

function gradientName(name: string): string {
  return `gradient of ${name}`;
}
