import { describe, expect, it } from "vitest";
import { decodeBytes, decodeChunks, encodingHint, encodingNamed } from "./encoding.ts";
import { InputError } from "./errors.ts";

const text = "Żółć 👍🏽 naïve, 北京\n";
const little = Buffer.from(`\ufeff${text}`, "utf16le");
const big = Buffer.from(little).swap16();

async function inChunks(bytes: Buffer, size: number, declared?: string): Promise<string> {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const pieces: Buffer[] = [];
  for await (const piece of decodeChunks(chunks(), declared, "file")) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

describe("decoding", () => {
  it.each([1, 2, 3, 5, 100])("honours the marks of UTF-16 in chunks of %i bytes", async (size) => {
    expect(await inChunks(little, size)).toBe(text);
    expect(await inChunks(big, size)).toBe(text);
    expect(await inChunks(Buffer.from(text), size)).toBe(text);
  });

  it("takes a declared encoding, and believes the mark more", async () => {
    const latin = Buffer.from("caf\u00e9", "latin1");
    expect(await inChunks(latin, 1, "latin1")).toBe("café");
    expect(await inChunks(little, 4, "latin1")).toBe(text);
    expect(decodeBytes(latin, "latin1", "file").toString()).toBe("café");
    expect(await inChunks(Buffer.from([0xd6, 0xd0]), 1, "gbk")).toBe("中");
  });

  it.each([
    ["UTF-8 of one byte", "a"],
    ["nothing", ""],
  ])("passes %s", async (_, content) => {
    expect(await inChunks(Buffer.from(content), 1)).toBe(content);
  });

  it("refuses bytes that the encoding does not know, with the file", async () => {
    const cut = Buffer.from("ab", "utf16le").subarray(0, 3);
    await expect(inChunks(cut, 2, "utf-16le")).rejects.toThrow(/^file: the bytes are not valid utf-16le: /);
  });

  it("knows encodings by all their names", () => {
    expect(encodingNamed("Latin1")).toBe("windows-1252");
    expect(() => encodingNamed("klingon")).toThrow(InputError);
    expect(() => encodingNamed("klingon")).toThrow('unknown encoding "klingon" (known: utf-8, utf-16le, ');
  });
});

it("hints at what bytes look like", () => {
  expect(encodingHint(Buffer.from("plain words", "utf16le"))).toBe("it looks like UTF-16: try --encoding utf-16le");
  expect(encodingHint(big.subarray(2))).toContain("try --encoding utf-16be");
  expect(encodingHint(Buffer.from("caf\u00e9", "latin1"))).toContain("such as --encoding latin1");
});
