import { own } from "../util/own.ts";
import { fields, flag, list, oneOf, optional, type Shape, text, whole } from "../util/shape.ts";
import type { InputSpec } from "./input-spec.ts";

/** Wider, deeper or longer than any model has it; what a file claims beyond it is not allocated. */
const most = 8192;

const names = (...parts: readonly string[]): Shape => fields(Object.fromEntries(parts.map((part) => [part, text])));
const entries = fields({ file: text, key: optional(text) });
const layout = { tokenizer: text, capacity: whole(1, most), overlap: whole(0, most) };

/** What an entry of each kind must have. */
const kinds: { readonly [K in InputSpec["kind"]]: Shape } = {
  mask: fields({ input: text }),
  tokens: fields({ input: text, of: oneOf("word", "pair"), entries }),
  spelling: fields({ characters: text, words: text, entries }),
  shapes: fields({ input: text, patterns: list(text) }),
  subwords: fields({
    ...layout,
    inputs: names("ids", "visible", "first", "last", "mask", "buckets"),
    padding: whole(0),
    buckets: whole(0, most),
  }),
  "words-at": fields({
    ids: text,
    at: text,
    file: text,
    perToken: whole(1, most),
    positions: (value, path) => (value === "tokens" ? undefined : fields(layout)(value, path)),
  }),
  "word-sets": fields({ ids: text, places: text, file: text }),
  "word-lattice": fields({
    inputs: names("ids", "sources", "visible", "pairs", "relations", "distances"),
    file: text,
    width: whole(1, most),
    wordsAsk: flag,
  }),
  dictionary: fields({ input: text, file: text, anyCase: flag }),
  characters: fields({
    inputs: names("forward", "backward", "forwardAt", "backwardAt"),
    characters: text,
    unknown: whole(0),
    before: text,
    after: text,
  }),
  spans: fields({ starts: text, ends: text, maxWidth: whole(1, most) }),
};

/** An entry of `inputs` in `lacuna.json`. */
export const inputSpec: Shape = (value, path) => {
  const fault = fields({ kind: text })(value, path);
  if (fault !== undefined) return fault;
  const { kind } = value as InputSpec;
  const shape = own<Shape>(kinds, kind);
  if (shape === undefined) return `${path}: unknown kind "${kind}"; the model was exported by a newer version`;
  return shape(value, path);
};
