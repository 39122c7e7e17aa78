import { readdir, stat } from "node:fs/promises";
import { extname } from "node:path";
import { encodingHint, foreignEncoding } from "../util/encoding.ts";
import { InputError, quote, unknownName } from "../util/errors.ts";
import { isStandardOutput } from "../util/output-target.ts";
import type { BinaryFormat, Format, ReadOptions, Sample } from "./format.ts";
import { firstKeys } from "./json.ts";
import type { Source } from "./source.ts";

const headLength = 1 << 16;

/** The format of an input: the one asked for, else by the ending of its name, else by its beginning, else `fallback`. */
export async function formatToRead(
  source: Source,
  formats: readonly Format[],
  { format: name, encoding }: ReadOptions,
  fallback?: string | undefined,
): Promise<Format> {
  if (name !== undefined) return formatNamed(formats, name);
  const names = source.path === undefined ? undefined : await namesIn(source.path);
  if (names !== undefined) {
    const found = formats.find((format) => format.storage === "folder" && format.recognisesFolder(names));
    if (found !== undefined) return found;
    throw new InputError("expected a file, got a directory", { file: source.name });
  }
  const title = source.title ?? source.path;
  const byName = title === undefined ? undefined : byExtension(formats, title);
  if (byName !== undefined) return byName;
  const sample = sampleOf(await source.head(headLength), extname(title ?? "").toLowerCase(), encoding);
  const found = formats.find((format) => format.recognises(sample));
  if (found !== undefined) return found;
  if (sample.keys !== undefined && sample.keys.size > 0) return refuseShape(sample.keys, source, formats);
  if (sample.head.includes("\0"))
    throw new InputError(`not text: ${encodingHint(sample.bytes)}`, { file: source.name });
  if (fallback !== undefined) return formatNamed(formats, fallback);
  throw new InputError(`the format cannot be told from the beginning; name it with --from (${namesOf(formats)})`, {
    file: source.name,
  });
}

/** JSON that looks like nothing we know is annotation of a kind that would be lost if it were read as text. */
function refuseShape(keys: ReadonlySet<string>, source: Source, formats: readonly Format[]): never {
  const shapes = formats.flatMap(({ name, shape }) => (shape === undefined ? [] : [`${name}: ${shape}`])).join("; ");
  throw new InputError(
    `unknown JSON with the keys ${[...keys].map((key) => quote(key)).join(", ")}; ` +
      `name its format with --from, or convert it to a known shape (${shapes})`,
    { file: source.name },
  );
}

/** The format of an output: the one asked for, else by the ending of its name; `ownFormat` for standard output and JSON lines. */
export function formatToWrite(
  path: string,
  formats: readonly Format[],
  ownFormat: WritableFormat,
  name: string | undefined,
): WritableFormat {
  if (name !== undefined) return writable(formatNamed(formats, name));
  if (isStandardOutput(path) || extname(path).toLowerCase() === ".jsonl") return ownFormat;
  const found = byExtension(
    formats.filter(({ storage }) => storage !== "folder"),
    path,
  );
  if (found !== undefined) return writable(found);
  const known = formats.filter(({ storage }) => storage !== "binary");
  throw new InputError(`the format cannot be told from the name; name it with --to (${namesOf(known)})`, {
    file: path,
  });
}

/** A format that can be written, or an error that says which to write instead. */
function writable(format: Format): WritableFormat {
  if (format.storage !== "binary") return format;
  throw new InputError(`${format.name} is read, not written (--to ${format.instead} holds as much)`);
}

export type WritableFormat = Exclude<Format, BinaryFormat>;

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

function sampleOf(bytes: Buffer, extension: string, declared: string | undefined): Sample {
  const text = new TextDecoder(foreignEncoding(bytes, declared) ?? "utf-8").decode(bytes, { stream: true });
  const head = text.replace(/^\uFEFF/, "");
  return { head, bytes, keys: firstKeys(head), extension };
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
