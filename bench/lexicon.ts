import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { label, type Matcher, readMatcher } from "../src/lexicon/index.ts";
import { type Document, tokenise } from "../src/text/index.ts";
import { findTokens } from "../src/text/tokens.ts";
import { type Bench, bestSeconds, type Report, usedMemory } from "./harness.ts";
import { type LexiconData, makeLexiconData } from "./lexicon-data.ts";

const entries = 1_000_000;
const textBytes = 16e6;
const streamedBytes = 1e9;
const types = ["PER", "LOC", "ORG", "MISC"];

/** Dictionary labelling with a million entries. */
export const lexicon: Bench = {
  prefix: "lexicon",
  async run(report) {
    const folder = await mkdtemp(join(tmpdir(), "lacuna-bench-"));
    try {
      report.progress("making a dictionary of a million entries and a text");
      const data = makeLexiconData(entries, textBytes);
      const dictionary = join(folder, "dictionary.tsv");
      await writeFile(
        dictionary,
        data.surfaces.map((surface, i) => `${surface}\t${types[i % types.length]}\n`).join(""),
      );
      const compiled = join(folder, "dictionary.lexicon");
      await build(dictionary, compiled, report);
      const matcher = await load(compiled, report);
      const speed = scan(matcher, data, report);
      if (report.wants("lexicon.stream-memory")) await stream(matcher, data, report);
      if (report.wants("lexicon.peer-ratio")) await beside(speed, data, folder, report);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** From the file to the matcher, in a fresh process. */
async function build(dictionary: string, compiled: string, report: Report): Promise<void> {
  const script = fileURLToPath(new URL("./lexicon-build.js", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, dictionary, compiled]);
  const { seconds, megabytes } = JSON.parse(stdout) as { seconds: number; megabytes: number };
  report.figure("lexicon.build", seconds, "s");
  report.figure("lexicon.build-memory", megabytes, "MB");
}

async function load(compiled: string, report: Report): Promise<Matcher> {
  const seconds = await bestSeconds(5, async () => {
    await readMatcher(compiled);
  });
  report.figure("lexicon.load", seconds, "s");
  return readMatcher(compiled);
}

/** From raw text to all matches, tokens included, by the time of one core. */
function scan(matcher: Matcher, { lines, bytes }: LexiconData, report: Report): number {
  const seconds = bestCoreSeconds(8, () => {
    for (const text of lines) matcher.find({ text, offsets: findTokens(text) });
  });
  report.figure("lexicon.scan", bytes / seconds / 1e6, "MB/s");
  const documents = lines.map((text) => ({ text, offsets: findTokens(text) }));
  const tokenised = bestCoreSeconds(8, () => {
    for (const document of documents) matcher.find(document);
  });
  report.figure("lexicon.scan-tokens", bytes / tokenised / 1e6, "MB/s");
  return bytes / seconds / 1e6;
}

/** The least time of a core that some runs took, so that what else the machine does counts for little. */
function bestCoreSeconds(runs: number, work: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < runs; i++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1e6);
  }
  return best;
}

/** How far the memory of the process rises while a large text is labelled. */
async function stream(matcher: Matcher, { lines }: LexiconData, report: Report): Promise<void> {
  report.progress(`labelling ${streamedBytes / 1e9} GB`);
  let bytes = 0;
  function* documents(): Generator<Document> {
    for (let i = 0; bytes < streamedBytes; i++) {
      const text = lines[i % lines.length]!;
      bytes += text.length + 1;
      yield tokenise(text);
    }
  }
  usedMemory();
  const before = process.memoryUsage.rss();
  const start = performance.now();
  let peak = before;
  let count = 0;
  for await (const _ of label(documents(), matcher, { workers: 1 })) {
    if (++count % 4096 === 0) peak = Math.max(peak, process.memoryUsage.rss());
  }
  report.figure("lexicon.stream-memory", (peak - before) / 1e6, "MB");
  report.figure("lexicon.stream", bytes / 1e3 / (performance.now() - start), "MB/s");
}

const peerBytes = 4e6;
const peerSeconds = 180;

/** How many times as fast as the fastest npm package that can build the same dictionary. */
async function beside(ours: number, { surfaces, lines }: LexiconData, folder: string, report: Report): Promise<void> {
  const surfacesFile = join(folder, "surfaces.json");
  const linesFile = join(folder, "lines.json");
  const count = Math.ceil((lines.length * peerBytes) / textBytes);
  await writeFile(surfacesFile, JSON.stringify(surfaces));
  await writeFile(linesFile, JSON.stringify(lines.slice(0, count)));
  const script = fileURLToPath(new URL("../../bench/peers/matchers.mjs", import.meta.url));
  const peers = JSON.parse((await promisify(execFile)(process.execPath, [script])).stdout) as string[];
  if (peers.length === 0) {
    report.progress(
      "lexicon.peer-ratio: the npm packages are not here; node bench/peers/install-matchers.mjs fetches them",
    );
    return;
  }
  let fastest = 0;
  for (const peer of peers) {
    const args = ["--max-old-space-size=8000", script, peer, surfacesFile, linesFile];
    try {
      const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 1000 * peerSeconds });
      const { build, scan } = JSON.parse(stdout) as { build: number; scan: number };
      report.progress(`${peer}: built in ${build.toFixed(1)} s, scans ${scan.toFixed(2)} MB/s`);
      fastest = Math.max(fastest, scan);
    } catch {
      report.progress(
        `${peer}: did not build the dictionary and scan ${peerBytes / 1e6} MB within ${peerSeconds} s and 8 GB`,
      );
    }
  }
  if (fastest > 0) report.figure("lexicon.peer-ratio", ours / fastest, "× as fast as the fastest npm package");
}
