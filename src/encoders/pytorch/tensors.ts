import { type NumberTypeName, numberTypes } from "../../util/number-types.ts";
import { isGlobal, type Pickled, PickledRecord, type PickleGlobal } from "./pickle-machine.ts";

/** A row of numbers of a file, of which tensors are views. */
export class Storage {
  readonly key: string;
  /** Null where the tensor says what its bytes are. */
  readonly type: NumberTypeName | null;
  /** Numbers, or bytes without a type. */
  readonly length: number;

  constructor(key: string, type: NumberTypeName | null, length: number) {
    this.key = key;
    this.type = type;
    this.length = length;
  }

  get bytes(): number {
    return this.length * (this.type ? numberTypes[this.type].size : 1);
  }
}

/** A view of a storage. */
export class StoredTensor {
  readonly storage: Storage;
  readonly type: NumberTypeName;
  /** In numbers, as the strides. */
  readonly offset: number;
  readonly shape: readonly number[];
  readonly strides: readonly number[];

  constructor(
    storage: Storage,
    type: NumberTypeName,
    offset: number,
    shape: readonly number[],
    strides: readonly number[],
  ) {
    this.storage = storage;
    this.type = type;
    this.offset = offset;
    this.shape = shape;
    this.strides = strides;
  }
}

const storageTypes: Readonly<Record<string, NumberTypeName>> = {
  ...{ DoubleStorage: "F64", FloatStorage: "F32", HalfStorage: "F16", BFloat16Storage: "BF16" },
  ...{ LongStorage: "I64", IntStorage: "I32", ShortStorage: "I16", CharStorage: "I8" },
  ...{ ByteStorage: "U8", BoolStorage: "BOOL" },
};
const dataTypes: Readonly<Record<string, NumberTypeName>> = {
  ...{ float64: "F64", float32: "F32", float16: "F16", bfloat16: "BF16", int64: "I64", int32: "I32", int16: "I16" },
  ...{ int8: "I8", uint64: "U64", uint32: "U32", uint16: "U16", uint8: "U8", bool: "BOOL" },
};

interface TypeGlobal extends PickleGlobal {
  readonly type: NumberTypeName | null;
}

type Make = NonNullable<PickleGlobal["make"]>;
type Fail = (message: string) => never;

/** Everything that a file of weights may name. */
export const pytorchGlobals: ReadonlyMap<string, PickleGlobal> = new Map([
  ...Object.entries(storageTypes).map(([name, type]) => typed(`torch.${name}`, type)),
  ...Object.entries(dataTypes).map(([name, type]) => typed(`torch.${name}`, type)),
  typed("torch.storage.UntypedStorage", null),
  ...(["", "_v2"] as const).map((version) => made(`torch._utils._rebuild_tensor${version}`, rebuild)),
  made("torch._utils._rebuild_tensor_v3", (args, fail) => rebuild(args, fail, typeOf(args[6]))),
  made("torch._utils._rebuild_parameter", ([tensor], fail) =>
    isTensor(tensor) ? tensor : fail("a parameter must be a tensor"),
  ),
  made("torch.Size", ([sizes], fail) => (Array.isArray(sizes) ? sizes : fail("a size must be a tuple"))),
  made("collections.OrderedDict", orderedDict),
  // Bytes in protocol 2.
  made("_codecs.encode", ([text, coding], fail) =>
    typeof text === "string" && coding === "latin1"
      ? new Uint8Array(Buffer.from(text, "latin1"))
      : fail("only latin1 text can become bytes"),
  ),
  ...["builtins", "__builtin__"].map((module) =>
    made(`${module}.bytes`, (args, fail) =>
      args.length === 0 ? new Uint8Array() : fail("only empty bytes are called"),
    ),
  ),
  ...["builtins", "__builtin__"].map((module) =>
    made(`${module}.set`, ([items = []], fail) => (Array.isArray(items) ? new Set(items) : fail("a set needs a list"))),
  ),
  // The characters of a language model; its attributes are plain data.
  made("flair.data.Dictionary", () => new PickledRecord("flair.data.Dictionary")),
]);

function typed(name: string, type: NumberTypeName | null): [string, TypeGlobal] {
  return [name, { kind: "global", name, type }];
}

function made(name: string, make: Make): [string, PickleGlobal] {
  return [name, { kind: "global", name, make }];
}

function orderedDict([pairs = []]: readonly Pickled[], fail: Fail): Pickled {
  if (!Array.isArray(pairs)) return fail("an OrderedDict needs a list of pairs");
  return new Map(
    pairs.map((pair: Pickled) =>
      Array.isArray(pair) && pair.length === 2 ? pair : fail("an item must be a pair"),
    ) as [Pickled, Pickled][],
  );
}

export function typeOf(value: Pickled | undefined): NumberTypeName | null | undefined {
  return value !== undefined && isGlobal(value) && "type" in value ? (value as TypeGlobal).type : undefined;
}

export function isTensor(value: Pickled | undefined): value is StoredTensor {
  return value instanceof StoredTensor;
}

/** (storage, offset, size, stride, …), of which nothing may reach beyond the storage. */
function rebuild(args: readonly Pickled[], fail: Fail, asked?: NumberTypeName | null): StoredTensor {
  const [storage, offset, shape, strides] = args;
  if (!(storage instanceof Storage)) return fail("a tensor must have a storage");
  const type = asked ?? storage.type;
  if (!type) return fail("a tensor must have a type of numbers");
  if (!isCount(offset) || !isCounts(shape) || !isCounts(strides) || shape.length !== strides.length) {
    return fail("a tensor must have an offset, a size and a stride of whole numbers");
  }
  const size = countOf(shape);
  const last = size === 0 ? offset : offset + 1 + shape.reduce((sum, length, i) => sum + (length - 1) * strides[i]!, 0);
  const held = Math.floor(storage.bytes / numberTypes[type].size);
  if (!(last <= held)) return fail(`a tensor reaches to number ${last} of a storage of ${held}`);
  if (size > Math.max(held, mostRepeated)) return fail(`a tensor of ${size} numbers repeats a storage of ${held}`);
  // Copies: a pickle may change its lists afterwards.
  return new StoredTensor(storage, type, offset, [...shape], [...strides]);
}

/** A view may repeat numbers, so that its size says nothing of the file's. */
const mostRepeated = 1 << 20;
const mostDimensions = 64;

function isCount(value: Pickled | undefined): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isCounts(value: Pickled | undefined): value is readonly number[] {
  return Array.isArray(value) && value.length <= mostDimensions && value.every(isCount);
}

/** How many numbers a tensor of a shape has. */
export function countOf(shape: readonly number[]): number {
  return shape.includes(0) ? 0 : shape.reduce((a, b) => a * b, 1);
}
