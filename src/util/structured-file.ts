import { extname } from "node:path";
import { parse as parseYaml, YAMLParseError } from "yaml";
import { InputError, messageOf, quote } from "./errors.ts";
import { faultOf } from "./json.ts";
import { readTextFile } from "./regular-file.ts";

/** Names with values from a YAML file, or a JSON file by its ending; none from an empty file. `what` it should be is for errors. */
export async function readStructured(file: string, what: string): Promise<Record<string, unknown>> {
  const value = parse(await readTextFile(file), file, what);
  const fault = faultOf(value);
  if (fault !== undefined) throw new InputError(`not a ${what}: ${fault}`, { file });
  if (value === null) return {};
  if (typeof value === "object" && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new InputError(`not a ${what}: expected names with values, got ${quote(value)}`, { file });
}

function parse(text: string, file: string, what: string): unknown {
  try {
    return extname(file).toLowerCase() === ".json" ? JSON.parse(text) : parseYaml(text, { prettyErrors: false });
  } catch (error) {
    const line = error instanceof YAMLParseError ? text.slice(0, error.pos[0]).split("\n").length : undefined;
    throw new InputError(`not a ${what}: ${messageOf(error)}`, { file, line });
  }
}
