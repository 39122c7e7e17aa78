import { describe, expect, it } from "vitest";
import { tokenTexts } from "../text/document.ts";
import { tokenise } from "../text/tokenise.ts";
import { collect, memorySource, readContent, written } from "./documents.suite.ts";
import { text } from "./text.ts";

describe("reading", () => {
  it("makes a document of every line, also of empty ones, and nothing of a last line break", async () => {
    const texts = async (content: string) => (await readContent(text, content)).map((document) => document.text);
    expect(await texts("one\n\n two \nthree")).toEqual(["one", "", " two ", "three"]);
    expect(await texts("one\ntwo\n")).toEqual(["one", "two"]);
    expect(await texts("\n")).toEqual([""]);
    expect(await texts("a\r\nb\rc\r\r\n")).toEqual(["a", "b\rc\r"]);
    expect(await texts("\ufeffa\n\ufeffb\n")).toEqual(["a", "\ufeffb"]);
  });

  it("cuts lines into sentences and tokens, and knows nothing about them", async () => {
    const [document] = await readContent(text, "Anna left. Bob's here.\n");
    expect(document!.sentences.map(tokenTexts)).toEqual([
      ["Anna", "left", "."],
      ["Bob", "'s", "here", "."],
    ]);
    expect(document!.sentences.map(({ entities, complete }) => [entities, complete])).toEqual([
      [[], []],
      [[], []],
    ]);
  });

  it("gives each line as soon as it is there, so that memory does not grow with the file", async () => {
    let pulled = 0;
    const source = {
      ...memorySource(""),
      async *chunks() {
        for (;;) {
          pulled++;
          yield Buffer.from("one line\n");
        }
      },
    };
    const documents = text.read(source, {});
    for (let i = 0; i < 10; i++) expect((await documents.next()).value!.text).toBe("one line");
    await documents.return();
    expect(pulled).toBeLessThan(13);
  });

  it("refuses a line that has no end instead of holding it", async () => {
    const megabyte = Buffer.alloc(1 << 20, "words ");
    let pulled = 0;
    const source = {
      ...memorySource("", 1, "flat.txt"),
      async *chunks() {
        for (;;) {
          pulled++;
          yield megabyte;
        }
      },
    };
    await expect(collect(text.read(source, {}))).rejects.toThrow("flat.txt: a line is longer than 268435456 bytes");
    expect(pulled).toBe(257);
  });

  it("names the line that is not UTF-8", async () => {
    const bytes = Buffer.from("fine\nfine\nna\xefve\n", "latin1");
    await expect(readContent(text, bytes, {}, 7)).rejects.toThrow("memory:3: the line is not valid UTF-8: byte 0xef");
  });
});

describe("writing", () => {
  it("loses annotations and ids, says so, and makes a line of every line of a document", async () => {
    const document = tokenise(
      "Anna left.\r\n\r\nBob stayed.\r",
      { entities: [{ start: 0, end: 4, type: "PER" }] },
      { id: "d" },
    );
    const { content, losses } = await written(text, [document]);
    expect(content).toBe("Anna left.\n\nBob stayed.\n");
    expect(losses).toEqual([
      { what: "document ids", count: 1, example: '"d"' },
      { what: "entities", count: 1, example: 'PER "Anna"' },
      { what: "line breaks within documents", count: 1, example: '"Anna left.\\r\\n\\r\\nBob stayed.\\r"' },
    ]);
  });
});
