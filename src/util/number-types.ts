import { brainFloatsToFloats, halvesToFloats } from "./half.ts";

interface NumberType {
  /** Bytes of one number. */
  readonly size: number;
  /** The numbers as float32; the bytes begin where a buffer does. */
  floats(buffer: ArrayBuffer): Float32Array;
}

const whole = (size: number, view: (buffer: ArrayBuffer) => ArrayLike<number> & Iterable<number>): NumberType => ({
  size,
  floats: (buffer) => Float32Array.from(view(buffer)),
});

const long = (view: (buffer: ArrayBuffer) => BigInt64Array | BigUint64Array): NumberType => ({
  size: 8,
  floats: (buffer) => Float32Array.from(view(buffer), Number),
});

/** The types of numbers that can be read, by the names that safetensors gives them. */
export const numberTypes = {
  F64: whole(8, (buffer) => new Float64Array(buffer)),
  F32: { size: 4, floats: (buffer) => new Float32Array(buffer) },
  F16: { size: 2, floats: (buffer) => halvesToFloats(new Uint16Array(buffer)) },
  BF16: { size: 2, floats: (buffer) => brainFloatsToFloats(new Uint16Array(buffer)) },
  I64: long((buffer) => new BigInt64Array(buffer)),
  U64: long((buffer) => new BigUint64Array(buffer)),
  I32: whole(4, (buffer) => new Int32Array(buffer)),
  U32: whole(4, (buffer) => new Uint32Array(buffer)),
  I16: whole(2, (buffer) => new Int16Array(buffer)),
  U16: whole(2, (buffer) => new Uint16Array(buffer)),
  I8: whole(1, (buffer) => new Int8Array(buffer)),
  U8: whole(1, (buffer) => new Uint8Array(buffer)),
  BOOL: whole(1, (buffer) => new Uint8Array(buffer)),
} as const satisfies Readonly<Record<string, NumberType>>;

export type NumberTypeName = keyof typeof numberTypes;

export function isNumberType(name: string): name is NumberTypeName {
  return Object.hasOwn(numberTypes, name);
}
