/** What MessagePack can hold, without extensions. Integers beyond 53 bits are bigints. */
export type Packed =
  | null
  | boolean
  | number
  | bigint
  | string
  | Buffer
  | readonly Packed[]
  | ReadonlyMap<Packed, Packed>;

const deepest = 64;

/** Decodes one value of MessagePack; throws on anything that is cut off, too deep, or followed by more. */
export function unpack(bytes: Buffer): Packed {
  let at = 0;
  const take = (count: number): number => {
    const start = at;
    at += count;
    if (at > bytes.length) throw new Error("MessagePack: the data end inside a value");
    return start;
  };
  const length = (width: 1 | 2 | 4): number => bytes.readUIntBE(take(width), width);
  const text = (count: number): string => bytes.toString("utf8", take(count), at);
  const binary = (count: number): Buffer => bytes.subarray(take(count), at);
  const integer = (value: bigint): number | bigint =>
    value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
  const list = (count: number, depth: number): Packed[] => {
    const items: Packed[] = [];
    for (let i = 0; i < count; i++) items.push(value(depth + 1));
    return items;
  };
  const map = (count: number, depth: number): Map<Packed, Packed> => {
    const pairs = new Map<Packed, Packed>();
    for (let i = 0; i < count; i++) {
      const key = value(depth + 1);
      pairs.set(key, value(depth + 1));
    }
    return pairs;
  };
  const value = (depth: number): Packed => {
    if (depth > deepest) throw new Error(`MessagePack: values lie deeper than ${deepest}`);
    const tag = bytes[take(1)]!;
    if (tag < 0x80) return tag;
    if (tag < 0x90) return map(tag & 15, depth);
    if (tag < 0xa0) return list(tag & 15, depth);
    if (tag < 0xc0) return text(tag & 31);
    if (tag >= 0xe0) return tag - 256;
    const read = readers[tag];
    if (read === undefined) throw new Error(`MessagePack: unknown kind of value 0x${tag.toString(16)}`);
    return read(depth);
  };
  const readers: Readonly<Record<number, (depth: number) => Packed>> = {
    192: () => null,
    194: () => false,
    195: () => true,
    196: () => binary(length(1)),
    197: () => binary(length(2)),
    198: () => binary(length(4)),
    202: () => bytes.readFloatBE(take(4)),
    203: () => bytes.readDoubleBE(take(8)),
    204: () => length(1),
    205: () => length(2),
    206: () => length(4),
    207: () => integer(bytes.readBigUInt64BE(take(8))),
    208: () => bytes.readInt8(take(1)),
    209: () => bytes.readInt16BE(take(2)),
    210: () => bytes.readInt32BE(take(4)),
    211: () => integer(bytes.readBigInt64BE(take(8))),
    217: () => text(length(1)),
    218: () => text(length(2)),
    219: () => text(length(4)),
    220: (depth) => list(length(2), depth),
    221: (depth) => list(length(4), depth),
    222: (depth) => map(length(2), depth),
    223: (depth) => map(length(4), depth),
  };
  const result = value(0);
  if (at < bytes.length) throw new Error("MessagePack: there is more after the value");
  return result;
}
