import { readdir, stat } from "node:fs/promises";
import { extname } from "node:path";
import { InputError, unknownName } from "../util/errors.ts";
import { isStandardOutput } from "../util/output-target.ts";
import type { Format, Sample } from "./format.ts";
import { firstKeys } from "./json.ts";
import type { Source } from "./source.ts";

const headLength = 1 << 16;

/** The format of an input: the one asked for, else by the ending of its name, else by its beginning, else `fallback`. */
export async function formatToRead(
  source: Source,
  formats: readonly Format[],
  name: string | undefined,
  fallback?: string | undefined,
): Promise<Format> {
  if (name !== undefined) return formatNamed(formats, name);
  const names = source.path === undefined ? undefined : await namesIn(source.path);
  if (names !== undefined) {
    const found = formats.find((format) => format.storage === "folder" && format.recognisesFolder(names));
    if (found !== undefined) return found;
    throw new InputError("expected a file, got a directory", { file: source.name });
  }
  const byName = source.path === undefined ? undefined : byExtension(formats, source.path);
  if (byName !== undefined) return byName;
  const sample = sampleOf(await source.head(headLength), extname(source.path ?? "").toLowerCase());
  const found = formats.find((format) => format.recognises(sample));
  if (found !== undefined) return found;
  if (fallback !== undefined) return formatNamed(formats, fallback);
  throw new InputError(`the format cannot be told from the beginning; say which it is (${namesOf(formats)})`, {
    file: source.name,
  });
}

/** The format of an output: the one asked for, else by the ending of its name; `ownFormat` for standard output and JSON lines. */
export function formatToWrite(
  path: string,
  formats: readonly Format[],
  ownFormat: Format,
  name: string | undefined,
): Format {
  if (name !== undefined) return formatNamed(formats, name);
  if (isStandardOutput(path) || extname(path).toLowerCase() === ".jsonl") return ownFormat;
  const found = byExtension(
    formats.filter(({ storage }) => storage === "file"),
    path,
  );
  if (found !== undefined) return found;
  throw new InputError(`the format cannot be told from the name; say which to write (${namesOf(formats)})`, {
    file: path,
  });
}

function formatNamed(formats: readonly Format[], name: string): Format {
  const found = formats.find((format) => format.name === name);
  if (found === undefined)
    throw new InputError(
      `unknown format ${unknownName(
        name,
        formats.map((format) => format.name),
      )}`,
    );
  return found;
}

function byExtension(formats: readonly Format[], path: string): Format | undefined {
  const extension = extname(path).toLowerCase();
  return extension === "" ? undefined : formats.find(({ extensions }) => extensions.includes(extension));
}

function sampleOf(bytes: Buffer, extension: string): Sample {
  const head = bytes.toString("utf8").replace(/^\uFEFF/, "");
  return { head, keys: firstKeys(head), extension };
}

function namesOf(formats: readonly Format[]): string {
  return `known: ${formats.map((format) => format.name).join(", ")}`;
}

/** The names in a folder; `undefined` for anything else. */
async function namesIn(path: string): Promise<string[] | undefined> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isFolder ? readdir(path) : undefined;
}
