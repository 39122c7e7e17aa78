import { expect } from "vitest";
import {
  add,
  type Data,
  type DType,
  gradients,
  input,
  mul,
  Program,
  runReference,
  type Shape,
  sum,
  type Tensor,
  type Value,
  value,
} from "../../src/tensor/index.ts";
import { gaussian, type Random, random } from "../../src/util/random.ts";

/** An operand of a check: its symbolic shape, its actual size and how to fill it. */
export interface Operand {
  readonly shape: Shape;
  readonly size: readonly number[];
  readonly dtype?: DType;
  readonly fill?: (rng: Random, index: number) => number;
}

export function operand(size: readonly number[], rest: Partial<Operand> = {}): Operand {
  return { shape: size, size, ...rest };
}

/**
 * Checks a function of tensors in three ways: the runtime's values equal the float64 reference, the gradients by
 * reverse mode equal central differences of that reference, and the runtime's gradients equal both.
 */
export async function checkFunction(
  build: (...inputs: Tensor[]) => Tensor | readonly Tensor[],
  operands: readonly Operand[],
  { seed = 1, tolerance = 2e-4, gradient = true }: { seed?: number; tolerance?: number; gradient?: boolean } = {},
): Promise<void> {
  const rng = random(seed, "check");
  const inputs = operands.map(({ shape, dtype = "float32" }, i) => input(`x${i}`, dtype, shape));
  const feeds: Record<string, Value> = {};
  operands.forEach(({ size, fill = gaussian }, i) => {
    feeds[`x${i}`] = value(size, (index) => Math.fround(fill(rng, index)));
  });
  const built = build(...inputs);
  const outputs = [built].flat() as Tensor[];
  const expected = runReference(outputs, feeds);
  const actual = await runtime(outputs, feeds, operands);
  actual.forEach((data, i) => {
    close(data, expected[i]!, tolerance, `output ${i}`);
  });

  const floats = gradient ? operands.flatMap(({ dtype = "float32" }, i) => (dtype === "float32" ? [i] : [])) : [];
  if (floats.length === 0) return;
  const loss = weightedSum(outputs, expected, rng, feeds);
  const grads = gradients(
    loss,
    floats.map((i) => inputs[i]!),
  );
  // A gradient may not need an operand that binds a dimension of its shape, so the loss is asked for as well.
  const symbolic = runReference([...grads, loss], feeds);
  floats.forEach((i, k) => {
    const numeric = differences(loss, feeds, `x${i}`);
    close(symbolic[k]!, numeric, 1e-5, `gradient of operand ${i} by differences`);
  });
  const computed = await runtime([...grads, loss], feeds, operands);
  floats.forEach((i, k) => {
    close(computed[k]!, symbolic[k]!, tolerance, `gradient of operand ${i} on the runtime`);
  });
}

/** A scalar that all float outputs influence, each element with its own weight. */
function weightedSum(
  outputs: readonly Tensor[],
  expected: readonly Value[],
  rng: Random,
  feeds: Record<string, Value>,
): Tensor {
  const terms = outputs.flatMap((output, i) => {
    if (output.dtype !== "float32") return [];
    feeds[`w${i}`] = value(expected[i]!.shape, () => Math.fround(gaussian(rng)));
    return [sum(mul(output, input(`w${i}`, "float32", output.shape)))];
  });
  return terms.reduce((a, b) => add(a, b));
}

function differences(loss: Tensor, feeds: Readonly<Record<string, Value>>, name: string): Value {
  const { shape, data } = feeds[name]!;
  const step = 1e-5;
  return value(shape, (index) => {
    const at = (delta: number): number => {
      const moved = Float64Array.from(data);
      moved[index]! += delta;
      return runReference([loss], { ...feeds, [name]: { shape, data: moved } })[0]!.data[0]!;
    };
    return (at(step) - at(-step)) / (2 * step);
  });
}

async function runtime(
  outputs: readonly Tensor[],
  feeds: Readonly<Record<string, Value>>,
  operands: readonly Operand[],
): Promise<Value[]> {
  const program = await Program.compile(Object.fromEntries(outputs.map((tensor, i) => [`y${i}`, tensor])));
  const given: Record<string, Data> = {};
  for (const { name } of program.inputs) {
    const dtype = operands[Number(name.slice(1))]?.dtype;
    const { shape, data } = feeds[name]!;
    const kind =
      name.startsWith("x") && dtype === "int32"
        ? Int32Array
        : name.startsWith("x") && dtype === "bool"
          ? Uint8Array
          : Float32Array;
    given[name] = { shape, data: kind.from(data) };
  }
  const results = await program.run(given);
  await program.dispose();
  return outputs.map((_, i) => value(results[`y${i}`]!.shape, results[`y${i}`]!.data));
}

export function close(actual: Value, expected: Value, tolerance: number, what: string): void {
  expect(actual.shape, `shape of ${what}`).toEqual([...expected.shape]);
  const scale = Math.max(1, ...expected.data.map(Math.abs).filter(Number.isFinite));
  expected.data.forEach((number, i) => {
    const found = actual.data[i]!;
    if (Object.is(found, number) || found === number) return;
    if (!(Math.abs(found - number) <= tolerance * scale)) {
      expect.fail(`${what}, element ${i}: expected ${number}, got ${found}`);
    }
  });
}
