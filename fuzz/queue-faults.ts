import { type ChildProcess, spawn, spawnSync } from "node:child_process";
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

export interface FaultOutcome {
  /** What is wrong at the end. */
  readonly problems: readonly string[];
  /** Whether it happened before the work was over; if not, there is nothing to look at. */
  readonly struck: boolean;
}

/** A fault: something breaks while a command and its workers are at work, and all is as if nothing had. */
export type Fault = (place: QueuePlace, rng: Random) => Promise<FaultOutcome>;

interface Started {
  readonly child: ChildProcess;
  /** Both streams so far. */
  said(): string;
  ended(): Promise<number | null>;
}

/** Starts the command line, perhaps by another command that takes it as its last arguments. */
function start({ program, folder }: QueuePlace, args: readonly string[], by: readonly string[] = []): Started {
  const [command, ...rest] = [...by, process.execPath, program, ...args];
  const child = spawn(command!, rest, { cwd: folder });
  let text = "";
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  const over = once(child, "close").then(([code]) => code as number | null);
  return { child, said: () => text, ended: () => over };
}

const startWorker = (place: QueuePlace, name: string, by?: readonly string[]): Started =>
  start(place, ["worker", "--queue", place.redis.url, "--name", name, "--slots", "1", "--lease", "3"], by);

/** A shell that does something first, and then becomes the command. */
const after = (script: string): string[] => ["sh", "-c", `${script} && exec "$@"`, "sh"];

const tagging = (place: QueuePlace): string[] => [
  ...["tag", "--model", "model", "--in", "text.txt", "--out", "out.jsonl", "--merge", "--keep-shards"],
  ...["--queue", place.redis.url, "--shard-size", String(place.shardSize)],
];

/** What is at work when something happens. */
interface Scene {
  readonly workers: Started[];
  readonly front: Started;
}

/** Runs a command with workers, lets something happen in the middle, and looks at what is there at the end. */
async function disturbed(
  place: QueuePlace,
  begin: (place: QueuePlace) => Started[],
  disturb: (scene: Scene) => Promise<Started>,
): Promise<FaultOutcome> {
  clean(place);
  const workers = begin(place);
  const front = start(place, tagging(place));
  try {
    let struck = false;
    const last = await disturb({
      workers,
      get front() {
        struck = front.child.exitCode === null;
        return front;
      },
    });
    const code = await last.ended();
    const problems = code === 0 ? [] : [`the command ended with ${code}: ${last.said()}`];
    return { problems: [...problems, ...wrongIn(place)], struck };
  } finally {
    for (const { child, ended } of [...workers, front]) {
      child.kill("SIGCONT");
      child.kill("SIGKILL");
      await ended();
    }
  }
}

const twoWorkers = (place: QueuePlace): Started[] => [startWorker(place, "first"), startWorker(place, "second")];

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
  for (let waited = 0; waited < 24_000; waited++) {
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
    disturbed(place, twoWorkers, async (scene) => {
      await until(place, 1 + Math.floor(2 * rng.next()));
      await moment(rng);
      const { front, workers } = scene;
      workers[0]!.child.kill("SIGKILL");
      return front;
    }),

  "the command is killed, and given again": (place, rng) => endedBy("SIGKILL", place, rng),

  "the command is interrupted, and given again": (place, rng) => endedBy("SIGINT", place, rng),

  "the server is killed, and starts again on what it has kept": (place, rng) =>
    disturbed(place, twoWorkers, async (scene) => {
      await until(place, 1);
      await moment(rng);
      const { front } = scene;
      await place.redis.restart();
      return front;
    }),

  "a worker hangs for longer than its lease, and goes on": (place, rng) =>
    disturbed(place, twoWorkers, async (scene) => {
      await until(place, 1);
      await moment(rng);
      const { front, workers } = scene;
      workers[0]!.child.kill("SIGSTOP");
      await Promise.race([front.ended(), setTimeout(6000 + 1000 * rng.next())]);
      workers[0]!.child.kill("SIGCONT");
      return front;
    }),

  // Of the size of a file, which is an error of the machine like any.
  "a worker may write no more, and another may": (place) =>
    disturbed(
      place,
      () => [startWorker(place, "first", after("ulimit -f 1"))],
      async (scene) => anotherHelps(place, scene),
    ),

  "the disk of a worker is full, and that of another is not": (place) =>
    disturbed(
      place,
      () => [],
      async (scene) => {
        await planned(place);
        scene.workers.push(startWorker(place, "first", ["unshare", "-m", ...after(ownFullDisk)]));
        return anotherHelps(place, scene);
      },
    ),
};

/** Gives a process a small disk of its own where the shards are, with the plan on it and no room for more. */
const ownFullDisk =
  "cp out.jsonl.shards/plan.json plan.copy && mount -t tmpfs -o size=16k tmpfs out.jsonl.shards && cp plan.copy out.jsonl.shards/plan.json";

/** Why a process cannot be given a disk of its own here; nothing where it can. */
export const mountMissing: string | undefined =
  spawnSync("unshare", ["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0
    ? undefined
    : "only root may give a process a disk of its own, where the system has unshare";

/** Waits until the first worker has given up for a while; then comes a second. */
async function anotherHelps(place: QueuePlace, scene: Scene): Promise<Started> {
  const [first] = scene.workers;
  while (!first!.said().includes("taking no jobs for a while")) await setTimeout(25);
  const { front } = scene;
  scene.workers.push(startWorker(place, "second"));
  return front;
}

async function planned({ folder }: QueuePlace): Promise<void> {
  while (!existsSync(join(folder, "out.jsonl.shards", "plan.json"))) await setTimeout(25);
}

function endedBy(signal: "SIGKILL" | "SIGINT", place: QueuePlace, rng: Random): Promise<FaultOutcome> {
  return disturbed(place, twoWorkers, async (scene) => {
    await until(place, 1);
    await moment(rng);
    const { front } = scene;
    front.child.kill(signal);
    await front.ended();
    return start(place, tagging(place));
  });
}
