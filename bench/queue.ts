import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { hashFile } from "../src/util/file-hash.ts";
import { redisMissing, startRedis, type TestRedis } from "../test/support/redis.ts";
import type { Bench } from "./harness.ts";

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const samples = fileURLToPath(new URL("../../samples", import.meta.url));
/** Megabytes of text, in shards of which there are enough to be shared evenly. */
const megabytes = Number(process.env.LACUNA_BENCH_MB ?? 20);
const shards = 64;
/** What tags: a small BiLSTM, or with `dictionary` a model of entries, with which a gigabyte takes minutes. */
const kind = process.env.LACUNA_BENCH_MODEL ?? "bilstm";

/** Tagging over a queue against tagging without one; needs `npm run build` and a redis-server. */
export const queue: Bench = {
  prefix: "queue",
  async run({ figure, progress }) {
    if (redisMissing !== undefined) return progress(`queue: skipped, ${redisMissing}`);
    const folder = mkdtempSync(join(tmpdir(), "lacuna-bench-queue-"));
    const redis = await startRedis();
    try {
      await prepare(folder);
      const bytes = statSync(join(folder, "text.txt")).size;
      progress(`queue: ${(bytes / 2 ** 20).toFixed(1)} MB without a queue`);
      const before = await timed(folder, [...tagging, "--out", "alone.jsonl", "--threads", "1"]);
      progress("queue: by one worker");
      const one = await queued(folder, redis, 1, bytes);
      progress("queue: by two workers");
      const two = await queued(folder, redis, 2, bytes);
      // A machine that others share gets faster and slower meanwhile.
      progress("queue: without a queue again");
      const after = await timed(folder, [...tagging, "--out", "again.jsonl", "--threads", "1"]);
      const alone = { seconds: (before.seconds + after.seconds) / 2, cpu: (before.cpu + after.cpu) / 2 };
      figure("queue.alone", bytes / 2 ** 20 / alone.seconds, "MB/s");
      figure("queue.alone.core", bytes / 2 ** 20 / alone.cpu, "MB/s of a core");
      figure("queue.one", bytes / 2 ** 20 / one.seconds, "MB/s");
      figure("queue.two", bytes / 2 ** 20 / two.seconds, "MB/s");
      figure("queue.overhead", 100 * (one.seconds / alone.seconds - 1), "% of the time");
      figure("queue.overhead.cpu", 100 * (one.cpu / alone.cpu - 1), "% of the processor's time");
      figure("queue.speedup", one.seconds / two.seconds, "times one worker");
      // A process takes more than one core where its memory is tidied up beside its work; two such must share two.
      figure("queue.speedup.core", alone.cpu / two.seconds, "times one core without a queue");
      figure("queue.merge", (100 * one.merging) / one.seconds, "% more for joining the shards");
      progress("queue: few and many shards");
      const [few, many] = [await labelled(folder, redis, 20), await labelled(folder, redis, 220)];
      figure("queue.shard", (1000 * (many - few)) / 200, "ms of a core for each shard");
    } finally {
      await redis.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

const tagging = ["tag", "--model", "model", "--in", "text.txt", "--quiet"];

async function prepare(folder: string): Promise<void> {
  const sample = (name: string): string => join(samples, name);
  const how =
    kind === "dictionary"
      ? ["--method", "dictionary", "--dict", sample("dictionary.tsv")]
      : ["--dev", sample("dev.conll"), "--set", "encoder.units=48", "--set", "rate=0.008", "--epochs", "2"];
  const training = [program, "train", "--train", sample("train.conll"), "--out", "model", "--quiet", ...how];
  await promisify(execFile)(process.execPath, training, { cwd: folder });
  const columns = readFileSync(join(samples, "test.conll"), "utf8").trim().split("\n\n");
  const lines = columns
    .map((sentence) =>
      sentence
        .split("\n")
        .map((line) => line.split("\t")[0])
        .join(" "),
    )
    .join("\n");
  const text = join(folder, "text.txt");
  const megabyte = `${lines}\n`.repeat(Math.ceil(2 ** 20 / (lines.length + 1)));
  for (let i = 0; i < megabytes; i++) appendFileSync(text, megabyte);
}

interface Effort {
  readonly seconds: number;
  /** Of the processor, in all processes. */
  readonly cpu: number;
}

/** The processor time for so many shards of a small text: what grows with their number is the price of a shard. */
async function labelled(folder: string, redis: TestRedis, count: number): Promise<number> {
  const lines = Array.from({ length: 2200 }, (_, i) => `Ada met Bob in Rome, ${10_000 + i}.\n`);
  writeFileSync(join(folder, "small.txt"), lines.join(""));
  writeFileSync(join(folder, "names.tsv"), "Ada\tPER\nBob\tPER\nRome\tLOC\n");
  const worker = start(folder, ["worker", "--queue", redis.url, "--name", "w", "--slots", "1"]);
  await worker.ready;
  const text = ["label", "--dict", "names.tsv", "--in", "small.txt", "--out", `${count}.jsonl`, "--quiet"];
  const size = String(Math.ceil((lines.length * lines[0]!.length) / count));
  const front = await timed(folder, [...text, "--queue", redis.url, "--shard-size", size, "--merge"]);
  await timed(folder, ["worker", "--queue", redis.url, "--drain"]);
  return front.cpu + (await worker.ended);
}

/** Workers are there before the clock starts, and their processor time counts to their end. Joining is timed by itself. */
async function queued(
  folder: string,
  redis: TestRedis,
  workers: number,
  bytes: number,
): Promise<Effort & { readonly merging: number }> {
  const name = `by-${workers}.jsonl`;
  const started = Array.from({ length: workers }, (_, i) =>
    start(folder, ["worker", "--queue", redis.url, "--name", `w${i}`, "--slots", "1"]),
  );
  await Promise.all(started.map(({ ready }) => ready));
  const size = ["--shard-size", String(Math.ceil(bytes / shards))];
  const front = await timed(folder, [...tagging, "--out", name, "--queue", redis.url, ...size]);
  await timed(folder, ["worker", "--queue", redis.url, "--drain"]);
  const efforts = await Promise.all(started.map(({ ended }) => ended));
  const merging = await timed(folder, [...tagging, "--out", name, "--merge"]);
  if ((await hashFile(join(folder, name))) !== (await hashFile(join(folder, "alone.jsonl"))))
    throw new Error(`${workers} workers wrote other bytes than a run without a queue`);
  const cpu = efforts.reduce((sum, each) => sum + each, front.cpu);
  return { seconds: front.seconds, cpu, merging: merging.seconds };
}

async function timed(folder: string, args: readonly string[]): Promise<Effort> {
  const began = performance.now();
  const cpu = await start(folder, args).ended;
  return { seconds: (performance.now() - began) / 1000, cpu };
}

/** A command in a shell that says at the end how long the processor was at work for it and its children. */
function start(folder: string, args: readonly string[]) {
  const child = spawn("sh", ["-c", '"$@"; code=$?; times; exit $code', "sh", process.execPath, program, ...args], {
    cwd: folder,
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  const ready = new Promise<void>((resolve) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
      if (stderr.includes("taking jobs")) resolve();
    });
  });
  const ended = once(child, "close").then(([code]) => {
    if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${stderr}`);
    const times = stdout
      .trim()
      .split("\n")
      .at(-1)!
      .matchAll(/(\d+)m([\d.]+)s/g);
    return [...times].reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0);
  });
  return { ready, ended };
}
