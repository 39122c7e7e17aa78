import { floatsToHalves } from "../util/half.ts";
import { type Dim, namesIn, type Shape } from "./dims.ts";
import { topological } from "./graph.ts";
import { narrow } from "./narrow.ts";
import {
  encodeModel,
  type OnnxAttribute,
  type OnnxGraph,
  type OnnxNode,
  type OnnxTensor,
  type OnnxValue,
} from "./onnx-schema.ts";
import type { Attribute, Lowering, Node, OnnxType, Tensor, TensorType } from "./types.ts";

export interface OnnxOptions {
  /** Only standard ops, for runtimes other than ONNX Runtime. */
  readonly portable?: boolean;
}

export interface GraphInput extends TensorType {
  readonly name: string;
}

const typeCodes: Readonly<Record<OnnxType, number>> = {
  float32: 1,
  int32: 6,
  int64: 7,
  bool: 9,
  float16: 10,
  uint32: 12,
};

/** Writes the nodes that the outputs need, common subexpressions once, as an ONNX model. */
export function toOnnx(
  outputs: Readonly<Record<string, Tensor>>,
  options: OnnxOptions = {},
): { bytes: Uint8Array; inputs: GraphInput[] } {
  const { graph, inputs } = onnxGraph(outputs, options);
  return { bytes: encodeModel(graph), inputs };
}

/** The same as a graph that can still be changed. */
export function onnxGraph(
  outputs: Readonly<Record<string, Tensor>>,
  { portable = false }: OnnxOptions = {},
): { graph: OnnxGraph; inputs: GraphInput[] } {
  const instead = narrow(Object.values(outputs));
  const written = (tensor: Tensor): Tensor => instead.get(tensor) ?? tensor;
  const order = topological(Object.values(outputs).map(written), (node) => node.inputs.map(written));
  const inputs = order.filter(({ op }) => op.name === "input").map((node) => node.attrs as GraphInput);
  const repeated = inputs.find(({ name }, i) => inputs.findIndex((other) => other.name === name) !== i);
  if (repeated) throw new TypeError(`graph: two inputs are called "${repeated.name}"`);
  const clash = inputs.find(({ name }) => Object.hasOwn(outputs, name));
  if (clash) throw new TypeError(`graph: an input and an output are called "${clash.name}"`);
  const root = new Scope(inputs, { portable, instead });
  for (const name of [...inputs.map((each) => each.name), ...Object.keys(outputs)]) root.taken.add(name);
  root.write(order, Object.values(outputs));
  for (const [name, tensor] of Object.entries(outputs)) root.nodesOut.push(identity(root.nameOf(tensor), name));
  const graph = {
    name: "lacuna",
    node: root.nodesOut,
    initializer: root.initialisers,
    input: inputs.map((each) => valueInfo(each.name, each)),
    output: Object.entries(outputs).map(([name, tensor]) => valueInfo(name, tensor)),
  };
  return { graph, inputs };
}

interface ScopeOptions {
  readonly portable: boolean;
  readonly instead: ReadonlyMap<Tensor, Tensor>;
}

/** One ONNX graph while it is written: the whole, or the body of a scan inside of it. */
class Scope implements Lowering {
  readonly nodesOut: OnnxNode[] = [];
  readonly initialisers: OnnxTensor[] = [];
  readonly portable: boolean;
  /** Names of inputs and outputs, which nothing between them may have. */
  readonly taken = new Set<string>();
  private readonly names = new Map<Tensor, string>();
  private readonly shared = new Map<string, readonly string[]>();
  private needed: ReadonlySet<Tensor> = new Set();
  private readonly inputs: readonly GraphInput[];
  /** Tensors that are written in place of others. */
  readonly instead: ReadonlyMap<Tensor, Tensor>;
  private readonly parent: Scope | undefined;
  private readonly root: Scope;
  private count = 0;

  constructor(inputs: readonly GraphInput[], { portable, instead }: ScopeOptions, parent?: Scope) {
    this.inputs = inputs;
    this.portable = portable;
    this.instead = instead;
    this.parent = parent;
    this.root = parent?.root ?? this;
  }

  write(order: readonly Node[], outputs: readonly Tensor[]): void {
    this.needed = new Set([...order.flatMap((node) => node.inputs), ...outputs]);
    for (const node of order) {
      const names = node.op.lower(
        this,
        node.inputs.map((tensor) => this.nameOf(tensor)),
        node.attrs as never,
        node,
      );
      node.outputs.forEach((tensor, i) => {
        this.names.set(tensor, names[i]!);
      });
    }
  }

  nameOf(tensor: Tensor): string {
    const written = this.instead.get(tensor) ?? tensor;
    for (let scope: Scope | undefined = this; scope; scope = scope.parent) {
      const name = scope.names.get(written);
      if (name !== undefined) return name;
    }
    throw new TypeError(`graph: an output of ${tensor.node.op.name} is used before it is computed`);
  }

  node(
    type: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, Attribute>> = {},
    domain?: string,
  ): string {
    return this.nodes(type, inputs, 1, attributes, domain)[0]!;
  }

