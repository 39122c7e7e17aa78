import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type DictionaryOptions, readDictionary } from "./dictionary.ts";

const folder = mkdtempSync(join(tmpdir(), "lacuna-dictionary-"));
afterAll(() => rmSync(folder, { recursive: true }));

function read(name: string, content: string | Buffer, options: DictionaryOptions = {}) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return readDictionary(path, options);
}

/** The message of a refusal, without the folder. */
async function refusal(name: string, content: string | Buffer, options: DictionaryOptions = {}): Promise<string> {
  const outcome = await read(name, content, options).then(
    () => "not refused",
    (error: Error) => `${error.name}: ${error.message}`,
  );
  return outcome.replace(`${folder}/`, "");
}

describe("a dictionary of one surface a line", () => {
  it("has its type from the file's name, or from the caller, or none", async () => {
    expect(await read("person.txt", "Ada\nBob Hope\n")).toEqual([
      { surface: "Ada", type: "person", dictionary: "person.txt" },
      { surface: "Bob Hope", type: "person", dictionary: "person.txt" },
    ]);
    expect(await read("person.txt", "Ada", { type: "PER", name: "people" })).toEqual([
      { surface: "Ada", type: "PER", dictionary: "people" },
    ]);
    expect(await read("Brand", "Ada", { untyped: true })).toEqual([{ surface: "Ada", dictionary: "Brand" }]);
  });

  it("may have a byte-order mark, empty lines, spaces at the ends and any line breaks", async () => {
    const surfaces = (await read("d.txt", "\uFEFF Ada \r\n\r\n  \n中国\r\nlast")).map(({ surface }) => surface);
    expect(surfaces).toEqual(["Ada", "中国", "last"]);
  });

  it("is read whole when it is larger than a chunk of the file system", async () => {
    const lines = Array.from({ length: 60_000 }, (_, i) => `Größe ${i}`);
    const entries = await read("d.txt", lines.join("\n"));
    expect(entries.map(({ surface }) => surface)).toEqual(lines);
  });

  it("refuses a line with a tab", async () => {
    expect(await refusal("d.txt", "Ada\nBob\tPER\n")).toBe(
      'InputError: d.txt:2: dictionary: expected one surface, as on the first line, got a tab: "Bob\\tPER"',
    );
  });
});

describe("a dictionary of two columns", () => {
  it("names a type on each line, in the declared order", async () => {
    const expected = [
      { surface: "Ada L.", type: "PER", dictionary: "d.tsv" },
      { surface: "Rome", type: "LOC", dictionary: "d.tsv" },
    ];
    expect(await read("d.tsv", "Ada L.\tPER\nRome\tLOC\n")).toEqual(expected);
    expect(await read("d.tsv", "PER\tAda L.\nLOC\tRome\n", { columns: "type-surface" })).toEqual(expected);
    expect((await read("d.txt", "Rome\tLOC"))[0]).toMatchObject({ surface: "Rome", type: "LOC" });
  });

  it.each([
    ["Ada\tPER\nBob\n", 'd.tsv:2: dictionary: expected surface<TAB>type, got 1 column: "Bob"'],
    ["Ada\tPER\na\tb\tc\n", 'd.tsv:2: dictionary: expected surface<TAB>type, got 3 columns: "a\\tb\\tc"'],
    ["Ada\t \tPER\n", "d.tsv:1: dictionary: expected surface<TAB>type, or a first line that names the columns"],
  ])("refuses %j", async (content, message) => {
    expect(await refusal("d.tsv", content)).toContain(`InputError: ${message}`);
  });

  it("refuses a type that the caller declares besides", async () => {
    expect(await refusal("d.tsv", "Ada\tPER\n", { type: "LOC" })).toBe(
      'InputError: d.tsv:1: dictionary: declared as "LOC", but its lines name types themselves: "Ada\\tPER"',
    );
    expect(await refusal("d.tsv", "Ada\tPER\n", { untyped: true })).toContain(
      "d.tsv:1: dictionary: declared as a dictionary without types, but its lines name types",
    );
  });
});

describe("a dictionary of patterns", () => {
  const line = (value: unknown): string => `${JSON.stringify(value)}\n`;

  it("has texts, or lists of tokens", async () => {
    const content =
      line({ label: "ORG", pattern: "Acme" }) +
      line({ label: "LOC", pattern: [{ orth: "New" }, { TEXT: "York" }], id: "ny" });
    expect(await read("p.jsonl", content)).toEqual([
      { surface: "Acme", type: "ORG", dictionary: "p.jsonl" },
      { surface: "New York", type: "LOC", dictionary: "p.jsonl" },
    ]);
  });

  it("may ask for any case where case is folded", async () => {
    const content = line({ label: "FRUIT", pattern: [{ lower: "apple" }] });
    expect(await read("p.jsonl", content, { anyCase: true })).toEqual([
      { surface: "apple", type: "FRUIT", dictionary: "p.jsonl" },
    ]);
    expect(await refusal("p.jsonl", content)).toContain(
      'p.jsonl:1: dictionary: the pattern asks for any case ("lower")',
    );
  });

  it.each([
    ["{oops\n", "p.jsonl:1: dictionary: expected a JSON object"],
    [line({ label: "X" }), 'p.jsonl:1: dictionary: expected "label", a text, and "pattern"'],
    [line({ label: "", pattern: "a" }), 'p.jsonl:1: dictionary: expected "label"'],
    [line({ label: "X", pattern: " " }), "p.jsonl:1: dictionary: the pattern is empty"],
    [
      line({ label: "X", pattern: [{ orth: "a", op: "+" }] }),
      "p.jsonl:1: dictionary: expected tokens with one of orth",
    ],
    [line({ label: "X", pattern: [{ pos: "NOUN" }] }), 'got {"pos":"NOUN"}'],
    [line({ label: "X", pattern: [{}] }), "got {}"],
  ])("refuses %j", async (content, message) => {
    expect(await refusal("p.jsonl", content)).toContain(message);
  });
});

