/** A row of features with what was observed there, 0 or 1. */
export interface Observation {
  readonly features: readonly number[];
  readonly outcome: number;
}

/** How strongly weights are held where they start. */
const ridge = 0.1;
const mostSteps = 50;

/**
 * The weights of a logistic regression by Newton's method, held towards `start`, so that they exist and are unique
 * whatever the data.
 */
export function fitLogistic(observations: readonly Observation[], start: readonly number[]): number[] {
  let weights = [...start];
  for (let step = 0; step < mostSteps; step++) {
    const { gradient, curvature } = derivatives(observations, weights, start);
    const change = solve(curvature, gradient);
    weights = weights.map((weight, i) => weight + change[i]!);
    if (Math.max(...change.map(Math.abs)) < 1e-7) break;
  }
  return weights;
}

export function logisticAt(weights: readonly number[], features: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += weights[i]! * features[i]!;
  return 1 / (1 + Math.exp(-sum));
}

export function logit(probability: number): number {
  return Math.log(probability / (1 - probability));
}

function derivatives(
  observations: readonly Observation[],
  weights: readonly number[],
  start: readonly number[],
): { readonly gradient: number[]; readonly curvature: number[][] } {
  const size = weights.length;
  const gradient = weights.map((weight, i) => ridge * (start[i]! - weight));
  const curvature = weights.map((_, i) => weights.map((_, j) => (i === j ? ridge : 0)));
  for (const { features, outcome } of observations) {
    const probability = logisticAt(weights, features);
    const bend = probability * (1 - probability);
    for (let i = 0; i < size; i++) {
      gradient[i]! += (outcome - probability) * features[i]!;
      for (let j = 0; j <= i; j++) curvature[i]![j]! += bend * features[i]! * features[j]!;
    }
  }
  for (let i = 0; i < size; i++) for (let j = i + 1; j < size; j++) curvature[i]![j] = curvature[j]![i]!;
  return { gradient, curvature };
}

/** Gauss's elimination; the matrix is positive definite, so that no pivot is 0. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const size = right.length;
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  for (let i = 0; i < size; i++) {
    for (let j = i + 1; j < size; j++) {
      const factor = rows[j]![i]! / rows[i]![i]!;
      for (let k = i; k <= size; k++) rows[j]![k]! -= factor * rows[i]![k]!;
    }
  }
  const result = new Array<number>(size).fill(0);
  for (let i = size - 1; i >= 0; i--) {
    let sum = rows[i]![size]!;
    for (let k = i + 1; k < size; k++) sum -= rows[i]![k]! * result[k]!;
    result[i] = sum / rows[i]![i]!;
  }
  return result;
}
