import { InputError, quote, unknownName } from "./errors.ts";

/** Bytes of each number type of the format; those that `readable` holds can be read as float32. */
const sizes: Readonly<Record<string, number>> = {
  ...{ BOOL: 1, U8: 1, I8: 1, F8_E4M3: 1, F8_E5M2: 1, F8_E8M0: 1 },
  ...{ U16: 2, I16: 2, F16: 2, BF16: 2, U32: 4, I32: 4, F32: 4, U64: 8, I64: 8, F64: 8 },
};

/** A tensor of a file: its numbers stand in the bytes `[start, end)` after the header. */
export interface StoredTensor {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly start: number;
  readonly end: number;
}

export interface Header {
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * Checks a header against the rules of the format: known types, sizes that fit shapes, and tensors that cover the
 * `bytes` after the header without gap or overlap. So no number of the file can send a reader anywhere else.
 */
export function parseHeader(text: Uint8Array, bytes: number, file: string): Header {
  const fail = (message: string): never => {
    throw new InputError(`safetensors: ${message}`, { file });
  };
  const entries = Object.entries(parseObject(text, fail));
  const metadata = entries.filter(([name]) => name === "__metadata__").map(([, value]) => checkMetadata(value, fail));
  const tensors = entries
    .filter(([name]) => name !== "__metadata__")
    .map(([name, value]) => checkTensor(name, value, fail));
  const ordered = tensors.toSorted((a, b) => a.start - b.start || a.end - b.end);
  let at = 0;
  for (const { name, start, end } of ordered) {
    if (start !== at) {
      fail(`tensor ${quote(name)} must begin where the one before it ends, at byte ${at}, got ${start}`);
    }
    at = end;
  }
  if (at !== bytes) fail(`the header describes ${at} bytes of numbers, the file holds ${bytes}`);
  return { tensors: new Map(tensors.map((tensor) => [tensor.name, tensor])), metadata: metadata[0] ?? {} };
}

type Fail = (message: string) => never;

function parseObject(text: Uint8Array, fail: Fail): object {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text));
    if (isObject(parsed)) return parsed;
  } catch {
    // Reported below, with what is an array or a number.
  }
  return fail("the header must be a JSON object");
}

function checkMetadata(value: unknown, fail: Fail): Record<string, string> {
  if (!isObject(value)) return fail(`__metadata__ must be an object of strings, got ${quote(value)}`);
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== "string") fail(`metadata ${quote(key)} must be a string, got ${quote(text)}`);
  }
  return Object.fromEntries(Object.entries(value));
}

function checkTensor(name: string, value: unknown, fail: Fail): StoredTensor {
  const tensor = `tensor ${quote(name)}`;
  if (!isObject(value)) return fail(`${tensor} must be an object, got ${quote(value)}`);
  const { dtype, shape, data_offsets: offsets } = value as Readonly<Record<string, unknown>>;
  if (typeof dtype !== "string" || !Object.hasOwn(sizes, dtype)) {
    return fail(`${tensor} has the unknown type ${unknownName(String(dtype), Object.keys(sizes))}`);
  }
  if (!isCounts(shape)) return fail(`${tensor} must have a shape of whole numbers, got ${quote(shape)}`);
  if (!isCounts(offsets) || offsets.length !== 2 || offsets[0]! > offsets[1]!) {
    return fail(`${tensor} must have two offsets in rising order, got ${quote(offsets)}`);
  }
  const [start, end] = offsets as [number, number];
  const expected = shape.reduce((product, size) => product * size, sizes[dtype]!);
  if (end - start !== expected) {
    return fail(
      `${tensor} of type ${dtype} and shape ${quote(shape)} takes ${expected} bytes, its offsets hold ${end - start}`,
    );
  }
  return { name, dtype, shape, start, end };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCounts(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((each) => Number.isSafeInteger(each) && each >= 0);
}
