import type { OnnxGraph, OnnxNode, OnnxTensor } from "../../tensor/index.ts";
import { InputError, quote } from "../../util/errors.ts";
import { brainFloatsToFloats, halvesToFloats } from "../../util/half.ts";
import type { NumberArray } from "../../util/safetensors.ts";
import { transposed } from "../transformer/weights.ts";

/** The suffixes by which ONNX Runtime's quantiser names what it makes of a weight. */
const suffixes = { numbers: "_quantized", scale: "_scale", zero: "_zero_point" } as const;

/** Nodes that may stand between a stored tensor and the one who reads it; a longer way is none of a weight. */
const longestWay = 8;

/** The tensors of a graph that do not depend on its inputs, as float32. */
export class OnnxConstants {
  private readonly stored: ReadonlyMap<string, OnnxTensor>;
  private readonly makers: ReadonlyMap<string, OnnxNode>;
  private readonly file: string;

  constructor({ initializer, node }: OnnxGraph, file: string) {
    const written = node.flatMap(({ opType, output, attribute }): [string, OnnxTensor][] => {
      const value = opType === "Constant" ? attribute.find(({ name }) => name === "value")?.t : undefined;
      return value && output[0] !== undefined ? [[output[0], value]] : [];
    });
    this.stored = new Map([...initializer.map((tensor) => [tensor.name, tensor] as const), ...written]);
    this.makers = new Map(node.flatMap((each) => each.output.map((name) => [name, each] as const)));
    this.file = file;
  }

  get names(): Iterable<string> {
    return this.stored.keys();
  }

  shape(name: string): readonly number[] | undefined {
    return this.stored.get(name)?.dims;
  }

  maker(name: string): OnnxNode | undefined {
    return this.makers.get(name);
  }

  /** Floats, or quantised numbers with their scale taken off; undefined for all others, such as shapes. */
  numbers(name: string, way = 0): NumberArray | undefined {
    const tensor = this.stored.get(name);
    if (tensor && floatTypes.has(tensor.dataType)) return { data: elementsOf(tensor, this.file), shape: tensor.dims };
    const base = originalName(name);
    const [scale, zero] = [base + suffixes.scale, base + suffixes.zero];
    if (base !== name && this.stored.has(scale) && this.stored.has(zero)) return this.dequantised(name, scale, zero);
    return tensor || way === longestWay ? undefined : this.made(name, way + 1);
  }

  /** (number − zero point) · scale, with one scale for the whole tensor or one for each place along an axis. */
  dequantised(name: string, scaleName: string, zeroName: string | undefined, axis = -1): NumberArray | undefined {
    const tensor = this.stored.get(name);
    const scale = this.stored.get(scaleName);
    if (!tensor || !scale) return undefined;
    const { dims } = tensor;
    const scales = elementsOf(scale, this.file);
    const zero = zeroName === undefined ? undefined : this.stored.get(zeroName);
    const zeros = zero ? elementsOf(zero, this.file) : new Float32Array(scales.length);
    const count = scales.length;
    const length = dims.at(axis);
    if (zeros.length !== count || (count !== 1 && count !== length)) {
      const rule = "must have one scale, or one for each column";
      const got = `${count} scales and ${zeros.length} zero points`;
      throw new InputError(`tensor ${quote(name)} ${rule}, got ${got}`, { file: this.file });
    }
    const stride = axis === -1 ? 1 : dims.slice(axis + 1).reduce((a, b) => a * b, 1);
    const data = elementsOf(tensor, this.file);
    for (let i = 0; i < data.length; i++) {
      const k = Math.floor(i / stride) % count;
      data[i] = (data[i]! - zeros[k]!) * scales[k]!;
    }
    return { data, shape: dims };
  }

