import type { OnnxNode, OnnxTensor, OnnxValue } from "../tensor/index.ts";

/** The numbers of element types in ONNX files. */
export const onnxTypes = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7, float16: 10 } as const;

export function floats(name: string, data: Float32Array, dims: readonly number[]): OnnxTensor {
  return { name, dims, dataType: onnxTypes.float32, rawData: bytesOf(data) };
}

export function int64s(name: string, values: readonly number[], dims: readonly number[] = [values.length]): OnnxTensor {
  return { name, dims, dataType: onnxTypes.int64, rawData: bytesOf(BigInt64Array.from(values, BigInt)) };
}

/** The bytes of an array, not copied. */
export function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

export function node(
  opType: string,
  input: readonly string[],
  output: readonly string[],
  numbers: Readonly<Record<string, number | readonly number[]>> = {},
): OnnxNode {
  const attribute = Object.entries(numbers).map(([name, value]) =>
    typeof value === "number" ? { name, type: 2, i: value } : { name, type: 7, ints: value },
  );
  return { opType, input, output, attribute };
}

export function cast(from: string, to: string, type: keyof typeof onnxTypes): OnnxNode {
  return node("Cast", [from], [to], { to: onnxTypes[type] });
}

/** An input or output of a graph; named dimensions are strings. */
export function value(name: string, type: keyof typeof onnxTypes, dims: readonly (number | string)[]): OnnxValue {
  const dim = dims.map((each) => (typeof each === "number" ? { dimValue: each } : { dimParam: each }));
  return { name, type: { tensorType: { elemType: onnxTypes[type], shape: { dim } } } };
}

/** The dimensions of an input or output. */
export function dimsOf({ type }: OnnxValue): (number | string)[] {
  return type.tensorType.shape.dim.map((dim) => {
    const { dimValue, dimParam } = dim as { readonly dimValue?: number; readonly dimParam?: string };
    return dimParam ?? dimValue!;
  });
}
