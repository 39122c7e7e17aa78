import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "../src/util/random.ts";
import type { KilledCommand } from "./kill-commands.ts";

/** Where the program is and works. */
export interface Workplace {
  /** The built command line. */
  readonly program: string;
  /** The folder with the inputs, in which it runs. */
  readonly folder: string;
  /** Where its temporary files go. */
  readonly scratch: string;
}

export interface KillOutcome {
  /** What is wrong after the kill and the rerun. */
  readonly problems: readonly string[];
  /** Whether the kill came before the command was over; if not, there is nothing to look at. */
  readonly struck: boolean;
}

/** What a command writes when nobody disturbs it, and how long it takes. */
export interface Undisturbed {
  readonly files: ReadonlyMap<string, string>;
  readonly milliseconds: number;
}

export async function undisturbed(command: KilledCommand, place: Workplace): Promise<Undisturbed> {
  clean(place);
  const started = Date.now();
  const code = await run(command, command.args, place);
  if (code !== 0) throw new Error(`${command.name}: ended with ${code}`);
  return { files: outputs(place), milliseconds: Date.now() - started };
}

/** Kills a command at a random moment, runs it again, and compares what is there then. */
export async function killOnce(
  command: KilledCommand,
  expected: Undisturbed,
  place: Workplace,
  rng: Random,
): Promise<KillOutcome> {
  clean(place);
  const moment = expected.milliseconds * (0.2 + 0.75 * rng.next());
  const struck = (await run(command, command.args, place, moment)) === "SIGKILL";
  if (!struck) return { problems: [], struck };
  const { resume } = command;
  const again =
    resume && existsSync(join(place.folder, resume.when)) ? [...command.args, ...resume.args] : command.args;
  const code = await run(command, again, place);
  const problems = code === 0 ? [] : [`the rerun ended with ${code}`];
  const found = outputs(place);
  for (const [name, hash] of expected.files) {
    if (!found.has(name)) problems.push(`${name} is missing`);
    else if (found.get(name) !== hash) problems.push(`${name} differs`);
  }
  for (const name of found.keys()) if (!expected.files.has(name)) problems.push(`${name} was left behind`);
  for (const name of readdirSync(place.scratch)) problems.push(`temporary ${name} was left behind`);
  return { problems, struck };
}

/** Takes away what commands write: everything called out, their hidden files, and temporary ones. */
function clean({ folder, scratch }: Workplace): void {
  for (const name of readdirSync(folder)) {
    if (/^\.?out/.test(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
}

function run(
  command: KilledCommand,
  args: readonly string[],
  { program, folder, scratch }: Workplace,
  killAfter?: number,
): Promise<number | string> {
  const stdin = command.input === undefined ? "ignore" : openSync(join(folder, command.input), "r");
  const child = spawn(process.execPath, [program, ...args, "--quiet"], {
    cwd: folder,
    env: { ...process.env, TMPDIR: scratch, LACUNA_CACHE: join(folder, "cache") },
    stdio: [stdin, "ignore", "ignore"],
  });
  const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfter);
  return new Promise((resolve) => {
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve(signal ?? code ?? 0);
    });
  });
}

/** Every output by its path, with a hash of its content; times that a result holds are no content. */
function outputs({ folder }: Workplace): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((name) => /^\.?out/.test(name));
  return new Map(names.sort().map((name) => [name, hashOf(join(folder, name))]));
}

function hashOf(file: string): string {
  const content = readFileSync(file);
  const timeless = /results\.jsonl$|\.md$|demo\.json$|config\.json$/.test(file)
    ? content
        .toString("utf8")
        .replaceAll(/"(seconds|memory)": ?[\d.]+/g, "")
        // The last column of a table of trials.
        .replaceAll(/\| \d+\.\d \|$/gm, "")
        .replaceAll(/\d+ (s|min|MB|GB)\b/g, "")
    : content;
  return createHash("sha256").update(timeless).digest("hex");
}
