/** A concrete array of the reference implementation: row-major, in float64 whatever the type (true is 1). */
export interface Value {
  readonly shape: readonly number[];
  readonly data: Float64Array;
}

export function value(shape: readonly number[], data: ArrayLike<number> | ((index: number) => number)): Value {
  const size = elements(shape);
  if (typeof data === "function")
    return { shape, data: Float64Array.from({ length: size }, (_, index) => data(index)) };
  if (data.length !== size)
    throw new RangeError(`value: shape [${shape.join(", ")}] holds ${size} numbers, got ${data.length}`);
  return { shape, data: Float64Array.from(data) };
}

export function elements(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** Row-major strides; 0 along axes that are broadcast to `shape`. */
export function strides(of: readonly number[], shape: readonly number[] = of): number[] {
  const result = new Array<number>(shape.length).fill(0);
  let stride = 1;
  for (let axis = of.length - 1; axis >= 0; axis--) {
    if (of[axis] !== 1) result[axis + shape.length - of.length] = stride;
    stride *= of[axis]!;
  }
  return result;
}

/** Calls `visit(output index, offsets)` for every element of `shape`, with the offset into each operand. */
export function walk(
  shape: readonly number[],
  operands: readonly (readonly number[])[],
  visit: (index: number, offsets: readonly number[]) => void,
): void {
  const size = elements(shape);
  const position = new Array<number>(shape.length).fill(0);
  const offsets = new Array<number>(operands.length).fill(0);
  for (let index = 0; index < size; index++) {
    visit(index, offsets);
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      position[axis]!++;
      for (let k = 0; k < operands.length; k++) offsets[k]! += operands[k]![axis]!;
      if (position[axis]! < shape[axis]!) break;
      for (let k = 0; k < operands.length; k++) offsets[k]! -= operands[k]![axis]! * shape[axis]!;
      position[axis] = 0;
    }
  }
}

/** Rows along one axis: calls `visit(start, stride)` for each line of `length` elements `start + i * stride`. */
export function lines(shape: readonly number[], axis: number, visit: (start: number, stride: number) => void): void {
  const length = shape[axis]!;
  const inner = elements(shape.slice(axis + 1));
  const outer = elements(shape.slice(0, axis));
  for (let o = 0; o < outer; o++) for (let i = 0; i < inner; i++) visit(o * length * inner + i, inner);
}
