import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { unknownId } from "../../inputs/index.ts";
import { makeSentence, type Sentence, tokenise } from "../../text/index.ts";
import { temporaryFolder } from "../transformer/tiny-models.suite.ts";
import { wordVectors } from "../word-vectors.ts";
import { readWordList } from "./word-list.ts";
import { makeWords, openWords, restoreWords, type Words, wordSettings } from "./words.ts";

const settings = wordSettings.parse({ width: 4 });
const read = (text: string): Sentence => tokenise(text).sentences[0]!;
const train = ["南京市长江大桥", "南京大桥", "长江"].map(read);
const list = ["南京", "南京市", "市长", "长江", "大桥", "江大桥", "北京"];

/** What the words find, as texts with their rows. */
function found(words: Words, sentence: Sentence): [string, number][] {
  return words
    .find(sentence)
    .map(({ start, end, row }) => [
      sentence.text.slice(sentence.offsets[2 * start], sentence.offsets[2 * end - 1]),
      row,
    ]);
}

describe("the words of a lexicon", () => {
  it("are all found, also where they overlap", () => {
    const words = makeWords(train, settings, { seed: 1, list });
    expect(found(words, train[0]!).map(([word]) => word)).toEqual(["南京", "南京市", "市长", "长江", "江大桥", "大桥"]);
  });

  it("have a vector of their own where training has them often enough, the others share one", () => {
    const words = makeWords(train, settings, { seed: 1, list });
    const rows = new Map(found(words, read("南京市长江大桥北京")));
    const [nanjing, river, bridge] = ["南京", "长江", "大桥"].map((word) => rows.get(word)!);
    expect(new Set([nanjing, river, bridge, unknownId, 0]).size).toBe(5);
    for (const word of ["南京市", "市长", "江大桥", "北京"]) expect(rows.get(word)).toBe(unknownId);
    expect(words.table.values.length).toBe((3 + 2) * 4);
  });

  it("are found over the characters of tokens, whatever their case, width and spaces", () => {
    const words = makeWords(train, settings, { seed: 1, list: ["AA制", "new york", "卡拉OK"] });
    const texts = (text: string, offsets: number[]): string[] =>
      found(words, makeSentence(text, Int32Array.from(offsets))).map(([word]) => word);
    expect(texts("a A 制", [0, 1, 2, 3, 4, 5])).toEqual(["a A 制"]);
    expect(texts("卡拉ＯＫ", [0, 1, 1, 2, 2, 4])).toEqual(["卡拉ＯＫ"]);
    expect(texts("in New York", [0, 2, 3, 6, 7, 11])).toEqual(["New York"]);
    // A word ends where a token ends.
    expect(texts("卡拉OKs", [0, 1, 1, 2, 2, 5])).toEqual([]);
  });

  const vectors = wordVectors(
    ["大", "北京", "长江", "上海", "市长"],
    Float32Array.from({ length: 10 }, (_, i) => i),
  );

  it("take pretrained vectors: the first so many, and all that training has", () => {
    const words = makeWords(train, wordSettings.parse({ pretrainedWords: 2 }), { seed: 1, vectors });
    expect(words.settings.width).toBe(2);
    const row = (text: string): number[] | undefined => {
      const [match] = words.find(read(text));
      return match && [...words.table.values.subarray(2 * match.row, 2 * match.row + 2)];
    };
    expect(row("北京")).toEqual([2, 3]);
    expect(row("长江")).toEqual([4, 5]);
    expect(row("市长")).toEqual([8, 9]);
    // Beyond the first two and not in training; a single character is no word.
    expect(row("上海")).toBeUndefined();
    expect(row("大")).toBeUndefined();
  });

  it("come from the list where there are both, with or without a vector", () => {
    const words = makeWords(train, wordSettings.parse({}), { seed: 1, vectors, list: [...list, "上海"] });
    const rows = new Map(found(words, read("上海南京市长")));
    expect([...words.table.values.subarray(2 * rows.get("上海")!, 2 * rows.get("上海")! + 2)]).toEqual([6, 7]);
    expect(rows.get("南京")).not.toBe(unknownId);
    expect(rows.get("南京市")).toBe(unknownId);
  });

  it("come back from settings and files, with empty vectors", () => {
    const words = makeWords(train, settings, { seed: 1, list });
    const again = restoreWords(words.settings, words.files());
    const text = read("南京市长江大桥北京");
    expect(found(again, text)).toEqual(found(words, text));
    expect(again.files()).toEqual(words.files());
    expect(again.table.values).toEqual(new Float32Array(words.table.values.length));
    expect(() => restoreWords(settings, {})).toThrow("the model has no file words.json");
  });
});

describe("a list of words", () => {
  it("is a file with one on each line; a single character is no word", async () => {
    const file = join(await temporaryFolder(), "words.txt");
    await writeFile(file, "\uFEFF南京\r\n\r\n桥\n𠮷\n𠮷野家\n");
    expect(await readWordList(file)).toEqual(["南京", "𠮷野家"]);
  });

  it("may be the dictionary of an installed package, and is so where none is named", async () => {
    const folder = await temporaryFolder();
    const installed = join(folder, "node_modules/@node-rs/jieba");
    await mkdir(installed, { recursive: true });
    await writeFile(join(installed, "dict.txt"), "南京 30 ns\n桥 2 n\n长江 12 ns\n");
    vi.spyOn(process, "cwd").mockReturnValue(folder);
    expect(await readWordList("@node-rs/jieba")).toEqual(["南京", "长江"]);
    const words = await openWords(train, settings, 1);
    expect(found(words, train[0]!).map(([word]) => word)).toEqual(["南京", "长江"]);
    vi.restoreAllMocks();
  });

  it("that is not there is named with what to do", async () => {
    const folder = await temporaryFolder();
    vi.spyOn(process, "cwd").mockReturnValue(folder);
    await expect(openWords(train, settings, 1)).rejects.toThrow(
      "word list: package @node-rs/jieba is not installed here; run: npm install --no-save @node-rs/jieba, or name a file",
    );
    vi.restoreAllMocks();
    await expect(readWordList("no/such.txt")).rejects.toThrow(
      'word list: no such file or known package "no/such.txt" (packages: @node-rs/jieba)',
    );
    await expect(readWordList(folder)).rejects.toThrow("word list: no such file");
  });

  it("without a word is refused", async () => {
    const file = join(await temporaryFolder(), "words.txt");
    await writeFile(file, "桥\n\n");
    await expect(readWordList(file)).rejects.toThrow(
      `${file}: word list: expected words of at least two characters, the file has none`,
    );
    const single = wordVectors(["桥"], Float32Array.of(1));
    expect(() => makeWords(train, settings, { seed: 1, vectors: single })).toThrow(
      "words: neither the lexicon nor the vectors have any word",
    );
  });

  it("of vectors must have one width in all lines", async () => {
    const folder = await temporaryFolder();
    vi.stubEnv("LACUNA_CACHE", folder);
    const file = join(folder, "vectors.txt");
    await writeFile(file, "南京 1 2 3\n长江 1 2\n");
    await expect(openWords(train, { ...settings, vectors: file }, 1)).rejects.toThrow(
      `${file}:2: word vectors: expected a word and 3 numbers`,
    );
    vi.unstubAllEnvs();
  });
});
