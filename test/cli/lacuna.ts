import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, onTestFinished } from "vitest";

export const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the built command line as a user would, in a folder. */
export function start(folder: Folder, ...args: string[]): ChildProcessWithoutNullStreams {
  return startIn(folder, {}, args);
}

function startIn(
  folder: Folder,
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
): ChildProcessWithoutNullStreams {
  if (!existsSync(program)) throw new Error("the command line is not built: run `npm run build` first");
  return spawn(process.execPath, [program, ...args], {
    cwd: folder.path,
    env: { ...process.env, TMPDIR: folder.scratch, ...environment },
  });
}

/** Runs it to its end, with something on standard input, and perhaps more in its environment. */
export async function run(
  folder: Folder,
  args: readonly string[],
  input: string | Buffer = "",
  environment: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const child = startIn(folder, environment, args);
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  return outcomeOf(child);
}

/** What a started process has written when it is over. */
export async function outcomeOf(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output.stderr += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, ...output };
}

/** A folder to work in. */
export interface Folder {
  readonly path: string;
  /** Where temporary files of the program go. */
  readonly scratch: string;
  write(name: string, content: string | Buffer): void;
  read(name: string): string;
  names(): string[];
}

type Files = Readonly<Record<string, string | Buffer>>;

/** A folder that is gone after the test. */
export function makeFolder(files: Files = {}): Folder {
  const { folder, remove } = newFolder(files);
  onTestFinished(remove);
  return folder;
}

/** A folder for all tests of a file, gone after the last. */
export function sharedFolder(files: Files = {}): Folder {
  const { folder, remove } = newFolder(files);
  afterAll(remove);
  return folder;
}

function newFolder(files: Files): { folder: Folder; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "lacuna-test-"));
  const scratch = mkdtempSync(join(tmpdir(), "lacuna-scratch-"));
  const folder: Folder = {
    path,
    scratch,
    write: (name, content) => writeFileSync(join(path, name), content),
    read: (name) => readFileSync(join(path, name), "utf8"),
    names: () => readdirSync(path).sort(),
  };
  for (const [name, content] of Object.entries(files)) folder.write(name, content);
  return {
    folder,
    remove() {
      for (const each of [path, scratch]) rmSync(each, { recursive: true, force: true });
    },
  };
}

/** Columns from `token/TAG` words; sentences are separated by ` | `. */
export function columns(text: string): string {
  return text
    .split(" | ")
    .map(
      (sentence) =>
        `${sentence
          .split(" ")
          .map((word) => word.replace("/", "\t"))
          .join("\n")}\n`,
    )
    .join("\n");
}

/** Waits until something has happened outside this process. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error("waited in vain");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
