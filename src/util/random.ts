/**
 * Randomness as an argument: a counter-based generator keyed by (seed, purpose, …). Two generators with the same
 * key give the same numbers whatever was drawn elsewhere, so results do not depend on batching, threads or a restart.
 */
export interface Random {
  /** An integer in [0, 2³²). */
  uint32(): number;
  /** A number in the open interval (0, 1), with 32 random bits: safe under a logarithm. */
  next(): number;
  /** An integer in [0, limit), without bias. */
  below(limit: number): number;
  /** Leaves out so many numbers, as if they had been drawn by `uint32` or `next`, at once. */
  skip(count: number): void;
}

export type KeyPart = string | number;

export function random(seed: number, ...key: readonly KeyPart[]): Random {
  const low = keyOf(seed, ...key);
  const high = keyOf(low, "high", ...key);
  let counter = 0;
  let spare: number | undefined;
  const uint32 = (): number => {
    if (spare !== undefined) {
      const value = spare;
      spare = undefined;
      return value;
    }
    const block = philox(counter++, high, low);
    spare = block[1];
    return block[0];
  };
  return {
    uint32,
    next: () => (uint32() + 0.5) / 0x1_0000_0000,
    below(limit) {
      if (!Number.isInteger(limit) || limit < 1 || limit > 0x1_0000_0000) {
        throw new RangeError(`random.below: limit must be an integer from 1 to 2^32, got ${limit}`);
      }
      const unbiased = 0x1_0000_0000 - (0x1_0000_0000 % limit);
      for (;;) {
        const value = uint32();
        if (value < unbiased) return value % limit;
      }
    },
    skip(count) {
      const whole = spare === undefined ? count : count - 1;
      if (count > 0) spare = undefined;
      if (whole > 0) counter += whole >>> 1;
      if (whole > 0 && whole % 2 === 1) uint32();
    },
  };
}

/** Mixes a seed and a key into 32 bits (unsigned). Strings and numbers that print alike are different keys. */
export function keyOf(seed: number, ...key: readonly KeyPart[]): number {
  let hash = mixNumber(0x9e3779b9, seed);
  for (const part of key) {
    if (typeof part === "number") hash = mixNumber(hash, part);
    else {
      hash = mix32(hash ^ 0x5bd1e995 ^ part.length);
      for (let i = 0; i < part.length; i++) hash = mix32(Math.imul(hash, 31) + part.charCodeAt(i));
    }
  }
  return hash >>> 0;
}

/** A permutation of the items, by Fisher and Yates; the input is left alone. */
export function shuffled<T>(items: readonly T[], rng: Random): T[] {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i--) {
    const j = rng.below(i + 1);
    const item = result[i]!;
    result[i] = result[j]!;
    result[j] = item;
  }
  return result;
}

/** `count` distinct indices below `size`, each subset equally likely; O(count) memory whatever the size. */
export function sampleIndices(size: number, count: number, rng: Random): number[] {
  const moved = new Map<number, number>();
  const result: number[] = [];
  for (let i = 0; i < Math.min(size, count); i++) {
    const j = i + rng.below(size - i);
    result.push(moved.get(j) ?? j);
    moved.set(j, moved.get(i) ?? i);
  }
  return result;
}

/** A standard normal number (Box and Muller). */
export function gaussian(rng: Random): number {
  return Math.sqrt(-2 * Math.log(rng.next())) * Math.cos(2 * Math.PI * rng.next());
}

const floatBits = new DataView(new ArrayBuffer(8));

function mixNumber(hash: number, value: number): number {
  floatBits.setFloat64(0, value);
  return mix32(mix32(hash + 0x7f4a7c15 + floatBits.getInt32(0)) ^ floatBits.getInt32(4));
}

/** The finaliser of MurmurHash3: every input bit changes every output bit with probability near one half. */
export function mix32(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}

/** Philox 2×32 with ten rounds (Salmon et al. 2011): a block cipher over a counter. */
function philox(counter: number, high: number, key: number): [number, number] {
  let left = counter >>> 0;
  let right = high >>> 0;
  let round = key >>> 0;
  for (let i = 0; i < 10; i++) {
    const product = multiply64(0xd256d193, left);
    left = (product[0] ^ round ^ right) >>> 0;
    right = product[1];
    round = (round + 0x9e3779b9) >>> 0;
  }
  return [left, right];
}

function multiply64(a: number, b: number): [high: number, low: number] {
  const aHigh = a >>> 16;
  const aLow = a & 0xffff;
  const bHigh = b >>> 16;
  const bLow = b & 0xffff;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const carry = (middle & 0xffff) + aLow * bHigh;
  return [(aHigh * bHigh + Math.floor(middle / 0x10000) + Math.floor(carry / 0x10000)) >>> 0, Math.imul(a, b) >>> 0];
}
