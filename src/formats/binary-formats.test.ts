import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Document, surface, tokenTexts } from "../text/document.ts";
import { stateOf } from "../text/states.ts";
import { formatToRead } from "./detect.ts";
import { docbin } from "./docbin.ts";
import { memorySource } from "./documents.suite.ts";
import { formats, readAll, writeDocuments } from "./index.ts";
import { unpack } from "./msgpack.ts";
import { murmur64 } from "./murmur.ts";

const fixture = (name: string): string => fileURLToPath(new URL(`../../test/fixtures/${name}`, import.meta.url));

function entitiesOf({ sentences }: Document): string[] {
  return sentences.flatMap((sentence) => sentence.entities.map((each) => `${each.type} ${surface(sentence, each)}`));
}

describe("a DocBin that spaCy wrote", () => {
  it("has the text, the tokens and the entities, also where words and types are symbols of spaCy", async () => {
    const [travel, quiet] = await readAll([fixture("sample.spacy")]);
    expect(travel!.text).toBe("Ana Lopes moved to Lisbon. 👍🏽 She likes São Paulo.\nThe case of ORG remained.");
    expect(entitiesOf(travel!)).toEqual(["PER Ana Lopes", "LOC Lisbon", "PLACE São Paulo"]);
    expect(entitiesOf(quiet!)).toEqual([]);
    expect(quiet!.sentences.flatMap(tokenTexts)).toEqual(["Nobody", "is", "here", "."]);
  });

  it("says what is unknown: O is a negative there, and a missing tag nothing", async () => {
    const [document] = await readAll([fixture("sample-missing.spacy")]);
    expect(document!.sentences.map(tokenTexts)).toEqual([
      ["Dr", "Kim", "met", "Bo", "in", "Oslo"],
      ["They", "left"],
    ]);
    const [first, second] = document!.sentences;
    const states = [0, 2, 3, 4, 5].map((start) => stateOf(first!, { start, end: start + 1 }));
    expect(states).toEqual(["unknown", "negative", "unknown", "negative", "unknown"]);
    expect(stateOf(second!, { start: 0, end: 1 })).toBe("unknown");
    expect(entitiesOf(document!)).toEqual(["PERSON Kim"]);
  });

  it("reads as the same documents that Doc.to_json describes", async () => {
    const [binary, json] = await Promise.all([
      readAll([fixture("sample.spacy")]),
      readAll([fixture("sample-doc.json")]),
    ]);
    expect(binary).toEqual(json);
  });

  it("is told by its first bytes and by its ending, from standard input too", async () => {
    const bytes = await readFile(fixture("sample.spacy"));
    expect((await formatToRead(memorySource(bytes), formats, {})).name).toBe("docbin");
  });

  it.each([
    ["bytes that are not compressed", Buffer.from("x y z"), "not a DocBin: "],
    ["a file that is cut off", deflateSync(Buffer.alloc(999)).subarray(0, 9), "not a DocBin: "],
    ["something else in MessagePack", deflateSync(Buffer.from([0x93, 1, 2, 3])), "not a DocBin: expected a map"],
    ["a map without tokens", deflateSync(Buffer.from([0x80])), 'attrs must be a list, got "undefined"'],
  ])("refuses %s in one line", async (_, bytes, message) => {
    const reading = docbin.read(memorySource(bytes), {}).next();
    await expect(reading).rejects.toThrow(`memory: docbin: ${message}`);
  });
});

