import { idsOf, type Table } from "../encoders/index.ts";
import type { Data, OnnxGraph, OnnxNode, OnnxTensor, OnnxValue } from "../tensor/index.ts";
import { InputError } from "../util/errors.ts";
import { cast, dimsOf, floats, int64s, node, value } from "./onnx-types.ts";

/** Puts weights and tables into a graph: inputs become constants, and rows of tables are looked up by their ids. */
export function withWeights(
  graph: OnnxGraph,
  weights: Readonly<Record<string, Data>>,
  tables: readonly Table[],
): OnnxGraph {
  const initializer = [...graph.initializer];
  const lookups: OnnxNode[] = [];
  const input = graph.input.flatMap((each) => {
    const { name } = each;
    if (Object.hasOwn(weights, name)) {
      const { data, shape } = weights[name]!;
      initializer.push(floats(name, data as Float32Array, shape));
      return [];
    }
    const table = tables.find((candidate) => candidate.name === name);
    if (!table) return [each];
    const { width, values } = table;
    initializer.push(floats(`${name}.table`, values, [values.length / width, width]));
    lookups.push(node("Gather", [`${name}.table`, idsOf(name)], [name], { axis: 0 }));
    return [value(idsOf(name), "int32", dimsOf(each).slice(0, -1))];
  });
  return { ...graph, initializer, input, node: [...lookups, ...graph.node] };
}

/** A graph whose names all begin with a prefix. */
export function prefixed(graph: OnnxGraph, prefix: string): OnnxGraph {
  const rename = (name: string): string => (name === "" ? "" : `${prefix}${name}`);
  const renamed = (each: OnnxGraph): OnnxGraph => ({
    ...each,
    node: each.node.map((one) => ({
      ...one,
      input: one.input.map(rename),
      output: one.output.map(rename),
      attribute: one.attribute.map((attribute) =>
        attribute.g ? { ...attribute, g: renamed(attribute.g) } : attribute,
      ),
    })),
    initializer: each.initializer.map((tensor): OnnxTensor => ({ ...tensor, name: rename(tensor.name) })),
    input: each.input.map((one) => renamedValue(one, prefix)),
    output: each.output.map((one) => renamedValue(one, prefix)),
  });
  return renamed(graph);
}

/** Axes of sentences and tokens are those of the whole; the others, such as sub-words, are the part's own. */
function renamedValue({ name, type }: OnnxValue, prefix: string): OnnxValue {
  const { elemType, shape } = type.tensorType;
  const dim = shape.dim.map((each) => {
    const { dimParam } = each as { readonly dimParam?: string };
    return dimParam === undefined || ["batch", "time"].includes(dimParam) ? each : { dimParam: `${prefix}${dimParam}` };
  });
  return { name: `${prefix}${name}`, type: { tensorType: { elemType, shape: { dim } } } };
}

/**
 * A graph whose input is computed by another graph with a single output. The program keeps such vectors in half precision
 * and reads them so; they are rounded here too.
 */
export function computedInput(graph: OnnxGraph, name: string, part: OnnxGraph): OnnxGraph {
  const [output] = part.output;
  return withPrelude(graph, [name], { ...part, node: [...part.node, cast(output!.name, name, "float16")] });
}

/** Puts nodes before a graph that compute some of its inputs. */
export function withPrelude(
  graph: OnnxGraph,
  computed: readonly string[],
  prelude: Pick<OnnxGraph, "node" | "initializer" | "input">,
): OnnxGraph {
  const rest = graph.input.filter(({ name }) => !computed.includes(name));
  const added = prelude.input.filter(({ name }) => !rest.some((each) => each.name === name));
  return {
    ...graph,
    node: [...prelude.node, ...graph.node],
    initializer: [...prelude.initializer, ...graph.initializer],
    input: [...added, ...rest],
  };
}

/** Computes an input that numbers the places of an axis, 0, 1, 2 …, from the size of that axis. */
export function countedInput(graph: OnnxGraph, name: string): OnnxGraph {
  const counted = graph.input.find((each) => each.name === name);
  if (!counted) return graph;
  const [dim] = dimsOf(counted);
  const sized = graph.input.find((each) => each.name !== name && dimsOf(each).includes(dim!));
  if (!sized) throw new InputError(`export: no input of the model has the axis "${dim}"`);
  const axis = dimsOf(sized).indexOf(dim!);
  const part = (which: string): string => `${name}.${which}`;
  return withPrelude(graph, [name], {
    input: [],
    initializer: [int64s(part("from"), [0], []), int64s(part("step"), [1], []), int64s(part("none"), [0])],
    node: [
      node("Shape", [sized.name], [part("sizes")], { start: axis, end: axis + 1 }),
      node("Squeeze", [part("sizes"), part("none")], [part("size")]),
      node("Range", [part("from"), part("size"), part("step")], [part("count")]),
      cast(part("count"), name, "int32"),
    ],
  });
}