describe("a file that is no dictionary", () => {
  it.each<[string, string | Buffer, string]>([
    ["empty", "", "d.txt: dictionary: expected at least one entry, the file has none"],
    ["nothing but white space", "\n \r\n", "d.txt: dictionary: expected at least one entry, the file has none"],
    ["invalid UTF-8", Buffer.from("Ada\nB\xf6b\n", "latin1"), "d.txt:2: expected lines of UTF-8 text, found bytes"],
    ["binary", Buffer.from([0x41, 0x0a, 0x00, 0x01, 0x02]), "d.txt:2: expected lines of UTF-8 text, found bytes"],
    ["one endless line", "a".repeat((1 << 24) + 300_000), "d.txt:1: the line is longer than 16777216 bytes"],
  ])("is refused: %s", async (_, content, message) => {
    expect(await refusal("d.txt", content)).toContain(`InputError: ${message}`);
  });

  it("may hold the replacement character as text", async () => {
    expect((await read("d.txt", "a\uFFFDb"))[0]!.surface).toBe("a\uFFFDb");
  });
});

describe("a dictionary as CSV", () => {
  const entry = (surface: string, type: string) => ({ surface, type, dictionary: "d.csv" });

  it("names its columns in a head, in any order and beside others", async () => {
    const content = 'id,Entity Type,Name\n1,DRUG,aspirin\n2,DRUG,"valproic acid, sodium"\n3,GENE,"the ""as"" gene"\n';
    expect(await read("d.csv", content)).toEqual([
      entry("aspirin", "DRUG"),
      entry("valproic acid, sodium", "DRUG"),
      entry('the "as" gene', "GENE"),
    ]);
  });

  it("has a surface and a type in each line without one, in the declared order", async () => {
    expect(await read("d.csv", "aspirin,DRUG\r\nRome,LOC\r\n")).toEqual([
      entry("aspirin", "DRUG"),
      entry("Rome", "LOC"),
    ]);
    const turned = { columns: "type-surface" } as const;
    expect(await read("d.csv", 'DRUG,"aspirin"\n', turned)).toEqual([entry("aspirin", "DRUG")]);
    expect(await read("d.csv", "aspirin;DRUG\nx;y\n")).toEqual([entry("aspirin", "DRUG"), entry("x", "y")]);
  });

  it("may have surfaces alone, with the type of the file", async () => {
    expect(await read("d.csv", "term\naspirin\n", { type: "DRUG" })).toEqual([entry("aspirin", "DRUG")]);
    expect(await read("d.csv", '"a, b"\naspirin\n', { type: "DRUG" })).toEqual([
      entry("a, b", "DRUG"),
      entry("aspirin", "DRUG"),
    ]);
  });

  it("is told by its head under another ending, and commas in names do not make one", async () => {
    expect(await read("d.txt", "name,type\naspirin,DRUG\n")).toMatchObject([{ surface: "aspirin", type: "DRUG" }]);
    expect(await read("d.txt", "Smith, John\nname\n")).toMatchObject([{ surface: "Smith, John" }, { surface: "name" }]);
    expect(await read("d.tsv", "term\ttype\naspirin\tDRUG\n")).toMatchObject([{ surface: "aspirin", type: "DRUG" }]);
  });

  it.each([
    [
      "a,b,c\n",
      'd.csv:1: dictionary: expected surface,type, or a first line that names the columns (such as name and type), got 3 columns: "a,b,c"',
    ],
    ["a,b\nc\n", 'd.csv:2: dictionary: expected surface,type, got 1 column: "c"'],
    ["name,type\n,x\n", 'd.csv:2: dictionary: expected surface,type, got 2 columns: ",x"'],
    ['a,"b\nc",d\n', "d.csv:1: dictionary: a quoted cell does not end on its line"],
    ["name,type\n", "d.csv: dictionary: expected at least one entry, the file has none"],
  ])("refuses %j", async (content, message) => {
    expect(await refusal("d.csv", content)).toContain(`InputError: ${message}`);
  });

  it("refuses a type that the caller declares besides", async () => {
    expect(await refusal("d.csv", "name,type\na,b\n", { type: "X" })).toContain(
      'd.csv:1: dictionary: declared as "X", but',
    );
  });
});

it("reads dictionaries in other encodings, by their mark or when told", async () => {
  expect(await read("d.txt", Buffer.from("\ufeffMüller\n", "utf16le"))).toMatchObject([{ surface: "Müller" }]);
  const latin = Buffer.from("M\u00fcller\n", "latin1");
  expect(await read("d.txt", latin, { encoding: "latin1" })).toMatchObject([{ surface: "Müller" }]);
  expect(await refusal("d.txt", latin)).toContain("name it, such as --dict-encoding latin1");
});