describe("Parquet of a Hugging Face data set", () => {
  const expected = [["PER Ana Lopes", "LOC Lisbon"], [], ["LOC São Paulo"]];

  it.each(["classes.parquet", "classes-gzip.parquet"])("%s has the class labels that the file names", async (name) => {
    const documents = await readAll([fixture(name)]);
    expect(documents.map(entitiesOf)).toEqual(expected);
    expect(documents.map(({ id }) => id)).toEqual(["0", "1", "2"]);
  });

  it("without names needs them, and says how to give them", async () => {
    const path = fixture("numbers.parquet");
    await expect(readAll([path])).rejects.toThrow(
      `${path}: row 1: parquet: the tag 1 is a place in a list of labels: give their names in order with --labels`,
    );
    const documents = await readAll([path], { labels: ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"] });
    expect(documents.map(entitiesOf)).toEqual(expected);
  });

  it("reads O as the caller declares it", async () => {
    const [first] = await readAll([fixture("classes.parquet")], { silence: "negative" });
    expect(stateOf(first!.sentences[0]!, { start: 2, end: 3 })).toBe("negative");
    const [open] = await readAll([fixture("classes.parquet")]);
    expect(stateOf(open!.sentences[0]!, { start: 2, end: 3 })).toBe("unknown");
  });

  it("refuses a file that is cut off, and columns that it does not know", async () => {
    const folder = await mkdtemp(join(tmpdir(), "lacuna-test-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const bytes = await readFile(fixture("classes.parquet"));
    await writeFile(join(folder, "cut.parquet"), bytes.subarray(0, bytes.length / 2));
    await expect(readAll([join(folder, "cut.parquet")])).rejects.toThrow(/cut\.parquet: parquet: cannot be read: /);
    const renamed = Buffer.from(bytes.toString("latin1").replaceAll("ner_tags", "new_tags"), "latin1");
    await writeFile(join(folder, "other.parquet"), renamed);
    await expect(readAll([join(folder, "other.parquet")])).rejects.toThrow(
      'expected a column of tags (ner_tags, tags, labels, ner), got the columns "id", "tokens", "new_tags"',
    );
  });
});

it("formats of bytes are not written, and say what to write instead", async () => {
  await expect(writeDocuments("out.parquet", [])).rejects.toThrow(
    "parquet is read, not written (--to huggingface holds as much)",
  );
  await expect(writeDocuments("out.x", [], { format: "docbin" })).rejects.toThrow(
    "docbin is read, not written (--to spacy-doc holds as much)",
  );
});

describe("MessagePack", () => {
  it.each([
    ["small and negative numbers", [0x92, 0x05, 0xff], [5, -1]],
    ["numbers of 64 bits", [0xcf, 255, 255, 255, 255, 255, 255, 255, 255], 18446744073709551615n],
    ["a float", [0xcb, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0], 1.5],
    ["strings, short and long", [0x92, 0xa2, 0x68, 0x69, 0xd9, 1, 0x61], ["hi", "a"]],
    ["nil, true and false", [0x93, 0xc0, 0xc3, 0xc2], [null, true, false]],
    ["maps", [0x81, 0xa1, 0x61, 0x01], new Map([["a", 1]])],
    ["bytes", [0xc4, 2, 1, 2], Buffer.from([1, 2])],
  ])("holds %s", (_, bytes, value) => {
    expect(unpack(Buffer.from(bytes))).toEqual(value);
  });

  it.each([
    ["a list that is longer than the data", [0xdd, 0x7f, 0xff, 0xff, 0xff], "the data end inside a value"],
    ["a string that is", [0xdb, 0x7f, 0xff, 0xff, 0xff], "the data end inside a value"],
    ["nothing", [], "the data end inside a value"],
    ["lists in lists without end", Array(99).fill(0x91), "values lie deeper than 64"],
    ["an extension", [0xd4, 1, 1], "unknown kind of value 0xd4"],
    ["two values", [1, 2], "there is more after the value"],
  ])("refuses %s", (_, bytes, message) => {
    expect(() => unpack(Buffer.from(bytes))).toThrow(message);
  });
});

/** Values that spaCy's `hash_string` gives. */
it.each([
  ["PER", 4317129024397789502n],
  ["São Paulo and more text", 5493798793996072980n],
  ["👍🏽", 13607523020581129625n],
  ["abcdefgh", 17751780907874141760n],
])("hashes %s as spaCy does", (text, hash) => {
  expect(murmur64(Buffer.from(text))).toBe(hash);
});
