import protobuf from "protobufjs";

/** A node of an ONNX file, with the nodes of its body if it is a loop. */
export interface WrittenNode {
  readonly opType: string;
  /** Missing for standard ops. */
  readonly domain?: string;
  readonly input: readonly string[];
  readonly output: readonly string[];
  readonly body: readonly WrittenNode[];
}

/** The few fields of the format that tests look at, with their numbers from the ONNX specification. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Model { Graph graph = 7; }
  message Graph { repeated Node node = 1; repeated Named initializer = 5; }
  message Node {
    repeated string input = 1; repeated string output = 2; string op_type = 4;
    repeated Attribute attribute = 5; string domain = 7;
  }
  message Attribute { string name = 1; Graph g = 6; }
  message Named { string name = 8; }
`);

interface RawGraph {
  readonly node: readonly (Omit<WrittenNode, "body"> & { readonly attribute: readonly { g?: RawGraph }[] })[];
  readonly initializer: readonly object[];
}

export function writtenGraph(bytes: Uint8Array): { nodes: WrittenNode[]; constants: number } {
  const model = root.lookupType("Model").decode(bytes) as unknown as { graph: RawGraph };
  const nodes = (graph: RawGraph): WrittenNode[] =>
    graph.node.map(({ attribute, ...node }) => {
      const body = attribute.find(({ g }) => g)?.g;
      return { ...node, body: body ? nodes(body) : [] };
    });
  return { nodes: nodes(model.graph), constants: model.graph.initializer.length };
}

/** How often an op stands in a graph, loop bodies not included. */
export function countOf(nodes: readonly WrittenNode[], opType: string): number {
  return nodes.filter((node) => node.opType === opType).length;
}