  /** What a node makes of a constant. */
  private made(name: string, way: number): NumberArray | undefined {
    const node = this.makers.get(name);
    const [from, second, third] = node?.input ?? [];
    if (!node || from === undefined) return undefined;
    if (node.opType === "Identity" || node.opType === "Cast") return this.numbers(from, way);
    if (node.opType === "Transpose") return turned(this.numbers(from, way));
    if (node.opType !== "DequantizeLinear" || second === undefined) return undefined;
    const axis = node.attribute.find((each) => each.name === "axis")?.i ?? 1;
    return this.dequantised(from, second, third || undefined, axis);
  }
}

export function originalName(name: string): string {
  return name.endsWith(suffixes.numbers) ? name.slice(0, -suffixes.numbers.length) : name;
}

/** `[rows, columns]` → `[columns, rows]` */
export function turned(matrix: NumberArray | undefined): NumberArray | undefined {
  if (matrix?.shape.length !== 2) return undefined;
  const [rows, columns] = matrix.shape as [number, number];
  return { data: transposed(matrix.data, rows, columns), shape: [columns, rows] };
}

const dataTypes = { float: 1, uint8: 2, int8: 3, int32: 6, half: 10, double: 11, brainFloat: 16 } as const;
const floatTypes: ReadonlySet<number> = new Set([
  dataTypes.float,
  dataTypes.half,
  dataTypes.double,
  dataTypes.brainFloat,
]);

/** The elements as they are stored: in raw bytes, or in one of the lists for small tensors. */
function elementsOf(tensor: OnnxTensor, file: string): Float32Array {
  const { name, dims, dataType, rawData, dataLocation } = tensor;
  if (dataLocation === 1) {
    throw new InputError(
      `tensor ${quote(name)} stands in a file of its own, which cannot be read; export it in one file`,
      {
        file,
      },
    );
  }
  const size = dims.reduce((a, b) => a * b, 1);
  if (!dims.every((dim) => Number.isSafeInteger(dim) && dim >= 0))
    throw new InputError(`tensor ${quote(name)} must have dimensions from 0, got ${quote(dims)}`, { file });
  const elements = rawData.length > 0 ? fromBytes(rawData, dataType) : fromList(tensor);
  if (elements?.length === size) return elements;
  const found = elements === undefined ? `elements of type ${dataType}` : `${elements.length} numbers`;
  throw new InputError(`tensor ${quote(name)} must hold ${size} numbers of type float, int8 or uint8, got ${found}`, {
    file,
  });
}

function fromBytes(bytes: Uint8Array, dataType: number): Float32Array | undefined {
  // A copy begins at a multiple of eight, where numbers of any width may stand.
  const { buffer } = Uint8Array.from(bytes);
  const whole = (width: number): boolean => bytes.length % width === 0;
  switch (dataType) {
    case dataTypes.float:
      return whole(4) ? new Float32Array(buffer) : undefined;
    case dataTypes.half:
      return whole(2) ? halvesToFloats(new Uint16Array(buffer)) : undefined;
    case dataTypes.brainFloat:
      return whole(2) ? brainFloatsToFloats(new Uint16Array(buffer)) : undefined;
    case dataTypes.double:
      return whole(8) ? Float32Array.from(new Float64Array(buffer)) : undefined;
    case dataTypes.int32:
      return whole(4) ? Float32Array.from(new Int32Array(buffer)) : undefined;
    case dataTypes.int8:
      return Float32Array.from(new Int8Array(buffer));
    default:
      return dataType === dataTypes.uint8 ? Float32Array.from(bytes) : undefined;
  }
}

/** Floats of 16 bits stand among the integers, as bit patterns. */
function fromList({ dataType, floatData = [], int32Data = [] }: OnnxTensor): Float32Array {
  if (dataType === dataTypes.float) return Float32Array.from(floatData);
  if (dataType === dataTypes.half) return halvesToFloats(Uint16Array.from(int32Data));
  return dataType === dataTypes.brainFloat
    ? brainFloatsToFloats(Uint16Array.from(int32Data))
    : Float32Array.from(int32Data);
}
