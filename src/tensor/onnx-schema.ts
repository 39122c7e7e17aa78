import protobuf from "protobufjs";

/** The part of the ONNX file format that we write and read: message and field names with their numbers. */
const one = (type: string, id: number) => ({ type, id });
const many = (type: string, id: number) => ({ rule: "repeated" as const, type, id });
const packed = (type: string, id: number) => ({ ...many(type, id), options: { packed: true } });

const root = protobuf.Root.fromJSON({
  nested: {
    Model: {
      fields: {
        irVersion: one("int64", 1),
        producerName: one("string", 2),
        graph: one("Graph", 7),
        opsetImport: many("OperatorSet", 8),
      },
    },
    OperatorSet: { fields: { domain: one("string", 1), version: one("int64", 2) } },
    Graph: {
      fields: {
        node: many("Node", 1),
        name: one("string", 2),
        initializer: many("Tensor", 5),
        input: many("ValueInfo", 11),
        output: many("ValueInfo", 12),
      },
    },
    Node: {
      fields: {
        input: many("string", 1),
        output: many("string", 2),
        name: one("string", 3),
        opType: one("string", 4),
        attribute: many("Attribute", 5),
        domain: one("string", 7),
      },
    },
    Attribute: {
      fields: {
        name: one("string", 1),
        f: one("float", 2),
        i: one("int64", 3),
        s: one("bytes", 4),
        t: one("Tensor", 5),
        g: one("Graph", 6),
        ints: packed("int64", 8),
        type: one("int32", 20),
      },
    },
    Tensor: {
      fields: {
        dims: packed("int64", 1),
        dataType: one("int32", 2),
        floatData: packed("float", 4),
        int32Data: packed("int32", 5),
        name: one("string", 8),
        rawData: one("bytes", 9),
        dataLocation: one("int32", 14),
      },
    },
    ValueInfo: { fields: { name: one("string", 1), type: one("Type", 2) } },
    Type: { fields: { tensorType: one("TensorType", 1) } },
    TensorType: { fields: { elemType: one("int32", 1), shape: one("Shape", 2) } },
    Shape: { fields: { dim: many("Dimension", 1) } },
    Dimension: { fields: { dimValue: one("int64", 1), dimParam: one("string", 2) } },
  },
});

const Model = root.lookupType("Model");

export interface OnnxAttribute {
  readonly name: string;
  readonly type: number;
  readonly f?: number;
  readonly i?: number;
  readonly s?: Uint8Array;
  readonly t?: OnnxTensor | null;
  readonly g?: OnnxGraph;
  readonly ints?: readonly number[];
}

export interface OnnxNode {
  readonly input: readonly string[];
  readonly output: readonly string[];
  readonly opType: string;
  readonly domain?: string;
  readonly attribute: readonly OnnxAttribute[];
}

export interface OnnxTensor {
  readonly dims: readonly number[];
  readonly dataType: number;
  readonly name: string;
  readonly rawData: Uint8Array;
  /** Other writers put small tensors here, element by element, and leave the raw bytes empty. */
  readonly floatData?: readonly number[];
  readonly int32Data?: readonly number[];
  /** 1 where the numbers stand in a file of their own. */
  readonly dataLocation?: number;
}

export interface OnnxValue {
  readonly name: string;
  readonly type: {
    readonly tensorType: { readonly elemType: number; readonly shape: { readonly dim: readonly object[] } };
  };
}

export interface OnnxGraph {
  readonly name: string;
  readonly node: OnnxNode[];
  readonly initializer: OnnxTensor[];
  readonly input: readonly OnnxValue[];
  readonly output: readonly OnnxValue[];
}

/** Versions of the operator sets by domain. Opset 20 is the first with Gelu; IR version 9 goes with it. */
const opsets: Readonly<Record<string, number>> = { "": 20, "com.microsoft": 1 };

/** A graph as an ONNX file, which names the operator sets that it uses and no others. */
export function encodeModel(graph: OnnxGraph): Uint8Array {
  const domains = new Set(["", ...eachNode(graph).map(({ domain }) => domain ?? "")]);
  const opsetImport = Array.from(domains, (domain) => ({ domain, version: opsets[domain]! }));
  return Model.encode(Model.fromObject({ irVersion: 9, producerName: "lacuna", opsetImport, graph })).finish();
}

/** All nodes of a graph and of the graphs inside of it. */
export function eachNode({ node }: Pick<OnnxGraph, "node">): OnnxNode[] {
  return node.flatMap((each) => [each, ...each.attribute.flatMap(({ g }) => (g ? eachNode(g) : []))]);
}

/** The graph of an ONNX file; throws on bytes that are none. */
export function decodeModel(bytes: Uint8Array): OnnxGraph {
  const options = { longs: Number, arrays: true, defaults: true } as const;
  const { graph } = Model.toObject(Model.decode(bytes), options) as { graph: OnnxGraph | null };
  if (!graph) throw new TypeError("onnx: the file holds no graph");
  return graph;
}
