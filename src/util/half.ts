const bits = new Uint32Array(1);
const float = new Float32Array(bits.buffer);

const bitsOf = (number: number): number => {
  float[0] = number;
  return bits[0]!;
};
const fromBits = (pattern: number): number => {
  bits[0] = pattern;
  return float[0]!;
};

/** Numbers of 16-bit IEEE floats. */
export function halvesToFloats(halves: Uint16Array): Float32Array {
  return Float32Array.from(halves, (half) => {
    const sign = (half & 0x8000) << 16;
    const magnitude = half & 0x7fff;
    if (magnitude >= 0x7c00) return fromBits(sign | 0x7f800000 | ((magnitude & 0x3ff) << 13)); // infinite or not a number
    // Below 2⁻¹⁴ the exponent is fixed; above, the two formats differ in its offset alone: 15 and 127.
    if (magnitude < 0x400) return (sign ? -1 : 1) * magnitude * 2 ** -24;
    return fromBits(sign | ((magnitude << 13) + ((127 - 15) << 23)));
  });
}

/** Numbers of brain floats, the upper half of a 32-bit one. */
export function brainFloatsToFloats(halves: Uint16Array): Float32Array {
  return Float32Array.from(halves, (half) => fromBits(half << 16));
}

/** The largest 16-bit float. */
export const largestHalf = 65504;

/** The nearest 16-bit floats, of two equally near ones the even one; infinite beyond the largest. */
export function floatsToHalves(numbers: Float32Array): Uint16Array {
  return Uint16Array.from(numbers, (number) => {
    const pattern = bitsOf(number);
    const sign = (pattern >>> 16) & 0x8000;
    const magnitude = pattern & 0x7fffffff;
    if (magnitude > 0x7f800000) return sign | 0x7e00;
    if (magnitude >= bitsOf(2 ** 16)) return sign | 0x7c00;
    if (magnitude < bitsOf(2 ** -14)) return sign | nearestEven(Math.abs(number) * 2 ** 24);
    return sign | nearestEven((magnitude - ((127 - 15) << 23)) / 2 ** 13);
  });
}

function nearestEven(number: number): number {
  const floor = Math.floor(number);
  const rest = number - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}
