const bits = new Uint32Array(1);
const float = new Float32Array(bits.buffer);

const fromBits = (pattern: number): number => {
  bits[0] = pattern;
  return float[0]!;
};

const everyHalf = Float32Array.from({ length: 0x10000 }, (_, half) => {
  const sign = (half & 0x8000) << 16;
  const magnitude = half & 0x7fff;
  if (magnitude >= 0x7c00) return fromBits(sign | 0x7f800000 | ((magnitude & 0x3ff) << 13)); // infinite or not a number
  // Below 2⁻¹⁴ the exponent is fixed; above, the two formats differ in its offset alone: 15 and 127.
  if (magnitude < 0x400) return (sign ? -1 : 1) * magnitude * 2 ** -24;
  return fromBits(sign | ((magnitude << 13) + ((127 - 15) << 23)));
});

/** Numbers of 16-bit IEEE floats, into a given array where there is one. */
export function halvesToFloats(halves: Uint16Array, target = new Float32Array(halves.length)): Float32Array {
  for (let i = 0; i < halves.length; i++) target[i] = everyHalf[halves[i]!]!;
  return target;
}

/** Numbers of brain floats, the upper half of a 32-bit one. */
export function brainFloatsToFloats(halves: Uint16Array): Float32Array {
  return Float32Array.from(halves, (half) => fromBits(half << 16));
}

/** The largest 16-bit float. */
export const largestHalf = 65504;

/** Added to a number below 2⁻¹⁴, it leaves the digits that a 16-bit float has, rounded by the addition itself. */
const shifter = 0.5;

/** The nearest 16-bit floats, of two equally near ones the even one; infinite beyond the largest. */
export function floatsToHalves(numbers: Float32Array): Uint16Array {
  const patterns = new Uint32Array(numbers.buffer, numbers.byteOffset, numbers.length);
  const halves = new Uint16Array(numbers.length);
  for (let i = 0; i < halves.length; i++) {
    const pattern = patterns[i]!;
    const sign = (pattern >>> 16) & 0x8000;
    const magnitude = pattern & 0x7fffffff;
    if (magnitude > 0x7f800000) halves[i] = sign | 0x7e00;
    else if (magnitude >= 0x47800000)
      halves[i] = sign | 0x7c00; // from 2¹⁶
    else if (magnitude < 0x38800000) {
      float[0] = fromBits(magnitude) + shifter; // below 2⁻¹⁴
      halves[i] = sign | (bits[0]! - 0x3f000000);
    } else halves[i] = sign | ((magnitude - ((127 - 15) << 23) + 0xfff + ((magnitude >>> 13) & 1)) >>> 13);
  }
  return halves;
}
