import type { Random } from "../src/util/random.ts";

/** Numbers at which lengths and offsets go wrong. */
const edges = [0, 1, 2, 7, 8, 127, 128, 255, 256, 32767, 65535, 65536, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1];

const changes: readonly ((input: Buffer, rng: Random) => Buffer)[] = [
  // a bit
  (input, rng) => {
    const copy = Buffer.from(input);
    const at = place(copy, rng);
    copy[at] = (copy[at] ?? 0) ^ (1 << rng.below(8));
    return copy;
  },
  // a byte
  (input, rng) => {
    const copy = Buffer.from(input);
    copy[place(copy, rng)] = rng.below(256);
    return copy;
  },
  // a number of 32 or 64 bits
  (input, rng) => {
    const copy = Buffer.from(input);
    if (copy.length < 8) return copy;
    const at = rng.below(copy.length - 7);
    const value = edges[rng.below(edges.length)]!;
    if (rng.below(2) === 0) copy.writeUInt32LE(value, at);
    else copy.writeBigUInt64LE(BigInt(value) << BigInt(rng.below(3) * 16), at);
    return copy;
  },
  // a float that is none
  (input, rng) => {
    const copy = Buffer.from(input);
    if (copy.length < 4) return copy;
    const floats = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 3e38, -0, 1e-45];
    copy.writeFloatLE(floats[rng.below(floats.length)]!, 4 * rng.below(copy.length >> 2));
    return copy;
  },
  // cut off
  (input, rng) => input.subarray(0, rng.below(input.length + 1)),
  // a part left out, doubled, moved
  (input, rng) => {
    const [start, end] = range(input, rng);
    return Buffer.concat([input.subarray(0, start), input.subarray(end)]);
  },
  (input, rng) => {
    const [start, end] = range(input, rng);
    return Buffer.concat([input.subarray(0, end), input.subarray(start)]);
  },
  (input, rng) => {
    const [start, end] = range(input, rng);
    const at = rng.below(input.length + 1);
    return Buffer.concat([input.subarray(0, at), input.subarray(start, end), input.subarray(at)]);
  },
  // something new
  (input, rng) => {
    const at = rng.below(input.length + 1);
    const added = Buffer.from(Array.from({ length: 1 + rng.below(16) }, () => rng.below(256)));
    return Buffer.concat([input.subarray(0, at), added, input.subarray(at)]);
  },
  // one byte for a long time
  (input, rng) => {
    const at = rng.below(input.length + 1);
    const byte = [0x00, 0x20, 0x0d, 0x0a, 0x09, 0x5b, 0x7b, 0x28, 0x61, 0xff][rng.below(10)]!;
    const count = [100, 10_000, 300_000][rng.below(8) === 0 ? 2 : rng.below(2)]!;
    return Buffer.concat([input.subarray(0, at), Buffer.alloc(count, byte), input.subarray(at)]);
  },
];

export function mutateBytes(input: Buffer, rng: Random): Buffer {
  return changes[rng.below(changes.length)]!(input, rng);
}

function place(input: Buffer, rng: Random): number {
  return input.length === 0 ? 0 : rng.below(input.length);
}

function range(input: Buffer, rng: Random): [start: number, end: number] {
  const start = rng.below(input.length + 1);
  return [start, Math.min(input.length, start + 1 + rng.below(rng.below(4) === 0 ? input.length + 1 : 32))];
}
