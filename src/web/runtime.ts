/** What is used of ONNX Runtime: `onnxruntime-web` and `onnxruntime-node` both fit. */
export interface OnnxRuntime {
  readonly InferenceSession: {
    create(model: Uint8Array, options?: Readonly<Record<string, unknown>>): Promise<OnnxSession>;
  };
  readonly Tensor: new (type: "float32" | "int32", data: Float32Array | Int32Array, dims: readonly number[]) => unknown;
}

export interface OnnxSession {
  readonly inputNames: readonly string[];
  run(feeds: Readonly<Record<string, never>>): Promise<Readonly<Record<string, OnnxResult>>>;
  release(): Promise<void>;
}

export interface OnnxResult {
  readonly data: unknown;
  readonly dims: readonly number[];
}
