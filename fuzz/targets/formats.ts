import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FileFormat, FolderFormat, ReadOptions, WriteOptions } from "../../src/formats/format.ts";
import { formats, readAll, writeDocuments } from "../../src/formats/index.ts";
import { reducer } from "../../src/formats/losses.ts";
import { type Source, streamSource } from "../../src/formats/source.ts";
import type { Document } from "../../src/text/document.ts";
import { fullDocuments } from "../documents.ts";
import type { Shape } from "../mutate.ts";
import { ensureEqual, type Target } from "../target.ts";

/** Every format of one file: what it accepts must survive writing and reading. A new format is fuzzed without a word. */
export const formatTargets: readonly Target[] = formats
  .filter((format): format is FileFormat => format.storage === "file")
  .map((format) => ({
    name: format.name,
    shape: shapeOf(format),
    seeds: async () => [
      await written(format, fullDocuments, {}),
      await written(format, fullDocuments.slice(0, 1), { silence: "negative" }),
    ],
    async run(input, _, variant) {
      const options = optionsOf(variant);
      const documents = await collect(format.read(memorySource(input), options));
      // Hundreds of thousands of documents are read within the limit of time, but not written and read once more.
      if (documents.length > 10_000) return;
      const using: WriteOptions = { silence: options.silence, onLoss: "list", labels: options.labels };
      const { reduced } = reducer(format, documents, "memory", using);
      const remaining = await collect(reduced);
      const bytes = await joined(format.write(each(remaining), using));
      const again = await collect(
        format.read(memorySource(bytes), { ...using, ...readBack[format.name] } as ReadOptions),
      );
      ensureEqual(again, remaining, `${format.name}: what was written and what was read`);
    },
  }));

/** Entities with a score come back from Label Studio when they are asked for. */
const readBack: Readonly<Record<string, ReadOptions>> = { "label-studio": { candidates: true } };

function shapeOf(format: FileFormat): Shape {
  if (["conll", "text"].includes(format.name)) return "lines";
  return ["label-studio", "ds-ner", "negsampling"].includes(format.name) ? "json" : "json-lines";
}

function optionsOf(variant: number): ReadOptions {
  return {
    silence: variant & 1 ? "negative" : "unknown",
    strict: (variant & 6) === 6,
    ...((variant & 24) === 24 && { labels: ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"] }),
    candidates: (variant & 32) === 32,
  };
}

export function memorySource(bytes: Buffer): Source {
  const chunks = async function* (): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += 1 << 16) yield bytes.subarray(at, at + (1 << 16));
  };
  const source: Source = {
    ...streamSource(chunks(), "memory"),
    head: async (limit) => bytes.subarray(0, limit),
    chunks,
    rereading: (work) => work(source),
  };
  return source;
}

async function written(format: FileFormat, documents: readonly Document[], options: WriteOptions): Promise<Buffer> {
  const using = { ...options, onLoss: "list" } as const;
  const { reduced } = reducer(format, documents, "memory", using);
  return joined(format.write(reduced, using));
}

async function joined(pieces: AsyncIterable<string>): Promise<Buffer> {
  return Buffer.from((await collect(pieces)).join(""));
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const result: T[] = [];
  for await (const item of items) result.push(item);
  return result;
}

/** Formats of several files: an input is a text and its annotations, with a line between them that neither holds. */
export const folderTargets: readonly Target[] = formats
  .filter((format): format is FolderFormat => format.storage === "folder")
  .map((format) => ({
    name: format.name,
    shape: "lines",
    weight: 0.3,
    seeds: async () => [
      Buffer.from(`Ana Lopes moved to Lisbon.\n${border}\nT1\tPER 0 9\tAna Lopes\nT2\tLOC 19 25\tLisbon\n`),
      Buffer.from(`Ana and Bo Lopes\n${border}\nT1\tPER 0 3;11 16\tAna Lopes\nR1\tx Arg1:T1 Arg2:T1\n#1\tnote\n`),
    ],
    async run(input, scratch, variant) {
      const folder = join(scratch, "folder");
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
      const [text = "", annotations = ""] = input.toString("latin1").split(`\n${border}\n`);
      writeFileSync(join(folder, "a.txt"), text, "latin1");
      writeFileSync(join(folder, "a.ann"), annotations, "latin1");
      const options = { format: format.name, silence: variant & 1 ? "negative" : "unknown" } as const;
      const documents = await readAll([folder], options);
      const out = join(scratch, "out");
      rmSync(out, { recursive: true, force: true });
      await writeDocuments(out, documents, { ...options, onLoss: "list" });
      const first = await readAll([out], options);
      rmSync(out, { recursive: true, force: true });
      await writeDocuments(out, first, { ...options, onLoss: "list" });
      ensureEqual(await readAll([out], options), first, `${format.name}: what was written and what was read`);
    },
  }));

const border = "=== annotations ===";
