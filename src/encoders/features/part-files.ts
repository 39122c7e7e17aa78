import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { z } from "zod";
import { InputError, messageOf } from "../../util/errors.ts";
import { hashFile } from "../../util/file-hash.ts";

/** Which frozen part a saved model expects: by what is in its files, and where it was. */
export const partReference = z.object({
  /** What its user gave when it was trained: a directory or a package. */
  from: z.string(),
  /** The same directory from the root of the file system. */
  directory: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, { error: "expected a SHA-256 hash" }),
});
export type PartReference = Readonly<z.output<typeof partReference>>;

/** A frozen part as it lies on disk. */
export interface PartFiles {
  readonly directory: string;
  /** Files whose content the part's vectors depend on. */
  readonly files: readonly string[];
}

/** Finds the files of a part by the name or path of its directory. */
export type FindPart = (nameOrDirectory: string) => Promise<PartFiles>;

/** Names a part by its content. */
export async function referTo(from: string, find: FindPart): Promise<PartReference> {
  const { directory, files } = await find(from);
  return { from, directory: resolve(directory), sha256: await hashFiles(files) };
}

/**
 * The name or path under which a part is found that a saved model expects: where the user says, or where it was trained. A
 * part of other content is refused; the model would read its vectors as if they were those it knows.
 */
export async function locatePart(
  id: string,
  { from, directory, sha256 }: PartReference,
  given: string | undefined,
  find: FindPart,
): Promise<string> {
  const places = given === undefined ? [from, directory] : [given];
  const failures: string[] = [];
  for (const place of new Set(places)) {
    try {
      const found = await hashFiles((await find(place)).files);
      if (found === sha256) return place;
      failures.push(`${place} holds another one (sha256 ${found.slice(0, 12)}…)`);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      failures.push(messageOf(error));
    }
  }
  throw new InputError(
    `part ${id}: the model needs the one it was trained with, ${from} (sha256 ${sha256.slice(0, 12)}…): ${failures[0]}; say where it is with --part ${id}=DIR`,
  );
}

const hashes = new Map<string, Promise<string>>();

/** SHA-256 of the contents of some files, one after the other; a file that did not change is read once. */
async function hashFiles(files: readonly string[]): Promise<string> {
  const all = createHash("sha256");
  for (const file of files) {
    const stats = await stat(file);
    if (!stats.isFile()) throw new InputError("expected a file, got a directory, a FIFO or a device", { file });
    const { size, mtimeMs } = stats;
    const key = `${resolve(file)} ${size} ${mtimeMs}`;
    const known = hashes.get(key) ?? hashFile(file);
    hashes.set(key, known);
    all.update(`${size} ${await known}\n`);
  }
  return all.digest("hex");
}
