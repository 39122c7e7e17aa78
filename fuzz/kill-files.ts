import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exported } from "./targets/encoders.ts";
import { config, wordPieces } from "./targets/tokenizers.ts";

const people = ["Ada", "Bob", "Eve", "Ivan", "Mia", "Tom"];
const places = ["Paris", "Rome", "Oslo", "Lima", "Cairo", "Bonn"];

/** Inputs for the commands: a corpus that a model learns in a second, and texts that take a while to read. */
export function writeInputs(folder: string, lines: number): void {
  const sentence = (i: number): [string, string][] => [
    [people[i % 6]!, "B-PER"],
    ["lives", "O"],
    ["in", "O"],
    [places[(i * 5 + (i >> 3)) % 6]!, "B-LOC"],
    [".", "O"],
  ];
  const columns = (count: number): string =>
    Array.from(
      { length: count },
      (_, i) =>
        `${sentence(i)
          .map((pair) => pair.join("\t"))
          .join("\n")}\n\n`,
    ).join("");
  const text = (count: number): string =>
    Array.from(
      { length: count },
      (_, i) =>
        `${sentence(i)
          .map(([word]) => word)
          .join(" ")}\n`,
    ).join("");
  const suspicion = (i: number): string => {
    const [[name]] = sentence(i) as [[string, string]];
    const place = { document: i + 1, start: 0, end: name.length, text: name, type: "PER", given: null };
    return `${JSON.stringify({ kind: "missing", score: 0.9, ...place, reasons: ["why"], group: name })}\n`;
  };
  const files = {
    "small.conll": columns(120),
    "large.conll": columns(lines),
    "large.txt": text(lines / 5),
    "small.txt": text(1000),
    "audit.jsonl": Array.from({ length: lines / 5 }, (_, i) => suspicion(i)).join(""),
    "names.tsv": [...people.map((name) => `${name}\tPER`), ...places.map((name) => `${name}\tLOC`)].join("\n"),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  mkdirSync(join(folder, "bert"));
  const sizes = { ...config, hidden_size: 64, vocab_size: 100_000 };
  writeFileSync(join(folder, "bert", "model.onnx"), exported("Cast", sizes));
  writeFileSync(join(folder, "bert", "config.json"), JSON.stringify(sizes));
  writeFileSync(join(folder, "bert", "tokenizer.json"), JSON.stringify(wordPieces));
  mkdirSync(join(folder, "study"));
  const study = `title: T
purpose: P
data: { toy: { train: small.conll, dev: small.conll, test: small.conll } }
settings: { epochs: 2, batchTokens: 64, rate: 0.02, encoder: { units: 16, wordWidth: 16 }, head: { hidden: 16 } }
seeds: [1, 2]
`;
  writeFileSync(join(folder, "study", "study.yaml"), study);
}
