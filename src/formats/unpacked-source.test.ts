import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import zlib, { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { readAll } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "lacuna-unpacked-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { zstdCompressSync } = zlib as { readonly zstdCompressSync?: (bytes: Buffer) => Buffer };

const lines = Array.from({ length: 20_000 }, (_, i) => `{"id":"${i}","text":"Ada saw Łódź.","label":[[0,3,"PER"]]}`);
const plain = Buffer.from(lines.join("\n"));

async function read(name: string, bytes: Buffer) {
  writeFileSync(join(folder, name), bytes);
  return readAll([join(folder, name)]);
}

describe("a packed file", () => {
  it("is read as what it holds, by the name before its ending", async () => {
    const expected = await read("a.jsonl", plain);
    expect(expected).toHaveLength(20_000);
    expect(await read("a.jsonl.gz", gzipSync(plain))).toEqual(expected);
    expect(
      await read("b.jsonl.GZ", Buffer.concat([gzipSync(plain.subarray(0, 5000)), gzipSync(plain.subarray(5000))])),
    ).toEqual(expected);
  });

  it("that is read twice, to look for unknown tags first, is unpacked twice", async () => {
    const [document] = await read("c.conll.gz", gzipSync("Ada\tB-PER\nsaw\tO\nRome\tUNK\n\n"));
    expect(document!.sentences[0]).toMatchObject({ entities: [{ type: "PER" }], complete: [{ start: 0, end: 2 }] });
  });

  it.each([
    ["cut off", gzipSync(plain).subarray(0, 2000), "d.jsonl.gz: cannot be unpacked: unexpected end of file"],
    ["not packed", plain, "d.jsonl.gz: cannot be unpacked: incorrect header check"],
  ])("that is %s is refused", async (_, bytes, message) => {
    await expect(read("d.jsonl.gz", bytes)).rejects.toThrow(message);
  });

  it.skipIf(zstdCompressSync !== undefined)("by zstd is refused in a line where Node cannot unpack it", async () => {
    await expect(read("e.jsonl.zst", plain)).rejects.toThrow(/e\.jsonl\.zst: \.zst is read with Node 22\.15 or later/);
  });

  it.skipIf(zstdCompressSync === undefined)(
    "by zstd is read where Node can, and refused when it was cut off",
    async () => {
      const packed = zstdCompressSync!(plain);
      expect(await read("e.jsonl.zst", packed)).toHaveLength(20_000);
      await expect(read("e.jsonl.zst", packed.subarray(0, -1))).rejects.toThrow("it ends inside a frame");
    },
  );
});
