import { describe, expect, it } from "vitest";
import { parseDescription } from "./description.ts";

const file = { bytes: 1, sha256: "0" };
const common = {
  format: "lacuna-export",
  version: 1,
  model: "model.onnx",
  precision: "float32",
  types: ["ORG", "PER"],
  outputs: { scores: "logits", logProbs: "logProbs" },
  files: { "model.onnx": file, "words.json": file },
};
const words = { kind: "tokens", input: "words", of: "word", entries: { file: "words.json", key: "words" } };

/** A model of spans, new for each test. */
const spans = () => ({
  ...structuredClone(common),
  labels: ["O", "ORG", "PER"],
  inputs: [
    { ...words, entries: { ...words.entries } },
    { kind: "spans", starts: "starts", ends: "ends", maxWidth: 4 },
  ] as Record<string, unknown>[],
  decode: { kind: "spans", maxWidth: 4, bias: [0, 0, 0], overlap: "flat", minScore: 0 },
});

/** A tagger. */
const tags = () => ({
  ...structuredClone(common),
  labels: ["O", "B-ORG", "I-ORG"],
  inputs: [{ ...words }] as Record<string, unknown>[],
  decode: {
    ...{ kind: "tags", bias: [0, 0, 0], overlap: "flat", minScore: 0 },
    tags: [
      { role: "O", type: "" },
      { role: "B", type: "ORG" },
      { role: "I", type: "ORG" },
    ],
    chain: { start: [0, 0, -1] as unknown[], transitions: Array(9).fill(0), end: [0, 0, 0] },
  },
});

const parse = (value: unknown): unknown => parseDescription(JSON.stringify(value), "x");

describe("lacuna.json", () => {
  it("is taken as it is when its parts fit together, and may say more", () => {
    expect(parse({ ...spans(), more: true })).toEqual({ ...spans(), more: true });
    expect(parse(tags())).toEqual(tags());
  });

  it.each([
    ["model", "expected a text"],
    ["precision", "expected float32 or int8"],
    ["types", "expected a list"],
    ["labels", "expected a list"],
    ["inputs", "expected a list"],
    ["outputs", "expected an object"],
    ["decode", "expected an object"],
    ["files", "expected an object"],
  ])("is refused without %s", (name, expected) => {
    expect(() => parse({ ...spans(), [name]: null })).toThrow(
      `x: ${name}: ${expected}, got null; export the model again`,
    );
  });

  it.each<[string, (d: ReturnType<typeof spans>) => unknown, string]>([
    ["an unknown kind of input", (d) => Object.assign(d.inputs[0]!, { kind: "constructor" }), "inputs.0: unknown kind"],
    ["words of no file", (d) => Object.assign(d.inputs[0]!, { entries: {} }), "inputs.0.entries.file: expected a text"],
    [
      "spans of no width",
      (d) => Object.assign(d.inputs[1]!, { maxWidth: 0 }),
      "inputs.1.maxWidth: expected a whole number",
    ],
    ["no spans", (d) => d.inputs.pop(), "inputs: lacks the spans"],
    ["two widths", (d) => d.decode.maxWidth++, "decode.maxWidth: expected 4, as for the spans, got 5"],
    ["more types than labels", (d) => d.types.push("X"), "labels: expected 4, got 3"],
    ["a bias too few", (d) => d.decode.bias.pop(), "decode.bias: expected a list of 3, got [0,0]"],
    ["a file elsewhere", (d) => Object.assign(d.files, { "../x": file }), 'files: expected plain names, got "../x"'],
    ["the folder as a file", (d) => Object.assign(d.files, { "..": file }), 'files: expected plain names, got ".."'],
    [
      "a size that is none",
      (d) => Object.assign(d.files, { y: { bytes: -1 } }),
      "files.y.bytes: expected a whole number",
    ],
    ["no model among its files", (d) => Object.assign(d, { model: "toString" }), 'files: lacks the model "toString"'],
  ])("of spans is refused with %s", (_, change, message) => {
    const description = spans();
    change(description);
    expect(() => parse(description)).toThrow(message);
  });

  it.each<[string, (d: ReturnType<typeof tags>) => unknown, string]>([
    [
      "a tag of no type",
      (d) => Object.assign(d.decode.tags[1]!, { type: "X" }),
      "decode.tags.1.type: expected ORG or PER",
    ],
    [
      "a role that is none",
      (d) => Object.assign(d.decode.tags[1]!, { role: "X" }),
      "decode.tags.1.role: expected O or B or",
    ],
    ["a tag too few", (d) => d.decode.tags.pop(), "decode.tags: expected a list of 3"],
    ["half a chain", (d) => d.decode.chain.transitions.pop(), "decode.chain.transitions: expected a list of 9"],
    ["a text in it", (d) => d.decode.chain.start.splice(0, 1, "1"), 'decode.chain.start.0: expected a number, got "1"'],
  ])("of a tagger is refused with %s", (_, change, message) => {
    const description = tags();
    change(description);
    expect(() => parse(description)).toThrow(message);
  });

  it("is refused when it is nested thousands deep, or has a name that changes what objects are", () => {
    const deep = `{"format":"lacuna-export","version":1,"types":${"[".repeat(5000)}${"]".repeat(5000)}}`;
    expect(() => parseDescription(deep, "x")).toThrow("nested more than 200 deep");
    expect(() => parseDescription('{"format":"lacuna-export","__proto__":{}}', "x")).toThrow("__proto__");
  });
});
