const multiplier = 0xc6a4a7935bd1e995n;
const mask = (1n << 64n) - 1n;

/** MurmurHash64A (Appleby) of bytes, little-endian: the hash by which spaCy knows a string, with seed 1. */
export function murmur64(bytes: Buffer, seed = 1n): bigint {
  const mixed = (value: bigint): bigint => {
    const once = (value * multiplier) & mask;
    return ((once ^ (once >> 47n)) * multiplier) & mask;
  };
  let hash = (seed ^ (BigInt(bytes.length) * multiplier)) & mask;
  const whole = bytes.length & ~7;
  for (let at = 0; at < whole; at += 8) hash = ((hash ^ mixed(bytes.readBigUInt64LE(at))) * multiplier) & mask;
  if (whole < bytes.length) {
    let rest = 0n;
    for (let at = bytes.length - 1; at >= whole; at--) rest = (rest << 8n) | BigInt(bytes[at]!);
    hash = ((hash ^ rest) * multiplier) & mask;
  }
  hash = ((hash ^ (hash >> 47n)) * multiplier) & mask;
  return hash ^ (hash >> 47n);
}
