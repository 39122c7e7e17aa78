import { from, type Initialiser } from "../../nn/index.ts";
import { InputError } from "../../util/errors.ts";
import { type WeightsFile, withWeights } from "../weights-file.ts";
import type { Architecture } from "./config.ts";
import { transposed, type Weight, weightsOf, wordTable } from "./weights.ts";

/** The values of a pretrained model. */
export interface Checkpoint {
  /** The table of sub-words, `[vocabulary, embedding]`. */
  readonly words: Float32Array;
  /** Reads the values from the file when the parameter is filled, so that they stand in memory once. */
  initialiserOf(weight: Weight): Initialiser;
}

/**
 * Opens a checkpoint: finds and checks all tensors of the architecture and reads the table of sub-words. Others, such
 * as those of a head, are passed over.
 */
export function openCheckpoint(path: string, architecture: Architecture): Checkpoint {
  return withWeights(path, (file) => {
    const stored = storedNames(file, architecture);
    return {
      words: file.read(stored.get(wordTable.source)!),
      initialiserOf: (weight) => reading(path, stored.get(weight.source)!, weight),
    };
  });
}

/** The names under which a file holds the tensors of an architecture, by those that a plain checkpoint gives them. */
export function storedNames(file: WeightsFile, architecture: Architecture): Map<string, string> {
  const { vocabulary, embedding, type } = architecture;
  const find = finder(file, type);
  return new Map([
    [wordTable.source, find(wordTable.source, [vocabulary, embedding])],
    ...weightsOf(architecture).map(
      (weight) => [weight.source, find(weight.source, storedShape(weight))] as [string, string],
    ),
  ]);
}

const reading =
  (path: string, name: string, weight: Weight): Initialiser =>
  (target, shape, rng) => {
    const values = withWeights(path, (file) => file.read(name));
    const [rows = 1, columns = 1] = storedShape(weight);
    from(weight.transposed ? transposed(values, rows, columns) : values)(target, shape, rng);
  };

function storedShape({ shape, transposed: turned }: Weight): readonly number[] {
  return turned ? shape.toReversed() : shape;
}

/**
 * Finds the name under which a file holds a tensor of a shape. A checkpoint that was saved with a head puts the model's
 * type before each name, and the first BERTs call the weight and bias of a layer norm gamma and beta.
 */
function finder(file: WeightsFile, type: string): (source: string, shape: readonly number[]) => string {
  const names = new Set(file.names);
  return (source, shape) => {
    const old = source.replace(/LayerNorm\.weight$/, "LayerNorm.gamma").replace(/LayerNorm\.bias$/, "LayerNorm.beta");
    const name = [source, `${type}.${source}`, old, `${type}.${old}`].find((each) => names.has(each));
    const fail = (message: string): never => {
      throw new InputError(`${type} weights: ${message}`, { file: file.path });
    };
    if (name === undefined) return fail(`no tensor "${source}" or "${type}.${source}"`);
    if (!/^B?F/.test(file.type(name))) {
      return fail(
        `tensor "${name}" must hold floats, got ${file.type(name)}: scales of quantised weights are not known`,
      );
    }
    const found = file.shape(name);
    if (found.join() === shape.join()) return name;
    return fail(`tensor "${name}" must have shape [${shape.join(", ")}] by the config, got [${found.join(", ")}]`);
  };
}
