import { engine } from "./engine.ts";

/**
 * What others use of ONNX Runtime, in types of our own: whoever uses this package would need the runtime's types, and
 * those of browsers for them, if ours named them.
 */
export interface RuntimeModule {
  readonly InferenceSession: {
    create(model: Uint8Array, options?: Readonly<Record<string, unknown>>): Promise<RuntimeSession>;
  };
  readonly Tensor: new (type: string, data: ArrayLike<number | bigint>, dims: readonly number[]) => unknown;
}

export interface RuntimeSession {
  run(feeds: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, { readonly data: unknown }>>>;
  release(): Promise<void>;
}

export function onnxRuntime(): RuntimeModule {
  return engine() as unknown as RuntimeModule;
}
