import type { Decoding, Overlap } from "../heads/pure.ts";
import { type InputSpec, inputSpec } from "../inputs/index.ts";
import { InputError, quote } from "../util/errors.ts";
import { parseJson } from "../util/json.ts";
import { fields, finite, list, oneOf, record, type Shape, text, whole } from "../util/shape.ts";

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

/** Checks that a file is a description that this version understands, and that its parts fit together. */
export function parseDescription(content: string, file: string): Description {
  const value = parseJson(content, "the lacuna.json of an exported model", { file });
  const { format, version } = Object(value) as Partial<Description>;
  if (format !== "lacuna-export")
    throw new InputError(`format: expected "lacuna-export", got ${quote(format)}; make it with lacuna export`, {
      file,
    });
  if (version !== 1)
    throw new InputError(`version: expected 1, got ${quote(version)}; update lacuna-ner or export the model again`, {
      file,
    });
  const fault = description(value, "") ?? misfit(value as Description);
  if (fault !== undefined) throw new InputError(`${fault}; export the model again`, { file });
  return value as Description;
}

const description = fields({
  model: text,
  precision: oneOf("float32", "int8"),
  types: list(text),
  labels: list(text),
  inputs: list(inputSpec),
  outputs: fields({ scores: text, logProbs: text }),
  files: record(fields({ bytes: whole(0), sha256: text })),
  decode: fields({
    kind: oneOf("spans", "tags"),
    bias: list(finite),
    overlap: oneOf("flat", "nested", "all"),
    minScore: finite,
  }),
});

/** What each field allows alone, and not beside the others. */
function misfit({ model, files, types, labels, decode, inputs }: Description): string | undefined {
  const odd = Object.keys(files).find((name) => !/^[^/\\\0]+$/.test(name) || /^\.{1,2}$/.test(name));
  if (odd !== undefined) return `files: expected plain names, got ${quote(odd)}`;
  if (!Object.hasOwn(files, model)) return `files: lacks the model ${quote(model)}`;
  const bias = list(finite, labels.length)(decode.bias, "decode.bias");
  if (bias !== undefined) return bias;
  return decode.kind === "spans" ? spanMisfit(types, labels, decode, inputs) : tags(types, labels)(decode, "decode");
}

function spanMisfit(
  types: readonly string[],
  labels: readonly string[],
  decode: Extract<Decoding, { kind: "spans" }>,
  inputs: readonly InputSpec[],
): string | undefined {
  if (labels.length !== types.length + 1) return `labels: expected ${types.length + 1}, got ${labels.length}`;
  const spans = inputs.find(({ kind }) => kind === "spans");
  if (spans?.kind !== "spans") return "inputs: lacks the spans";
  const { maxWidth } = spans;
  return decode.maxWidth === maxWidth
    ? undefined
    : `decode.maxWidth: expected ${maxWidth}, as for the spans, got ${quote(decode.maxWidth)}`;
}

/** A tag for each label, and a chain between them. */
function tags(types: readonly string[], labels: readonly string[]): Shape {
  const count = labels.length;
  const tag: Shape = (value, path) =>
    fields({ role: oneOf("O", "B", "I", "E", "S"), type: text })(value, path) ??
    ((value as { role: string }).role === "O" ? undefined : fields({ type: oneOf(...types) })(value, path));
  const chain = {
    start: list(finite, count),
    transitions: list(finite, count * count),
    end: list(finite, count),
  };
  return fields({ tags: list(tag, Math.max(1, count)), chain: fields(chain) });
}
