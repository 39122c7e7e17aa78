import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { InputError, messageOf } from "../util/errors.ts";
import { readTextFile } from "../util/regular-file.ts";
import { assertSame, parseDecisions } from "./decisions-format.ts";
import type { Entry, Header } from "./model.ts";

/** The decisions of a review on disk: a line each, and a line is there for good when `append` is over. */
export interface DecisionsFile {
  /** Those that were there already. */
  readonly entries: readonly Entry[];
  append(entry: Entry): Promise<void>;
  close(): Promise<void>;
}

/** Opens the decisions of a review, to go on with them, or begins the file. */
export async function openDecisions(path: string, header: Header): Promise<DecisionsFile> {
  const file = await open(path, "a+", 0o600).catch((error) => {
    throw new InputError(`cannot be written: ${messageOf(error)}`, { file: path });
  });
  try {
    const before = await beginning(file, path, header);
    let { length } = before;
    return {
      entries: before.entries,
      async append(entry) {
        const line = Buffer.from(`${JSON.stringify(entry)}\n`);
        try {
          await file.appendFile(line);
          await file.datasync();
        } catch (error) {
          // Half a line would spoil the next one.
          await file.truncate(length).catch(() => {});
          throw error;
        }
        length += line.length;
      },
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

interface Beginning {
  readonly entries: readonly Entry[];
  /** In bytes. */
  readonly length: number;
}

async function beginning(file: FileHandle, path: string, header: Header): Promise<Beginning> {
  const text = await readTextFile(path).catch((error) => tornText(error, file));
  // Also a first line that was cut off: no decision has been made.
  if (!text.includes("\n")) {
    const line = Buffer.from(`${JSON.stringify(header)}\n`);
    await file.truncate(0);
    await file.appendFile(line);
    await file.sync();
    await syncFolder(dirname(path));
    return { entries: [], length: line.length };
  }
  const found = parseDecisions(text, path);
  assertSame(found.header, header, path);
  const length = Buffer.byteLength(text.slice(0, found.length));
  await file.truncate(length);
  return { entries: found.entries, length };
}

/** A line may be cut off between the bytes of a character. */
async function tornText(error: unknown, file: FileHandle): Promise<string> {
  if (!(error instanceof InputError)) throw error;
  const bytes = await file.readFile();
  const whole = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(whole);
  } catch {
    throw error;
  }
}

/** A new file is there for good when its folder says so; some systems cannot be asked. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}
