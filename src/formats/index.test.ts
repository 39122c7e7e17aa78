import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Document, makeSentence } from "../text/document.ts";
import { tokenise } from "../text/tokenise.ts";
import { InputError } from "../util/errors.ts";
import { conll } from "./conll.ts";
import { formatToRead } from "./detect.ts";
import { formats, readAll, readDocuments, writeDocuments } from "./index.ts";
import { streamSource } from "./source.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lacuna-test-"));
});
afterEach(() => rm(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
async function put(name: string, content: string): Promise<string> {
  await writeFile(at(name), content);
  return at(name);
}

const anna = tokenise("Anna left.", { entities: [{ start: 0, end: 4, type: "PER" }] });
const scored = tokenise("Bob", { entities: [{ start: 0, end: 3, type: "PER", score: 0.5 }] });
const nested = tokenise("Bank of Japan", {
  entities: [
    { start: 0, end: 13, type: "ORG" },
    { start: 8, end: 13, type: "LOC" },
  ],
});

describe("reading", () => {
  it.each([
    ["data.conll", "Anna\tB-PER\n"],
    ["data.txt", "Anna B-PER\n"],
    ["data.jsonl", '{"text":"Anna","entities":[[0,4,"PER"]]}\n'],
    ["a.jsonl", '{"text":"Anna","spans":[{"start":0,"end":4,"label":"PER"}],"answer":"accept"}\n'],
    ["b.jsonl", '{"text":"Anna","label":[[0,4,"PER"]]}\n'],
    ["c.jsonl", '{"text":"Anna","entities":[{"start_offset":0,"end_offset":4,"label":"PER"}],"relations":[]}\n'],
    [
      "d.json",
      '[{"data":{"text":"Anna"},"annotations":[{"result":[{"value":{"start":0,"end":4,"labels":["PER"]}}]}]}]',
    ],
    ["e.json", '{"tokens":["Anna"],"ner_tags":["B-PER"]}'],
    ["f.json", `[ {"sentence":"['Anna']","labeled entities":"[(0,0,'PER')]"} ]`],
    ["g.json", '[{"tokens":["Anna"],"entities":[[0,0,"PER"]]}]'],
    ["h.json", '{"doc_key":"x","sentences":[["Anna"]],"ner":[[[0,0,"PER"]]]}'],
    [
      "i.jsonl",
      '{"lacuna":1,"text":"Anna","sentences":[{"tokens":[0,4],"entities":[{"start":0,"end":1,"type":"PER"}]}]}',
    ],
  ])("finds the format of %s", async (name, content) => {
    const [document] = await readAll([await put(name, content)]);
    expect(document!.sentences[0]!.entities).toMatchObject([{ start: 0, end: 1, type: "PER" }]);
  });

  it.each([
    ["words", "Anna left.\nWho was it ?\n"],
    ["a question", "Who was it ?\n"],
    ["questions of one length", "Who was it ?\nWhat was it ?\nWhy was it ?\n"],
    ["a line that ends like columns", "He took vitamin O\nThen he left\nAt last\n"],
    ["brackets", "[1] Anna left.\n{x} too.\n"],
  ])("reads %s in a .txt file as plain text, a document a line", async (_, content) => {
    const documents = await readAll([await put("notes.txt", content)]);
    expect(documents.map(({ text }) => `${text}\n`).join("")).toBe(content);
  });

  it("goes through several files in order", async () => {
    const paths = [await put("a.conll", "a O\n\nb O\n"), await put("b.conll", "c O\n")];
    expect((await readAll(paths)).map(({ text }) => text)).toEqual(["a", "b", "c"]);
  });

  it.each([
    ["a directory", () => folder, "expected a file, got a directory"],
    ["a file that is not there", () => at("none.conll"), "no such file"],
    [
      "a file below a file",
      async () => join(await put("x", ""), "y.conll"),
      "no such file: a part of the path is not a directory",
    ],
  ])("refuses %s in one line", async (_, path, message) => {
    const where = await path();
    await expect(readAll([where])).rejects.toThrow(new InputError(message, { file: where }));
  });

  it.each(formats.filter(({ storage }) => storage === "file").map(({ name }) => name))(
    "refuses a directory as %s",
    async (format) => {
      await expect(readAll([folder], { format })).rejects.toThrow(`${folder}: expected a file, got a directory`);
    },
  );

  it("refuses what no format begins with, and names the formats", async () => {
    const path = await put("notes", "Just some words.\n");
    await expect(readAll([path])).rejects.toThrow(
      `${path}: the format cannot be told from the beginning; name it with --from (known: lacuna, conll,`,
    );
    await expect(readAll([path], { format: "connl" })).rejects.toThrow('unknown format "connl" (known: lacuna, conll,');
  });

  it("opens nothing before the first document is asked for, and stops when the caller does", async () => {
    const unused = readDocuments(at("none.conll"));
    await expect(unused.return(undefined)).resolves.toMatchObject({ done: true });
    const path = await put("a.conll", "a O\n\nb O\n\nc O\n");
    const texts: string[] = [];
    for await (const { text } of readDocuments(path)) {
      texts.push(text);
      if (text === "b") break;
    }
    expect(texts).toEqual(["a", "b"]);
  });

  it("reads a pipe twice where the format needs it, and leaves no file behind", async () => {
    const scratch = at("scratch");
    await mkdir(scratch);
    vi.stubEnv("TMPDIR", scratch);
    const pipe = streamSource(Readable.from([Buffer.from("a\tO\n"), Buffer.from("\nb\tUNK\n")]), "<stdin>");
    expect(await formatToRead(pipe, formats, {})).toBe(conll);
    const complete: unknown[] = [];
    for await (const { sentences } of conll.read(pipe, {})) {
      expect(await readdir(scratch)).toHaveLength(1);
      complete.push(sentences[0]!.complete);
    }
    expect(complete).toEqual([[{ start: 0, end: 1 }], []]);
    expect(await readdir(scratch)).toEqual([]);
    vi.unstubAllEnvs();
  });
});

describe("writing", () => {
  it("chooses the format by the name of the file", async () => {
    await writeDocuments(at("a.jsonl"), [anna]);
    expect(await readFile(at("a.jsonl"), "utf8")).toContain('"lacuna":1');
    await writeDocuments(at("a.bio"), [makeDocument("Anna left .", [0, 4, 5, 9, 10, 11])]);
    expect(await readFile(at("a.bio"), "utf8")).toBe("Anna\tO\nleft\tO\n.\tO\n\n");
    await expect(writeDocuments(at("a.json"), [anna])).rejects.toThrow(
      "the format cannot be told from the name; name it with --to",
    );
  });

  it("takes documents from a generator", async () => {
    async function* documents() {
      yield anna;
      yield nested;
    }
    await writeDocuments(at("a.jsonl"), documents());
    expect(await readAll([at("a.jsonl")])).toEqual([anna, nested]);
  });

  it("stops at what the format cannot express, and leaves the old file and nothing else", async () => {
    const path = await put("out.jsonl", "old");
    await expect(writeDocuments(path, [anna, nested], { format: "spacy" })).rejects.toThrow(
      new InputError(
        'spacy cannot express overlapping entities: LOC "Japan" (--list-losses leaves out and lists what is lost, --to lacuna keeps everything)',
        { file: path },
      ),
    );
    expect(await readFile(path, "utf8")).toBe("old");
    expect(await readdir(folder)).toEqual(["out.jsonl"]);
  });

  it("lists what is lost when asked to, with counts and the first example", async () => {
    const losses = await writeDocuments(at("out.jsonl"), [nested, scored, nested], { format: "spacy", onLoss: "list" });
    expect(losses).toEqual([
      { what: "overlapping entities", count: 2, example: 'LOC "Japan"' },
      { what: "scores", count: 1, example: 'PER "Bob" with 0.5' },
    ]);
    const [first] = await readAll([at("out.jsonl")]);
    expect(first!.sentences[0]!.entities).toEqual([{ start: 0, end: 3, type: "ORG" }]);
  });

  it("leaves the old file when the documents fail to come", async () => {
    const path = await put("out.jsonl", "old");
    async function* failing() {
      yield anna;
      throw new InputError("the source broke off");
    }
    await expect(writeDocuments(path, failing())).rejects.toThrow("the source broke off");
    expect(await readFile(path, "utf8")).toBe("old");
    expect(await readdir(folder)).toEqual(["out.jsonl"]);
  });

  it("refuses a directory and a folder that is not there", async () => {
    await expect(writeDocuments(folder, [anna], { format: "lacuna" })).rejects.toThrow(
      `${folder}: expected a file to write, got a directory`,
    );
    const path = join(folder, "none", "a.jsonl");
    await expect(writeDocuments(path, [anna])).rejects.toThrow(
      `${path}: cannot be written: the folder ${join(folder, "none")} does not exist`,
    );
  });

  it("keeps large files whole", async () => {
    const many = Array.from({ length: 3000 }, (_, i) => ({ ...anna, id: String(i) }));
    await writeDocuments(at("many.jsonl"), many);
    expect(await readAll([at("many.jsonl")])).toEqual(many);
  });
});

describe("a brat folder", () => {
  it("has a text and its annotations for each document", async () => {
    await writeDocuments(at("corpus"), [{ id: "one", ...nested }, anna], { format: "brat" });
    expect((await readdir(at("corpus"))).sort()).toEqual([
      "one.ann",
      "one.txt",
      "untitled-000002.ann",
      "untitled-000002.txt",
    ]);
    expect(await readFile(at("corpus/one.ann"), "utf8")).toBe("T1\tORG 0 13\tBank of Japan\nT2\tLOC 8 13\tJapan\n");
    expect(await readAll([at("corpus")])).toEqual([{ id: "one", ...nested }, anna]);
    expect(await readAll([at("corpus/one.ann")])).toEqual([{ id: "one", ...nested }]);
  });

  async function corpus(text: string, annotations: string): Promise<string> {
    await mkdir(at("c"), { recursive: true });
    await put("c/d.txt", text);
    await put("c/d.ann", annotations);
    return at("c");
  }

  it("counts code points and line breaks as they stand, and passes over what is no entity", async () => {
    const path = await corpus(
      "👍\r\nJapan won",
      "T1\tLOC 3 8\tJapan\nR1\tX Arg1:T1 Arg2:T1\n#1\tNote T1\tx\nA1\tNeg T1\n\n",
    );
    const [document] = await readAll([path]);
    expect(document!.sentences[0]!.entities).toEqual([{ start: 1, end: 2, type: "LOC" }]);
  });

  it("joins pieces with white space between, and leaves others undecided", async () => {
    const path = await corpus("New\nYork and New City", "T1\tLOC 0 3;4 8\tNew York\nT2\tLOC 13 16;0 3\tNew New\n");
    const [document] = await readAll([path]);
    expect(document!.sentences[0]).toMatchObject({ entities: [{ start: 0, end: 2 }], unsure: [{ start: 0, end: 4 }] });
    await expect(readAll([path], { strict: true })).rejects.toThrow(
      'd.ann:2: brat: an entity must be in one piece, got "13 16;0 3"',
    );
  });

  it("is complete only with an .ann file, and silence negative", async () => {
    await corpus("Hello", "");
    await put("c/e.txt", "World");
    const documents = await readAll([at("c")], { silence: "negative" });
    expect(documents.map(({ sentences }) => sentences[0]!.complete.length)).toEqual([1, 0]);
  });

  it.each([
    ["T1\tLOC 0 9\tJapan\n", "the code-point offset 9 is outside the text (0 to 5)"],
    ["T1\tLOC 0 4\tJapan\n", 'the offsets cover "Japa", but the line says "Japan"'],
    ["T1\t 0 5\tJapan\n", "a label is empty"],
    ["T1 LOC 0 5\n", 'expected an entity such as "T1<TAB>ORG 0 5<TAB>Japan", got "T1 LOC 0 5"'],
    ["junk\n", 'expected an entity such as "T1<TAB>ORG 0 5<TAB>Japan", got "junk"'],
  ])("refuses %j with its line", async (line, message) => {
    const path = await corpus("Japan", `T0\tORG 0 5\tJapan\n${line}`);
    await expect(readAll([path])).rejects.toThrow(`d.ann:2: brat: ${message}`);
  });

  it("refuses annotations without a text, two types on a span, and two documents of one name", async () => {
    const path = await corpus("Japan", "T1\tLOC 0 5\tJapan\nT2\tORG 0 5\tJapan\n");
    await expect(readAll([path])).rejects.toThrow("one span has two types: LOC [0, 5) and ORG [0, 5)");
    await put("c/x.ann", "");
    await rm(at("c/d.ann"));
    await expect(readAll([path])).rejects.toThrow("x.ann: brat: there is no .txt file beside it");
    const twins = [
      { ...anna, id: "a" },
      { ...anna, id: "A" },
    ];
    await expect(writeDocuments(at("twins"), twins, { format: "brat" })).rejects.toThrow(
      'two documents have the id "A"',
    );
    expect((await readdir(folder)).sort()).toEqual(["c"]);
  });

  it("is not written over files that are there, or to standard output", async () => {
    const path = await corpus("Japan", "");
    await expect(writeDocuments(path, [anna], { format: "brat" })).rejects.toThrow(
      "the folder to write exists and is not empty",
    );
    await expect(writeDocuments("-", [anna], { format: "brat" })).rejects.toThrow(
      "cannot be written to standard output",
    );
    await expect(writeDocuments(at("c/d.txt"), [anna], { format: "brat" })).rejects.toThrow(
      "expected a folder to write, got a file",
    );
  });
});

function makeDocument(text: string, offsets: number[]): Document {
  return { text, sentences: [makeSentence(text, Int32Array.from(offsets))] };
}
