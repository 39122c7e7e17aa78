import type { Decoding, Overlap } from "../heads/pure.ts";
import type { InputSpec } from "../inputs/index.ts";
import { InputError, quote } from "../util/errors.ts";

/** What `lacuna.json` says of an exported model: all that is needed to run it beside the files it names. */
export interface Description {
  readonly format: "lacuna-export";
  readonly version: 1;
  /** The ONNX file. */
  readonly model: string;
  /** Weights as they were trained, or quantised. */
  readonly precision: "float32" | "int8";
  readonly types: readonly string[];
  /** What an item can be: "O", then types or tags. */
  readonly labels: readonly string[];
  /** How inputs are made from sentences. The model may read fewer than are described. */
  readonly inputs: readonly InputSpec[];
  /** `[batch, items, labels]` each: what decoding goes by, and the log-probability of each label. */
  readonly outputs: { readonly scores: string; readonly logProbs: string };
  /** How entities follow from the outputs. */
  readonly decode: DecodeDescription;
  /** Size and SHA-256 of every other file. */
  readonly files: Readonly<Record<string, FileDescription>>;
}

export interface FileDescription {
  readonly bytes: number;
  readonly sha256: string;
}

/** Everything between scores and entities. */
export type DecodeDescription = Decoding & {
  /** Added to the scores of each label before decoding. */
  readonly bias: readonly number[];
  readonly overlap: Overlap;
  /** Entities below this probability are left out. */
  readonly minScore: number;
};

/** Checks that a file is a description that this version understands. */
export function parseDescription(text: string, file: string): Description {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InputError("is not JSON; is this the lacuna.json of an exported model?", { file });
  }
  const { format, version } = Object(value) as Partial<Description>;
  if (format !== "lacuna-export")
    throw new InputError(`format: expected "lacuna-export", got ${quote(format)}; make it with lacuna export`, {
      file,
    });
  if (version !== 1)
    throw new InputError(`version: expected 1, got ${quote(version)}; update lacuna-ner or export the model again`, {
      file,
    });
  return value as Description;
}
