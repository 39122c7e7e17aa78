import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Random } from "../src/util/random.ts";
import type { TestRedis } from "../test/support/redis.ts";

/** Where a corpus is tagged over a queue while things break. */
export interface QueuePlace {
  /** The built command line. */
  readonly program: string;
  /** Has `model`, `text.txt`, and `expected.jsonl`, which is what a run without a queue makes of it. */
  readonly folder: string;
  readonly redis: TestRedis;
  /** Bytes of a shard. */
  readonly shardSize: number;
}

/** What went wrong, and what was said at the end. */
export interface FaultOutcome {
  readonly problems: readonly string[];
  readonly said: string;
}

/** A fault: something breaks while a command and its workers are at work, and all is as if nothing had. */
export type Fault = (place: QueuePlace, rng: Random) => Promise<FaultOutcome>;

interface Started {
  readonly child: ChildProcess;
  /** Both streams so far. */
  said(): string;
  ended(): Promise<number | null>;
}

function start({ program, folder }: QueuePlace, args: readonly string[], limit?: number): Started {
  const command = [process.execPath, program, ...args];
  // A process that may write no file beyond a size is in the position of one whose disk is full.
  const child =
    limit === undefined
      ? spawn(command[0]!, command.slice(1), { cwd: folder })
      : spawn("sh", ["-c", `ulimit -f ${limit}; exec "$@"`, "sh", ...command], { cwd: folder });
  let text = "";
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  const over = once(child, "close").then(([code]) => code as number | null);
  return { child, said: () => text, ended: () => over };
}

const startWorker = (place: QueuePlace, name: string, limit?: number): Started =>
  start(place, ["worker", "--queue", place.redis.url, "--name", name, "--slots", "1", "--lease", "3"], limit);

const tagging = (place: QueuePlace): string[] => [
  ...["tag", "--model", "model", "--in", "text.txt", "--out", "out.jsonl", "--merge", "--keep-shards"],
  ...["--queue", place.redis.url, "--shard-size", String(place.shardSize)],
];

/** Runs a command with two workers, lets something happen in the middle, and looks at what is there at the end. */
async function disturbed(
  place: QueuePlace,
  disturb: (at: { readonly workers: Started[]; readonly front: Started }) => Promise<Started | undefined>,
  limit?: number,
): Promise<FaultOutcome> {
  clean(place);
  const workers = [startWorker(place, "first", limit), startWorker(place, "second")];
  try {
    const front = start(place, tagging(place));
    const last = (await disturb({ workers, front })) ?? front;
    const code = await last.ended();
    const problems = code === 0 ? [] : [`the command ended with ${code}: ${last.said()}`];
    return { problems: [...problems, ...wrongIn(place)], said: last.said() };
  } finally {
    for (const { child, ended } of workers) {
      child.kill("SIGCONT");
      child.kill("SIGKILL");
      await ended();
    }
  }
}

/** Nothing lost, nothing twice, nothing left behind. */
function wrongIn({ folder }: QueuePlace): string[] {
  const out = join(folder, "out.jsonl");
  if (!existsSync(out)) return ["there is no output"];
  const [expected, found] = [readFileSync(join(folder, "expected.jsonl")), readFileSync(out)];
  const problems = expected.equals(found) ? [] : [`the output differs: ${found.length} bytes for ${expected.length}`];
  const shards = join(folder, "out.jsonl.shards");
  const { shards: planned } = JSON.parse(readFileSync(join(shards, "plan.json"), "utf8")) as { shards: unknown[] };
  const records = readdirSync(shards).filter((name) => /^shard-\d+\.json$/.test(name));
  if (records.length !== planned.length) problems.push(`${records.length} records for ${planned.length} shards`);
  return problems;
}

function clean({ folder }: QueuePlace): void {
  for (const name of ["out.jsonl", "out.jsonl.shards"]) rmSync(join(folder, name), { recursive: true, force: true });
}

/** Waits until so many shards are done, so that what happens next happens in the middle. */
async function until({ folder }: QueuePlace, count: number): Promise<void> {
  const shards = join(folder, "out.jsonl.shards");
  for (let waited = 0; waited < 2400; waited++) {
    const names = existsSync(shards) ? readdirSync(shards) : [];
    if (names.filter((name) => /^shard-\d+\.json$/.test(name)).length >= count) return;
    await setTimeout(25);
  }
  throw new Error("the workers do nothing");
}

const moment = (rng: Random): Promise<void> => setTimeout(300 * rng.next());

/** Each by what happens. */
export const queueFaults: Readonly<Record<string, Fault>> = {
  "a worker is killed": (place, rng) =>
    disturbed(place, async ({ workers }) => {
      await until(place, 1 + Math.floor(2 * rng.next()));
      await moment(rng);
      workers[0]!.child.kill("SIGKILL");
      return undefined;
    }),

  "the command is killed, and given again": (place, rng) =>
    disturbed(place, async ({ front }) => {
      await until(place, 1);
      await moment(rng);
      front.child.kill("SIGKILL");
      await front.ended();
      return start(place, tagging(place));
    }),

  "the command is interrupted, and given again": (place, rng) =>
    disturbed(place, async ({ front }) => {
      await until(place, 1);
      await moment(rng);
      front.child.kill("SIGINT");
      await front.ended();
      return start(place, tagging(place));
    }),

  "the server is killed, and starts again on what it has kept": (place, rng) =>
    disturbed(place, async () => {
      await until(place, 1);
      await moment(rng);
      await place.redis.restart();
      return undefined;
    }),

  "a worker hangs for longer than its lease, and goes on": (place, rng) =>
    disturbed(place, async ({ workers, front }) => {
      await until(place, 1);
      await moment(rng);
      workers[0]!.child.kill("SIGSTOP");
      await Promise.race([front.ended(), setTimeout(6000 + 1000 * rng.next())]);
      workers[0]!.child.kill("SIGCONT");
      return undefined;
    }),

  "a worker cannot write": (place) => disturbed(place, async () => undefined, 1),
};
