import type * as ort from "onnxruntime-node";
import { InputError, messageOf, unknownName } from "../../util/errors.ts";
import { type Bindings, evaluate, formatShape, sameShape } from "../dims.ts";
import { type GraphInput, toOnnx } from "../onnx.ts";
import type { DType, Tensor as GraphTensor } from "../types.ts";
import { elements } from "../value.ts";
import { engine } from "./engine.ts";

export type TypedArray = Float32Array | Uint16Array | Int32Array | Uint8Array;

/** Numbers with their shape; bool is a byte each, half precision its bits. */
export interface Data<A extends TypedArray = TypedArray> {
  readonly data: A;
  readonly shape: readonly number[];
}

export type Device = "cpu" | "webgpu" | "cuda" | "coreml";

export interface RuntimeOptions {
  readonly device?: Device;
  /** Threads within an op; the number of cores when not given. Results do not depend on it. */
  readonly threads?: number;
  /** ONNX Runtime's own warnings on stderr. */
  readonly warnings?: boolean;
  /** Writes a trace of every node's time to files with this prefix. */
  readonly profile?: string;
}

const arrays: Readonly<Record<DType, new (size: number) => TypedArray>> = {
  float32: Float32Array,
  float16: Uint16Array,
  int32: Int32Array,
  bool: Uint8Array,
};

/** A compiled graph: made once, run for any batch and length. */
export class Program {
  readonly inputs: readonly GraphInput[];
  private readonly session: ort.InferenceSession;
  private readonly outputs: Readonly<Record<string, GraphTensor>>;
  private disposed = false;

  private constructor(
    session: ort.InferenceSession,
    inputs: readonly GraphInput[],
    outputs: Readonly<Record<string, GraphTensor>>,
  ) {
    this.session = session;
    this.inputs = inputs;
    this.outputs = outputs;
  }

  static async compile(outputs: Readonly<Record<string, GraphTensor>>, options: RuntimeOptions = {}): Promise<Program> {
    const { bytes, inputs } = toOnnx(outputs);
    const session = await engine()
      .InferenceSession.create(bytes, sessionOptions(options))
      .catch((error) => {
        const { device = "cpu" } = options;
        if (device === "cpu") throw error;
        throw new InputError(`device: "${device}" cannot be used here: ${messageOf(error).trim().split(": ").at(-1)}`);
      });
    return new Program(session, inputs, outputs);
  }

  /**
   * Runs the graph. An output named in `into` is written into that array, which may hold parameters, gradients or
   * moments that the caller owns; the others come back in new arrays.
   */
  async run(
    feeds: Readonly<Record<string, Data>>,
    into: Readonly<Record<string, Data<Float32Array>>> = {},
  ): Promise<Record<string, Data>> {
    if (this.disposed) throw new Error("model: used after dispose(); load it again");
    this.checkTargets(into, this.check(feeds));
    const { Tensor } = engine();
    const inputs: Record<string, ort.Tensor> = {};
    for (const { name, dtype } of this.inputs) inputs[name] = new Tensor(dtype, feeds[name]!.data, feeds[name]!.shape);
    const fetches: Record<string, ort.Tensor | null> = {};
    for (const name of Object.keys(this.outputs)) {
      const target = into[name];
      fetches[name] = target ? new Tensor("float32", target.data, target.shape) : null;
    }
    const results = await this.session.run(inputs, fetches);
    return Object.fromEntries(
      Object.keys(this.outputs).map((name) => [
        name,
        { data: results[name]!.data as TypedArray, shape: results[name]!.dims },
      ]),
    );
  }

  async dispose(): Promise<void> {
    if (this.disposed) return;
    this.disposed = true;
    await this.session.release();
  }

  /** Checks what is fed, and returns the sizes of the named dimensions. */
  private check(feeds: Readonly<Record<string, Data>>): Bindings {
    const bound = new Map<string, number>();
    for (const { name, dtype, shape } of this.inputs) {
      const feed = feeds[name];
      if (!feed) throw new TypeError(`run: no value for input "${name}" of shape ${formatShape(shape)}`);
      const fits =
        feed.shape.length === shape.length &&
        shape.every((dim, axis) => {
          const size = feed.shape[axis]!;
          const expected = typeof dim === "number" ? dim : namesOnce(bound, dim, size);
          return expected === size;
        });
      if (!fits) {
        const known = [...bound].map(([dim, size]) => `${dim} = ${size}`).join(", ");
        throw new TypeError(
          `run: input "${name}" must have shape ${formatShape(shape)}${known && ` with ${known}`}, got ${formatShape(feed.shape)}`,
        );
      }
      if (!(feed.data instanceof arrays[dtype]) || feed.data.length !== elements(feed.shape)) {
        throw new TypeError(
          `run: input "${name}" must be a ${arrays[dtype].name} of ${elements(feed.shape)} numbers, got ${feed.data.constructor.name} of ${feed.data.length}`,
        );
      }
    }
    return bound;
  }

  private checkTargets(into: Readonly<Record<string, Data>>, bound: Bindings): void {
    for (const [name, { data, shape }] of Object.entries(into)) {
      const output = this.outputs[name];
      if (!output) throw new TypeError(`run: no output ${unknownName(name, Object.keys(this.outputs))}`);
      const expected = output.shape.map((dim) => evaluate(dim, bound));
      if (output.dtype !== "float32" || !sameShape(expected, shape) || data.length !== elements(shape)) {
        const [wanted, given] = [formatShape(expected), formatShape(shape)];
        throw new TypeError(
          `run: output "${name}" is ${output.dtype} ${wanted}, its target is ${given} with ${data.length} numbers`,
        );
      }
    }
  }
}

/** Devices that this build of ONNX Runtime knows. Whether the machine has one shows when a program is compiled for it. */
export function availableDevices(): Device[] {
  const names = engine()
    .listSupportedBackends()
    .map(({ name }) => name);
  return (["cpu", "webgpu", "cuda", "coreml"] as const).filter((device) => names.includes(device));
}

/** The size a name is bound to; only plain names bind, sums and products are for the graph to check. */
function namesOnce(bound: Map<string, number>, dim: string, size: number): number {
  if (/[+*]/.test(dim)) return size;
  if (!bound.has(dim)) bound.set(dim, size);
  return bound.get(dim)!;
}

function sessionOptions({
  device = "cpu",
  threads,
  warnings = false,
  profile,
}: RuntimeOptions): ort.InferenceSession.SessionOptions {
  const available = availableDevices();
  if (!available.includes(device)) {
    throw new InputError(`device: "${device}" is not available here (available: ${available.join(", ")})`);
  }
  if (threads !== undefined && (!Number.isInteger(threads) || threads < 1)) {
    throw new TypeError(`threads: must be a whole number of at least 1, got ${threads}`);
  }
  return {
    executionProviders: device === "cpu" ? ["cpu"] : [device, "cpu"],
    graphOptimizationLevel: "all",
    logSeverityLevel: warnings ? 2 : 3,
    // Shapes change from batch to batch, so a remembered memory plan is rarely the right one.
    enableMemPattern: false,
    extra: { session: { set_denormal_as_zero: "1" } },
    ...(threads !== undefined && { intraOpNumThreads: threads }),
    ...(profile !== undefined && { enableProfiling: true, profileFilePrefix: profile }),
  };
}
