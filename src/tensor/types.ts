import type { Dim, Shape } from "./dims.ts";
import type { Value } from "./value.ts";

/** Half precision is for inputs alone: cast it, and nothing is lost. */
export type DType = "float32" | "float16" | "int32" | "bool";

export interface TensorType {
  readonly dtype: DType;
  readonly shape: Shape;
}

/** A symbolic value: one output of a node. Nothing is computed when it is made, but its type is checked. */
export interface Tensor extends TensorType {
  readonly node: Node;
  readonly index: number;
}

/** One application of an op. `outputs` grows only when reverse mode asks a scan for values it passed by. */
export interface Node {
  readonly id: number;
  readonly op: Op;
  readonly inputs: readonly Tensor[];
  readonly attrs: unknown;
  readonly outputs: Tensor[];
}

/** What a gradient rule is given. `grads` has an entry for each output, undefined where nothing flows back. */
export interface Backward<A> {
  readonly inputs: readonly Tensor[];
  readonly outputs: readonly Tensor[];
  readonly attrs: A;
  readonly grads: readonly (Tensor | undefined)[];
  /** The gradient of output 0, for the many ops with a single output. */
  readonly grad: Tensor;
}

/** One row of the op table. An op without a gradient says so. */
export interface Op<A = never> {
  readonly name: string;
  /** Types of the outputs; throws through `fail` on operands that break the op's rule. */
  type(inputs: readonly Tensor[], attrs: A): readonly TensorType[];
  /** Gradient of each input, in order; undefined for inputs that have none (indices, conditions). */
  readonly gradient: "none" | ((backward: Backward<A>) => readonly (Tensor | undefined)[]);
  /** Reference in float64: slow, plain, the oracle of the tests. */
  reference(inputs: readonly Value[], attrs: A, outputs: readonly ResolvedType[], size: (dim: Dim) => number): Value[];
  /** Writes the op into an ONNX graph and returns the names of its outputs. */
  lower(to: Lowering, inputs: readonly string[], attrs: A, node: Node): readonly string[];
}

/** An output type with every dimension bound to a number. */
export interface ResolvedType {
  readonly dtype: DType;
  readonly shape: readonly number[];
}

export type OnnxType = DType | "int64" | "uint32";
export type Attribute = number | readonly number[] | string | { readonly float: number } | { readonly graph: unknown };

/** What an op's lowering may ask of the graph that is being written. */
export interface Lowering {
  /** Adds an ONNX node and returns the name of its first output. */
  node(
    type: string,
    inputs: readonly string[],
    attributes?: Readonly<Record<string, Attribute>>,
    domain?: string,
  ): string;
  /** The same with several outputs. */
  nodes(
    type: string,
    inputs: readonly string[],
    outputs: number,
    attributes?: Readonly<Record<string, Attribute>>,
  ): string[];
  /** A constant; equal constants are shared. */
  constant(type: OnnxType, shape: readonly number[], values: readonly number[]): string;
  /** A vector of int64 with the sizes of a shape, named dimensions read from the inputs when the graph runs. */
  shape(shape: Shape): string;
  cast(name: string, type: OnnxType): string;
  /** A body graph for scan: its inputs are given names, nodes that depend on them stay inside. */
  body(inputs: readonly Tensor[], outputs: readonly Tensor[]): { readonly graph: unknown };
  /** True when anything in the graph needs this output. */
  needs(output: Tensor): boolean;
  /** True when the file must run outside ONNX Runtime: standard ops only. */
  readonly portable: boolean;
}
