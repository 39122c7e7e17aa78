import { type SimdKernels, vectors } from "./simd.ts";

/**
 * Optimisers over flat arrays: how much state they keep, and an update that reads gradients and changes parameters and
 * state in place. They go element by element in index order, so the result is the same bits on any number of threads.
 */
export interface Optimiser {
  /** How many arrays of the size of the parameters the state has. */
  readonly moments: number;
  update(step: OptimiserStep): void;
}

/** One update of the range `[start, end)` of the parameters. */
export interface OptimiserStep {
  readonly params: Float32Array;
  readonly grads: Float32Array;
  readonly moments: readonly Float32Array[];
  readonly start: number;
  readonly end: number;
  readonly rate: number;
  readonly decay: number;
  /** Gradients are multiplied by this first: clipping, averaging over accumulated batches. */
  readonly scale: number;
  /** Number of this update, from 1, for bias correction. */
  readonly count: number;
  /** Given when all arrays lie in the memory of these kernels; ranges then start at multiples of four. */
  readonly kernels?: SimdKernels | undefined;
}

export interface AdamWOptions {
  readonly beta1?: number;
  readonly beta2?: number;
  readonly epsilon?: number;
}

/** Adam with decoupled weight decay (Loshchilov and Hutter 2019). */
export function adamw({ beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8 }: AdamWOptions = {}): Optimiser {
  return {
    moments: 2,
    update({ params, grads, moments, start, end, rate, decay, scale, count, kernels }) {
      const [mean, square] = moments as [Float32Array, Float32Array];
      const stepSize = rate / (1 - beta1 ** count);
      const correction = 1 / (1 - beta2 ** count);
      const [fresh1, fresh2] = [1 - beta1, 1 - beta2];
      const shrink = 1 - rate * decay;
      if (kernels) {
        const at = ({ byteOffset }: Float32Array): number => byteOffset + 4 * start;
        const last = params.byteOffset + 4 * vectors(end);
        const factors = [beta1, fresh1, beta2, fresh2, scale, stepSize, correction, epsilon, shrink] as const;
        kernels.adamw(at(params), at(grads), at(mean), at(square), last, ...factors);
        return;
      }
      for (let i = start; i < end; i++) {
        const grad = grads[i]! * scale;
        const m = beta1 * mean[i]! + fresh1 * grad;
        const v = beta2 * square[i]! + fresh2 * grad * grad;
        mean[i] = m;
        square[i] = v;
        params[i] = params[i]! * shrink - (stepSize * m) / (Math.sqrt(v * correction) + epsilon);
      }
    },
  };
}

export interface SgdOptions {
  readonly momentum?: number;
}

/** Gradient descent with momentum and decoupled weight decay. */
export function sgd({ momentum = 0.9 }: SgdOptions = {}): Optimiser {
  return {
    moments: 1,
    update({ params, grads, moments, start, end, rate, decay, scale }) {
      const [velocity] = moments as [Float32Array];
      const shrink = 1 - rate * decay;
      for (let i = start; i < end; i++) {
        const v = momentum * velocity[i]! + grads[i]! * scale;
        velocity[i] = v;
        params[i] = params[i]! * shrink - rate * v;
      }
    },
  };
}

export const optimisers = { adamw, sgd };
export type OptimiserName = keyof typeof optimisers;

/** The square of the Euclidean norm, in float64; four sums side by side because one chain of additions is slow. */
export function squaredNorm(values: Float32Array): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  const whole = values.length - (values.length % 4);
  for (let i = 0; i < whole; i += 4) {
    a += values[i]! * values[i]!;
    b += values[i + 1]! * values[i + 1]!;
    c += values[i + 2]! * values[i + 2]!;
    d += values[i + 3]! * values[i + 3]!;
  }
  for (let i = whole; i < values.length; i++) a += values[i]! * values[i]!;
  return a + b + (c + d);
}
