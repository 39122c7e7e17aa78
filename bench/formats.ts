import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readAll, readDocuments } from "../src/formats/index.ts";
import { type Document, tokenCount } from "../src/text/index.ts";
import { type Random, random } from "../src/util/random.ts";
import { type Bench, bestSeconds, type Report, usedMemory } from "./harness.ts";

const corpusSentences = 70_000; // about a million tokens
const streamedBytes = 1e9;

export const formats: Bench = {
  prefix: "formats",
  async run(report) {
    const folder = await mkdtemp(join(tmpdir(), "lacuna-bench-"));
    try {
      const path = join(folder, "corpus.conll");
      const corpus = makeCorpus(corpusSentences, random(1, "bench", "conll"));
      await writeFile(path, corpus);
      if (report.wants("formats.conll")) await speed(path, report);
      if (report.wants("formats.conll-heap")) await heap(path, report);
      if (report.wants("formats.conll-stream")) await stream(join(folder, "large.conll"), Buffer.from(corpus), report);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function speed(path: string, report: Report): Promise<void> {
  const tokens = countTokens(await readAll([path]));
  const seconds = await bestSeconds(8, async () => {
    await readAll([path]);
  });
  report.figure("formats.conll", tokens / seconds, "tokens/s");
}

async function heap(path: string, report: Report): Promise<void> {
  const before = usedMemory();
  const documents = await readAll([path]);
  const after = usedMemory();
  report.figure("formats.conll-heap", (after - before) / countTokens(documents), "bytes/token");
}

/** How far the memory of the process rises above what it was while a large file goes through. */
async function stream(path: string, block: Buffer, report: Report): Promise<void> {
  report.progress(`writing ${streamedBytes / 1e9} GB`);
  const file = await open(path, "w");
  for (let written = 0; written < streamedBytes; written += block.length) await file.write(block);
  await file.close();
  report.progress("reading it");
  usedMemory();
  const before = process.memoryUsage.rss();
  let peak = before;
  let sentences = 0;
  for await (const document of readDocuments(path)) {
    sentences += document.sentences.length;
    if (sentences % 4096 === 0) peak = Math.max(peak, process.memoryUsage.rss());
  }
  report.figure("formats.conll-stream", (peak - before) / 1e6, "MB");
}

function countTokens(documents: readonly Document[]): number {
  return documents.reduce(
    (sum, { sentences }) => sum + sentences.reduce((n, sentence) => n + tokenCount(sentence), 0),
    0,
  );
}

/** Sentences of made-up words, about 14 tokens long, with an entity every eight tokens or so: the shape of news text. */
function makeCorpus(sentences: number, rng: Random): string {
  const words = Array.from({ length: 20_000 }, () => makeWord(rng));
  const types = ["PER", "LOC", "ORG", "MISC"];
  const lines: string[] = [];
  for (let i = 0; i < sentences; i++) {
    const length = 4 + rng.below(21);
    for (let left = length; left > 0; ) {
      const isEntity = rng.below(8) === 0;
      const width = isEntity ? Math.min(left, 1 + rng.below(3)) : 1;
      const type = types[rng.below(types.length)]!;
      for (let j = 0; j < width; j++) {
        const tag = isEntity ? `${j === 0 ? "B" : "I"}-${type}` : "O";
        lines.push(`${words[rng.below(words.length)]}\t${tag}`);
      }
      left -= width;
    }
    lines.push("");
  }
  return `${lines.join("\n")}\n`;
}

function makeWord(rng: Random): string {
  const letters = Array.from({ length: 1 + rng.below(9) }, () => String.fromCharCode(97 + rng.below(26)));
  return rng.below(40) === 0 ? `${letters.join("")}é` : letters.join("");
}
