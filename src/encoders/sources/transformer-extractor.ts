import { ParameterStore, Parameters } from "../../nn/index.ts";
import { concat, inputsOf, Program, type RuntimeOptions, type Tensor } from "../../tensor/index.ts";
import { type Sentence, tokenCount } from "../../text/index.ts";
import { floatsToHalves } from "../../util/half.ts";
import type { Extractor } from "../features/frozen-part.ts";
import type { TransformerBody } from "../transformer/body.ts";
import { wordStates } from "../transformer/graph.ts";

export interface ExtractorOptions {
  /** The layers whose states are wanted, from 1. */
  readonly layers: readonly number[];
  /** The states of the last sub-words of words as well as of the first. */
  readonly ends: boolean;
  readonly runtime: RuntimeOptions;
}

/** Sub-words that go through the model at once. */
const places = 4096;

/**
 * Sentences of exactly one length in sub-words, short ones first, and each that needs several windows alone: so nothing is
 * padded, and the numbers of a sentence do not depend on the others, to the last bit.
 */
export function* subwordGroups(sentences: readonly Sentence[], body: TransformerBody): Generator<Sentence[]> {
  const byLength = new Map<number, Sentence[]>();
  for (const sentence of sentences) {
    const length = body.size(sentence);
    const like = byLength.get(length) ?? [];
    byLength.set(length, like);
    like.push(sentence);
  }
  for (const [length, like] of [...byLength].sort(([a], [b]) => a - b)) {
    const rows = length > body.window ? 1 : Math.max(1, Math.floor(places / length));
    for (let at = 0; at < like.length; at += rows) yield like.slice(at, at + rows);
  }
}

/** Vectors of words: for each the states of its first sub-word in all layers, then those of the last if they are wanted. */
export async function wordExtractor(
  body: TransformerBody,
  { layers, ends, runtime }: ExtractorOptions,
): Promise<Extractor> {
  return extractor(body, layers, runtime, {
    output: (states) => wordVectors(states, ends),
    split(data, sentences) {
      const time = Math.max(1, ...sentences.map(tokenCount));
      const row = data.length / sentences.length;
      return sentences.map((sentence, b) => data.subarray(b * row, b * row + (tokenCount(sentence) * row) / time));
    },
  });
}

function wordVectors(states: readonly Tensor[], ends: boolean): Tensor {
  const all = states.length > 1 ? concat(states, -1) : states[0]!;
  const first = wordStates(all, "first");
  return ends ? concat([first, wordStates(all, "last")], -1) : first;
}

/** What the extractors compute, as a graph with its weights: vectors of words, or states of sub-words. */
export function extractorGraph(
  body: TransformerBody,
  { layers, ends }: Omit<ExtractorOptions, "runtime">,
  of: "words" | "pieces",
): ReturnType<typeof graphOf> {
  return graphOf(body, layers, (states) => (of === "words" ? wordVectors(states, ends) : states[0]!));
}

/** The states of all sub-words of all windows, behind one layer. */
export async function pieceExtractor(body: TransformerBody, { layers, runtime }: ExtractorOptions): Promise<Extractor> {
  const { hidden } = body.architecture;
  return extractor(body, layers, runtime, {
    output: ([states]) => states!,
    split(data, sentences) {
      const { rows } = body.layOut(sentences);
      const row = data.length / rows.length;
      const result = sentences.map((): Float32Array[] => []);
      rows.forEach(({ ids, sentence }, r) => {
        result[sentence]!.push(data.subarray(r * row, r * row + ids.length * hidden));
      });
      return result.map(joined);
    },
  });
}

interface Shape {
  output(states: readonly Tensor[]): Tensor;
  /** The numbers of each sentence. */
  split(data: Float32Array, sentences: readonly Sentence[]): Float32Array[];
}

async function extractor(
  body: TransformerBody,
  layers: readonly number[],
  runtime: RuntimeOptions,
  { output, split }: Shape,
): Promise<Extractor> {
  const { states: graph, weights } = graphOf(body, layers, output);
  const program = await Program.compile({ states: graph }, runtime);
  return {
    async extract(sentences) {
      const { feeds } = body.batch(sentences, body.layOut(sentences));
      const { states } = await program.run({ ...weights, ...feeds });
      return split(states!.data as Float32Array, sentences).map(floatsToHalves);
    },
    dispose: () => program.dispose(),
  };
}

/** The graph of the states of layers, and the weights that it reads. */
function graphOf(
  body: TransformerBody,
  layers: readonly number[],
  output: Shape["output"],
): { readonly states: Tensor; readonly weights: ReturnType<ParameterStore["tensors"]> } {
  const params = new Parameters();
  const found: Tensor[] = [];
  body.states(params, {}, (states, layer) => {
    if (layers.includes(layer)) found.push(states);
    return states;
  });
  const states = output(found);
  const used = new Set(inputsOf(states).map(({ name }) => name));
  const specs = params.specs.filter(({ name }) => used.has(name));
  return { states, weights: new ParameterStore(specs).initialise(1).tensors() };
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
