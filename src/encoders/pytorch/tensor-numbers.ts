import { numberTypes } from "../../util/number-types.ts";
import { countOf, type StoredTensor } from "./tensors.ts";

/** The numbers of a tensor as float32, when its storage begins at `start` of the bytes that `read` gives. */
export function tensorNumbers(
  { type, offset, shape, strides }: StoredTensor,
  read: (start: number, end: number) => Uint8Array,
): Float32Array {
  const { size, floats } = numberTypes[type];
  const count = countOf(shape);
  if (count === 0) return new Float32Array();
  const span = 1 + shape.reduce((sum, length, i) => sum + (length - 1) * strides[i]!, 0);
  const bytes = read(offset * size, (offset + span) * size);
  // Numbers of several bytes must begin where a buffer does.
  const numbers = floats(
    bytes.byteOffset === 0 && bytes.buffer.byteLength === bytes.length
      ? (bytes.buffer as ArrayBuffer)
      : bytes.slice().buffer,
  );
  return isPlain(shape, strides) ? numbers : gathered(numbers, count, shape, strides);
}

/** Row after row, without gaps. */
function isPlain(shape: readonly number[], strides: readonly number[]): boolean {
  let expected = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    if (shape[axis] !== 1 && strides[axis] !== expected) return false;
    expected *= shape[axis]!;
  }
  return true;
}

function gathered(
  numbers: Float32Array,
  count: number,
  shape: readonly number[],
  strides: readonly number[],
): Float32Array {
  const result = new Float32Array(count);
  const index = new Array<number>(shape.length).fill(0);
  let at = 0;
  for (let i = 0; i < count; i++) {
    result[i] = numbers[at]!;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      at += strides[axis]!;
      if (++index[axis]! < shape[axis]!) break;
      at -= index[axis]! * strides[axis]!;
      index[axis] = 0;
    }
  }
  return result;
}
