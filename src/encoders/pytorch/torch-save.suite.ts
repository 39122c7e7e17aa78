import { numberTypes } from "../../util/number-types.ts";
import type { NumberArray } from "../../util/safetensors.ts";

/** A file of `torch.save` in the format before zip archives: an ordered dictionary of float32 tensors. */
export function torchSave(tensors: Readonly<Record<string, NumberArray>>): Uint8Array {
  const entries = Object.entries(tensors);
  const items = entries.map(([name, { data, shape }], key) => {
    const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));
    const storage = `(${text("storage")}ctorch\nFloatStorage\n${text(`${key}`)}${text("cpu")}${int(data.length)}tQ`;
    const hooks = "ccollections\nOrderedDict\n)R";
    const view = `(${storage}K\x00(${shape.map(int).join("")}t(${strides.map(int).join("")}t\x89${hooks}tR`;
    return `${text(name)}ctorch._utils\n_rebuild_tensor_v2\n${view}`;
  });
  const value = `ccollections\nOrderedDict\n)R(${items.join("")}u}${text("_metadata")}}sb`;
  const start = ["\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19", "M\xe9\x03", `}${text("little_endian")}\x88s`];
  const keys = `](${entries.map((_, key) => text(`${key}`)).join("")}e`;
  const pickles = [...start, value, keys].map((each) => Buffer.from(`\x80\x02${each}.`, "latin1"));
  const storages = entries.flatMap(([, { data }]) => {
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(data.length));
    return [length, Buffer.from(data.buffer, data.byteOffset, data.length * numberTypes.F32.size)];
  });
  return Buffer.concat([...pickles, ...storages]);
}

function text(value: string): string {
  const bytes = Buffer.from(value);
  return `X${numbers(bytes.length)}${bytes.toString("latin1")}`;
}

function int(value: number): string {
  return `J${numbers(value)}`;
}

/** Four bytes, little-endian. */
function numbers(value: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes.toString("latin1");
}
