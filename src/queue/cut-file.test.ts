import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { random } from "../util/random.ts";
import { cutFile, cutShard } from "./cut-file.ts";

const folder = mkdtempSync(join(tmpdir(), "lacuna-cut-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function parts(name: string, content: string | Buffer, size: number, format?: string): Promise<string[]> {
  const file = join(folder, name);
  writeFileSync(file, content);
  const bytes = readFileSync(file);
  const shards = await cutFile(file, { size, format });
  return shards.map(({ start, end }) => bytes.subarray(start, end).toString("utf8"));
}

describe("a file that is cut into shards", () => {
  it("is cut after the first line that ends beyond each multiple of the size", async () => {
    expect(await parts("a.txt", "one\ntwo\nthree\nfour\n", 5)).toEqual(["one\ntwo\n", "three\n", "four\n"]);
  });

  it("is cut at the very end of a line that has the size", async () => {
    expect(await parts("b.txt", "one\ntwo\nsix", 4)).toEqual(["one\n", "two\n", "six"]);
  });

  it("is the same text as before, each shard of whole lines, whatever the sizes", async () => {
    const rng = random(3, "cut");
    for (let round = 0; round < 40; round++) {
      const lines = Array.from({ length: 1 + Math.floor(30 * rng.next()) }, () =>
        "ä\u{1f600}x".repeat(Math.floor(9 * rng.next())),
      );
      const text = lines.join("\n") + (rng.next() < 0.5 ? "\n" : "");
      const size = 1 + Math.floor(40 * rng.next());
      const found = await parts("c.txt", text, size);
      const bytes = Buffer.from(text);
      const borders = new Set<number>();
      for (let multiple = size; multiple < bytes.length; multiple += size) {
        const line = bytes.indexOf("\n", multiple - 1) + 1;
        if (line > 0 && line < bytes.length) borders.add(line);
      }
      const cuts = [0, ...borders, bytes.length];
      const expected = cuts.slice(1).map((end, i) => bytes.subarray(cuts[i], end).toString("utf8"));
      expect(found).toEqual(expected);
    }
  });

  it("is cut for a size where it is also cut for a part of that size, wherever the cutting begins", async () => {
    const text = Array.from({ length: 200 }, (_, i) => "x".repeat(i % 37)).join("\n");
    const [small, large] = [await parts("k.txt", text, 20), await parts("k.txt", text, 60)];
    const ends = (pieces: readonly string[]): number[] => pieces.map((_, i) => pieces.slice(0, i + 1).join("").length);
    expect(ends(small)).toEqual(expect.arrayContaining(ends(large)));
    const shard = { file: join(folder, "part.txt"), format: "text", start: 0, end: text.length - ends(large)[2]! };
    writeFileSync(shard.file, text.slice(ends(large)[2]));
    const again: number[] = [];
    for await (const { end } of cutShard(shard, { size: 20, origin: ends(large)[2]! }))
      again.push(end + ends(large)[2]!);
    expect(again).toEqual(ends(small).filter((end) => end > ends(large)[2]!));
  });

  it("is cut beyond lines of any length", async () => {
    const long = "x".repeat(200_000);
    expect((await parts("d.txt", `${long}\nshort\n${long}\n`, 10)).map(({ length }) => length)).toEqual([
      200_001, 200_007,
    ]);
  });

  it("is not cut before a byte-order mark, which would be taken for one of the file", async () => {
    expect(await parts("e.txt", "one\n\ufefftwo\nsix\n", 2)).toEqual(["one\n\ufefftwo\n", "six\n"]);
  });

  it("of JSON lines is cut where an object begins a line, also when objects take several", async () => {
    const row = (text: string): string => `{"lacuna":1,"text":"${text}",\n "sentences":[]}\n`;
    expect(await parts("f.lacuna", row("a") + row("b"), 5)).toEqual([row("a"), row("b")]);
  });

  it.each([
    ["one JSON list", "g.json", '[{"text":"a","label":[]},\n{"text":"b","label":[]}]\n', undefined],
    ["columns, where an O may mean something else in another part", "h.conll", "a\tO\n\nb\tO\n\n", undefined],
    ["another encoding", "i.txt", Buffer.from("\ufeffone\ntwo\n", "utf16le"), "text"],
    ["nothing", "j.txt", "", "text"],
  ])("is one shard when it is %s", async (_, name, content, format) => {
    expect(await parts(name, content, 3, format)).toHaveLength(1);
  });
});
