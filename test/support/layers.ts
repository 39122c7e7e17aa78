import { ParameterStore, Parameters } from "../../src/nn/index.ts";
import { type Data, input, Program, type Tensor, type Value, value } from "../../src/tensor/index.ts";
import { checkFunction, type Operand, operand } from "./gradients.ts";

type Layer = (params: Parameters, ...inputs: Tensor[]) => Tensor | readonly Tensor[];

/** `checkFunction` for a layer: its parameters are operands like the others, and random like them. */
export async function checkLayer(
  layer: Layer,
  operands: readonly Operand[],
  options: { seed?: number; tolerance?: number } = {},
): Promise<void> {
  const probe = new Parameters();
  layer(probe, ...operands.map(({ shape, dtype = "float32" }, i) => input(`x${i}`, dtype, shape)));
  const names = probe.specs.map(({ name }) => name);
  await checkFunction(
    (...inputs) => {
      const params = new Parameters();
      const given = new Map(names.map((name, i) => [name, inputs[operands.length + i]!]));
      params.declare = (name) => given.get(name)!;
      return layer(params, ...inputs.slice(0, operands.length));
    },
    [...operands, ...probe.specs.map(({ shape }) => operand(shape))],
    options,
  );
}

/** Compiles a graph, runs it once and gives its outputs in order. */
export async function runOnce(outputs: readonly Tensor[], feeds: Readonly<Record<string, Data>>): Promise<Value[]> {
  const program = await Program.compile(Object.fromEntries(outputs.map((tensor, i) => [`y${i}`, tensor])));
  const results = await program.run(feeds);
  await program.dispose();
  return outputs.map((_, i) => value(results[`y${i}`]!.shape, results[`y${i}`]!.data));
}

/** A layer's result for given inputs, with parameters initialised from a seed. */
export async function runLayer(layer: Layer, inputs: readonly Data[], seed = 1): Promise<Value[]> {
  const params = new Parameters();
  const tensors = inputs.map(({ data, shape }, i) =>
    input(`x${i}`, data instanceof Int32Array ? "int32" : "float32", shape),
  );
  const outputs = [layer(params, ...tensors)].flat() as Tensor[];
  const store = new ParameterStore(params.specs).initialise(seed);
  return runOnce(outputs, { ...store.tensors(), ...Object.fromEntries(inputs.map((data, i) => [`x${i}`, data])) });
}

export function floats(shape: readonly number[], numbers: ArrayLike<number>): Data<Float32Array> {
  return { shape, data: Float32Array.from(numbers) };
}

export function ints(shape: readonly number[], numbers: ArrayLike<number>): Data<Int32Array> {
  return { shape, data: Int32Array.from(numbers) };
}
