import type { ParameterStore } from "../../nn/index.ts";
import type { Matrix } from "../transformer/forward.suite.ts";

/** Layers in plain float64 numbers, with the weights that a store holds: a second implementation for tests. */
export interface PlainLayers {
  /** A parameter as rows of its last axis. */
  rows(name: string): Matrix;
  /** x·W + b, or x·W where there is no bias. */
  linear(x: Matrix, name: string): Matrix;
  normalise(x: Matrix, name: string, epsilon: number): Matrix;
}

export function plainLayers(store: ParameterStore): PlainLayers {
  const has = (name: string): boolean => store.slots.some((slot) => slot.name === name);
  const rows = (name: string): Matrix => {
    const width = store.slots.find((slot) => slot.name === name)!.shape.at(-1)!;
    const data = store.get(name);
    return Array.from({ length: data.length / width }, (_, i) => [...data.subarray(i * width, (i + 1) * width)]);
  };
  return {
    rows,
    linear(x, name) {
      const weight = rows(`${name}.weight`);
      const bias = has(`${name}.bias`) ? rows(`${name}.bias`)[0]! : weight[0]!.map(() => 0);
      return x.map((row) => bias.map((b, k) => b + row.reduce((sum, a, i) => sum + a * weight[i]![k]!, 0)));
    },
    normalise(x, name, epsilon) {
      const [[scale], [shift]] = [rows(`${name}.weight`), rows(`${name}.bias`)];
      return x.map((row) => {
        const mean = row.reduce((a, b) => a + b, 0) / row.length;
        const deviation = Math.sqrt(row.reduce((a, b) => a + (b - mean) ** 2, 0) / row.length + epsilon);
        return row.map((a, i) => ((a - mean) / deviation) * scale![i]! + shift![i]!);
      });
    },
  };
}

export function softmax(scores: readonly number[]): number[] {
  const powers = scores.map(Math.exp);
  const total = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / total);
}

export function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, x, i) => sum + x * b[i]!, 0);
}

/** Σ weights[i] · rows[i] */
export function mixture(weights: readonly number[], rows: Matrix): number[] {
  return rows[0]!.map((_, k) => rows.reduce((sum, row, i) => sum + weights[i]! * row[k]!, 0));
}

export function plus(a: Matrix, b: Matrix): Matrix {
  return a.map((row, i) => row.map((x, k) => x + b[i]![k]!));
}
