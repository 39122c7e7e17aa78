import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { hashFile } from "../src/util/file-hash.ts";
import { redisMissing, startRedis, type TestRedis } from "../test/support/redis.ts";
import type { Bench } from "./harness.ts";

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const samples = fileURLToPath(new URL("../../samples", import.meta.url));
/** Megabytes of text in a round, in shards of which there are enough to be shared evenly. */
const megabytes = Number(process.env.LACUNA_BENCH_MB ?? 20);
const shards = 64;
const rounds = Number(process.env.LACUNA_BENCH_ROUNDS ?? 3);
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
      const all: Round[] = [];
      for (let i = 0; i < rounds; i++) {
        progress(`queue: ${(bytes / 2 ** 20).toFixed(1)} MB, round ${i + 1} of ${rounds}`);
        all.push(await compare(folder, redis, bytes, i));
      }
      const rate = (seconds: (round: Round) => number): number => (rounds * bytes) / 2 ** 20 / sum(all.map(seconds));
      figure(
        "queue.alone",
        rate(({ alone }) => alone.seconds),
        "MB/s",
      );
      figure(
        "queue.alone.core",
        rate(({ alone }) => alone.cpu),
        "MB/s of a core",
      );
      figure(
        "queue.one",
        rate(({ one }) => one.seconds),
        "MB/s",
      );
      figure(
        "queue.two",
        rate(({ two }) => two.seconds),
        "MB/s",
      );
      const overhead = all.map(({ alone, one }) => 100 * (one.seconds / alone.seconds - 1));
      figure("queue.overhead", mean(overhead), "% of the time");
      figure("queue.overhead.error", standardError(overhead), "standard error over the rounds");
      const cpuOverhead = all.map(({ alone, one }) => 100 * (one.cpu / alone.cpu - 1));
      figure("queue.overhead.cpu", mean(cpuOverhead), "% of the processor's time");
      figure("queue.overhead.cpu.error", standardError(cpuOverhead), "standard error over the rounds");
      const speedup = all.map(({ one, two }) => one.seconds / two.seconds);
      figure("queue.speedup", mean(speedup), "times one worker");
      figure("queue.speedup.error", standardError(speedup), "standard error over the rounds");
      // A process takes more than one core where its memory is tidied up beside its work; two such must share two.
      figure(
        "queue.speedup.core",
        mean(all.map(({ alone, two }) => alone.cpu / two.seconds)),
        "times one core without a queue",
      );
      figure(
        "queue.merge",
        mean(all.map(({ one }) => (100 * one.merging) / one.seconds)),
        "% more for joining the shards",
      );
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

interface Round {
  readonly alone: Effort;
  readonly one: Effort & { readonly merging: number };
  readonly two: Effort;
}

/**
 * The same text without a queue and by one worker, side by side on a core each, which they change in every round: what else
 * the machine does slows both. Then by two workers.
 */
async function compare(folder: string, redis: TestRedis, bytes: number, round: number): Promise<Round> {
  const [first, second] = round % 2 === 0 ? [0, 1] : [1, 0];
  const [alone, one] = await Promise.all([
    timed(folder, [...tagging, "--out", "alone.jsonl", "--threads", "1"], first),
    queued(folder, redis, 1, bytes, second),
  ]);
  const two = await queued(folder, redis, 2, bytes);
  for (const name of ["by-1.jsonl", "by-2.jsonl"])
    if ((await hashFile(join(folder, name))) !== (await hashFile(join(folder, "alone.jsonl"))))
      throw new Error(`${name} has other bytes than the output of a run without a queue`);
  for (const entry of readdirSync(folder).filter((each) => /^(by-|alone)/.test(each)))
    rmSync(join(folder, entry), { recursive: true });
  return { alone, one, two };
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;

function standardError(values: readonly number[]): number {
  const centre = mean(values);
  return Math.sqrt(sum(values.map((each) => (each - centre) ** 2)) / (values.length - 1) / values.length);
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
  core?: number,
): Promise<Effort & { readonly merging: number }> {
  const name = `by-${workers}.jsonl`;
  const started = Array.from({ length: workers }, (_, i) =>
    start(folder, ["worker", "--queue", redis.url, "--name", `w${i}`, "--slots", "1"], core),
  );
  await Promise.all(started.map(({ ready }) => ready));
  const size = ["--shard-size", String(Math.ceil(bytes / shards))];
  const front = await timed(folder, [...tagging, "--out", name, "--queue", redis.url, ...size], core);
  await timed(folder, ["worker", "--queue", redis.url, "--drain"]);
  const efforts = await Promise.all(started.map(({ ended }) => ended));
  const merging = await timed(folder, [...tagging, "--out", name, "--merge"]);
  return { seconds: front.seconds, cpu: front.cpu + sum(efforts), merging: merging.seconds };
}

async function timed(folder: string, args: readonly string[], core?: number): Promise<Effort> {
  const began = performance.now();
  const cpu = await start(folder, args, core).ended;
  return { seconds: (performance.now() - began) / 1000, cpu };
}

/** A command in a shell that says at the end how long the processor was at work for it and its children; Linux can hold it on a core. */
function start(folder: string, args: readonly string[], core?: number) {
  const held = core !== undefined && process.platform === "linux" ? ["taskset", "-c", String(core)] : [];
  const command = [...held, process.execPath, program, ...args];
  const child = spawn("sh", ["-c", '"$@"; code=$?; times; exit $code', "sh", ...command], { cwd: folder });
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
