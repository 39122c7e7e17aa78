import { beforeAll, describe, expect, it } from "vitest";
import { widthOf } from "../../src/cli/terminal.ts";
import { columns, makeFolder, type Outcome, run, sharedFolder } from "./lacuna.ts";
import { tiny, trainTiny } from "./tiny.ts";

/** Names that are longer than any column is wide. */
const type = "a_type_with_a_name_longer_than_a_column";
const gold = columns(
  [
    `Ada/B-PER met/O Bob/B-PER in/O the/O Bank/B-${type} of/I-${type} Lima/I-${type} ./O`,
    `Bob/B-PER left/O Lima/B-LOC and/O Ada/O stayed/O in/O Oslo/B-LOC with/O 北京/B-LOC ./O`,
    "Ada/B-PER met/O Bob/B-PER ./O",
    "Ada/B-PER met/O Bob/O ./O",
  ].join(" | "),
);
const predicted = gold.replaceAll("B-LOC", "B-PER");
const incomplete = gold.replace("Oslo\tB-LOC", "Oslo\tUNK");

const folder = sharedFolder({
  "gold.conll": gold,
  "other.conll": gold,
  "pred.conll": predicted,
  "gaps.conll": incomplete,
  "one.conll": columns("Ada/B-PER"),
  "people.txt": "Ada\nBob\nAt\nnever found\n",
  "terms.tsv": `Ada\t${type}\nLima\tLOC\nIt\tLOC\n`,
  "notes.txt": "Ada met Bob in Lima. It rained at night.\nAt noon it rained in Lima as it had at dawn.\n",
});

beforeAll(() => trainTiny(folder, "model"), 60_000);

const commands: readonly [string, string[]][] = [
  [
    "label",
    ["label", "--dict", "people.txt=PER", "--dict", "terms.tsv", "--in", "notes.txt", "--out", "labelled.jsonl"],
  ],
  ["label without a match", ["label", "--dict", "people.txt", "--in", "one.conll", "--out", "o.jsonl", "--replace"]],
  ["mask", ["mask", "--in", "gold.conll", "--out", "m.conll", "--hidden", "h.conll", "--rate", "0.5"]],
  ["check", ["check", "gold.conll", "other.conll", "--sample", "gold.conll", "--limit", "0.01", "--missing", "0.5"]],
  ["check of one sentence", ["check", "one.conll"]],
  ["convert", ["convert", "--in", "pred.conll", "--out", "c.jsonl", "--to", "spacy", "--list-losses"]],
  ["evaluate", ["evaluate", "--gold", "gold.conll", "--pred", "pred.conll", "--errors", "--interval"]],
  ["evaluate against others", ["evaluate", "--gold", "gold.conll", "--pred", "gold.conll", "--versus", "pred.conll"]],
  ["evaluate on gaps", ["evaluate", "--gold", "gaps.conll", "--pred", "pred.conll", "--silence", "unknown"]],
  ["evaluate a model", ["evaluate", "--model", "model", "--data", "gold.conll"]],
  ["tag", ["tag", "--model", "model", "--in", "notes.txt", "--out", "tagged.txt"]],
  ["train", ["train", "--train", "corpus.conll", "--dev", "gold.conll", "--out", "new", "--epochs", "1", ...tiny]],
  ["experiment", ["experiment", "sample", "--out", "results", "--list"]],
  ...["label", "mask", "check", "train", "evaluate", "tag", "convert", "import", "experiment", "demo", "cache"].map(
    (name): [string, string[]] => [`${name} --help`, [name, "--help"]],
  ),
  ["--help", ["--help"]],
];

describe.each([60, 80, 120])("within %i columns", (width) => {
  it.each(commands)("%s holds", async (name, args) => {
    const out = name === "train" ? args.map((arg) => (arg === "new" ? `new-${width}` : arg)) : args;
    const { code, stdout, stderr } = await run(folder, out, "", { COLUMNS: String(width) });
    expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
    expect(tooLong({ stdout, stderr }, width)).toEqual([]);
    expect(`${stdout}${stderr}`).not.toMatch(
      /\b1 (documents|sentences|tokens|entities|spans|names|places|surfaces|labels|matches|runs|epochs|errors|types)\b/,
    );
  });
});

function tooLong({ stdout, stderr }: Pick<Outcome, "stdout" | "stderr">, width: number): string[] {
  return `${stdout}${stderr}`.split("\n").filter((line) => widthOf(line) > width);
}

describe("colours", () => {
  const bad = ["check", "none.conll"];

  it("are left out where nobody asked for them, and where NO_COLOR stands", async () => {
    const folder = makeFolder();
    for (const environment of [{}, { NO_COLOR: "1" }, { FORCE_COLOR: "0" }]) {
      const { stderr } = await run(folder, bad, "", environment);
      expect(stderr).toBe("lacuna: none.conll: no such file\n");
    }
  });

  it("are there when FORCE_COLOR asks for them", async () => {
    const { stderr } = await run(makeFolder(), bad, "", { FORCE_COLOR: "1" });
    expect(stderr).toBe("\u001b[31mlacuna:\u001b[39m none.conll: no such file\n");
    const { stdout } = await run(makeFolder(), ["check", "--help"], "", { FORCE_COLOR: "1" });
    expect(stdout).toContain("\u001b[1mOptions:\u001b[22m");
  });
});

it("does not cut anything in a pipe that says no width", async () => {
  const { stdout } = await run(folder, ["check", "gold.conll"]);
  expect(stdout).toContain(type);
});