  nodes(
    type: string,
    inputs: readonly string[],
    outputs: number,
    attributes: Readonly<Record<string, Attribute>> = {},
    domain?: string,
  ): string[] {
    // A body graph has names of its own, so two scans are never the same text.
    const key = "body" in attributes ? undefined : JSON.stringify([type, inputs, outputs, attributes]);
    const known = key && this.find(key);
    if (known) return [...known];
    const output = Array.from({ length: outputs }, () => this.fresh());
    const attribute = Object.entries(attributes).map(([name, value]) => encodeAttribute(name, value));
    this.nodesOut.push({ opType: type, input: inputs, output, attribute, ...(domain && { domain }) });
    if (key) this.shared.set(key, output);
    return output;
  }

  constant(type: OnnxType, shape: readonly number[], values: readonly number[]): string {
    const key = `constant ${type} [${shape}] ${values.join(",")}`;
    const known = this.root.shared.get(key)?.[0];
    if (known) return known;
    const name = this.fresh();
    this.root.initialisers.push({ name, dims: shape, dataType: typeCodes[type], rawData: rawBytes(type, values) });
    this.root.shared.set(key, [name]);
    return name;
  }

  shape(shape: Shape): string {
    if (shape.every((dim) => typeof dim === "number")) return this.constant("int64", [shape.length], shape as number[]);
    if (shape.length === 1) return this.root.dimension(shape[0]!);
    return this.root.node(
      "Concat",
      shape.map((dim) => this.root.dimension(dim)),
      { axis: 0 },
    );
  }

  cast(name: string, type: OnnxType): string {
    return this.node("Cast", [name], { to: typeCodes[type] });
  }

  needs(output: Tensor): boolean {
    return this.needed.has(output);
  }

  body(inputs: readonly Tensor[], outputs: readonly Tensor[]): { graph: OnnxGraph } {
    const scope = new Scope(this.inputs, this, this);
    for (const tensor of inputs) scope.names.set(tensor, this.fresh());
    const order = topological(outputs, (node) => (this.knows(node) ? [] : node.inputs));
    scope.write(
      order.filter((node) => !this.knows(node) && !scope.knows(node)),
      outputs,
    );
    const named = outputs.map((tensor) => {
      const name = this.fresh();
      scope.nodesOut.push(identity(scope.nameOf(tensor), name));
      return valueInfo(name, tensor);
    });
    const graph = {
      name: `body_${named[0]?.name ?? this.fresh()}`,
      node: scope.nodesOut,
      initializer: [],
      input: inputs.map((tensor) => valueInfo(scope.nameOf(tensor), tensor)),
      output: named,
    };
    return { graph };
  }

  /** A dimension as a vector of one int64, read from an input that has it. */
  private dimension(dim: Dim): string {
    if (typeof dim === "number") return this.constant("int64", [1], [dim]);
    const combine = (op: string, parts: string[], part: (text: string) => string): string =>
      parts.map(part).reduce((a, b) => this.node(op, [a, b]));
    return combine("Add", dim.split("+"), (term) => combine("Mul", term.split("*"), (factor) => this.factor(factor)));
  }

  private factor(factor: string): string {
    if (namesIn(factor).length === 0) return this.constant("int64", [1], [Number(factor)]);
    for (const { name, shape } of this.inputs) {
      const axis = shape.indexOf(factor);
      if (axis >= 0) return this.node("Shape", [name], { start: axis, end: axis + 1 });
    }
    throw new TypeError(
      `graph: dimension "${factor}" is not a dimension of any input (${this.inputs.map(({ name }) => name).join(", ")})`,
    );
  }

  private knows(node: Node): boolean {
    const [output] = node.outputs;
    return this.names.has(this.instead.get(output!) ?? output!) || (this.parent?.knows(node) ?? false);
  }

  private find(key: string): readonly string[] | undefined {
    return this.shared.get(key) ?? this.parent?.find(key);
  }

  private fresh(): string {
    const name = `t${this.root.count++}`;
    return this.root.taken.has(name) ? this.fresh() : name;
  }
}

function identity(from: string, to: string): OnnxNode {
  return { opType: "Identity", input: [from], output: [to], attribute: [] };
}

function valueInfo(name: string, { dtype, shape }: TensorType): OnnxValue {
  const dim = shape.map((each) => (typeof each === "number" ? { dimValue: each } : { dimParam: each }));
  return { name, type: { tensorType: { elemType: typeCodes[dtype], shape: { dim } } } };
}

function encodeAttribute(name: string, value: Attribute): OnnxAttribute {
  if (typeof value === "number") return { name, type: 2, i: value };
  if (typeof value === "string") return { name, type: 3, s: new TextEncoder().encode(value) };
  if ("float" in value) return { name, type: 1, f: value.float };
  if ("graph" in value) return { name, type: 5, g: value.graph as OnnxGraph };
  return { name, type: 7, ints: value };
}

function rawBytes(type: OnnxType, values: readonly number[]): Uint8Array {
  switch (type) {
    case "float32":
      return new Uint8Array(Float32Array.from(values).buffer);
    case "int32":
      return new Uint8Array(Int32Array.from(values).buffer);
    case "uint32":
      return new Uint8Array(Uint32Array.from(values).buffer);
    case "int64":
      return new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
    case "bool":
      return Uint8Array.from(values);
    case "float16":
      return new Uint8Array(floatsToHalves(Float32Array.from(values)).buffer);
  }
}
