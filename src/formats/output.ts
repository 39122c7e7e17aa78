import { mkdir, readdir, realpath, rename, rmdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import { writeAtomically } from "../util/atomic.ts";
import { InputError } from "../util/errors.ts";
import { refuseWriting } from "../util/output-target.ts";
import { withTemporary } from "../util/temporary.ts";
import { visibleLines } from "../util/visible.ts";
import type { NamedFile } from "./format.ts";

/** Writes a file as a whole or not at all. */
export async function writeFileAtomically(path: string, pieces: AsyncIterable<string>): Promise<void> {
  await writeAtomically(path, async (file) => {
    for await (const batch of batched(pieces)) await file.writeFile(batch);
  });
}

/** Writes a folder of files: all of them beside it first, so that a failure leaves nothing behind. */
export async function writeFolder(path: string, files: AsyncIterable<NamedFile>): Promise<void> {
  const kind = await kindOf(path);
  if (kind === "file") throw new InputError("expected a folder to write, got a file", { file: path });
  if (kind === "directory" && (await readdir(path)).length > 0) {
    throw new InputError("the folder to write exists and is not empty", { file: path });
  }
  const target = kind === "directory" ? await realpath(path) : path;
  await withTemporary(target, async (temporary) => {
    await mkdir(temporary).catch((error) => refuseWriting(error, path));
    for await (const { name, content } of files) await writeFile(join(temporary, name), content, { flag: "wx" });
    if (kind === "directory") await rmdir(target);
    await rename(temporary, target);
  });
}

export async function writeStream(stream: NodeJS.WritableStream, pieces: AsyncIterable<string>): Promise<void> {
  const isTerminal = "isTTY" in stream && stream.isTTY === true;
  await pipeline(Readable.from(promptly(isTerminal ? withoutControls(pieces) : pieces)), stream, { end: false });
}

/** Texts come from everywhere; what they hold may not steer the terminal of who looks at them. */
async function* withoutControls(pieces: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  for await (const piece of pieces) yield visibleLines(piece);
}

const batchLength = 1 << 16;

/** Small pieces put together: a system call for each sentence would be most of the work. */
export async function* batched(pieces: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let batch: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    batch.push(piece);
    length += piece.length;
    if (length < batchLength) continue;
    yield batch.join("");
    batch = [];
    length = 0;
  }
  if (length > 0) yield batch.join("");
}

/** Milliseconds that a piece waits for others: somebody may be looking. */
const patience = 20;

/** Small pieces put together, but none waits long for those that are still to come. */
async function* promptly(pieces: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  const source = pieces[Symbol.asyncIterator]();
  try {
    let [batch, next] = ["", source.next()];
    let late: Promise<"late"> | undefined;
    for (;;) {
      const result = await (batch === "" ? next : Promise.race([next, late!]));
      if (result === "late" || batch.length >= batchLength) {
        yield batch;
        batch = "";
      }
      if (result === "late") continue;
      if (result.done) break;
      if (batch === "") late = setTimeout(patience, "late" as const, { ref: false });
      batch += result.value;
      next = source.next();
      // Where this ends early nobody asks for the next one any more.
      next.catch(() => {});
    }
    if (batch !== "") yield batch;
  } finally {
    await source.return?.();
  }
}

async function kindOf(path: string): Promise<"file" | "directory" | undefined> {
  try {
    return (await stat(path)).isDirectory() ? "directory" : "file";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    return refuseWriting(error, path);
  }
}
