const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const;

/** ln Γ(x) for x > 0, by the approximation of Lanczos; about 15 digits. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const z = x - 1;
  const base = z + 7.5;
  const series = lanczos.reduce((sum, coefficient, i) => sum + (i === 0 ? coefficient : coefficient / (z + i)), 0);
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(base) - base + Math.log(series);
}

/** ln B(a, b) */
export function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

/** ln of "n choose k" */
export function logChoose(n: number, k: number): number {
  return -Math.log(n + 1) - logBeta(n - k + 1, k + 1);
}

/**
 * ln ∫₀ˣ tᵃ⁻¹ (1−t)ᵇ⁻¹ dt for 0 < x ≤ 1: the incomplete beta function, not regularised. As a logarithm it
 * keeps its digits where the integral itself would be 0. Who asks for many x can hand over ln B(a, b).
 */
export function logIncompleteBeta(a: number, b: number, x: number, whole = logBeta(a, b)): number {
  if (x === 1) return whole;
  const lower = (p: number, q: number, t: number): number =>
    p * Math.log(t) + q * Math.log1p(-t) - Math.log(p) - Math.log(continuedFraction(p, q, t));
  if (x < (a + 1) / (a + b + 2)) return lower(a, b, x);
  return whole + Math.log1p(-Math.exp(Math.min(0, lower(b, a, 1 - x) - whole)));
}

/** The continued fraction of the incomplete beta function, evaluated by the method of Lentz. */
function continuedFraction(a: number, b: number, x: number): number {
  const tiny = 1e-300;
  let value = 1;
  let c = 1;
  let d = 0;
  for (let step = 1; step < 1000; step++) {
    const m = step >> 1;
    const numerator =
      step % 2 === 0
        ? (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
        : (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + numerator * d || tiny);
    c = 1 + numerator / c || tiny;
    value *= c * d;
    if (Math.abs(c * d - 1) < 1e-14) break;
  }
  return value;
}
