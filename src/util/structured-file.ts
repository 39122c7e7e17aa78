import { extname } from "node:path";
import { isScalar, parseDocument, visit, type YAMLMap } from "yaml";
import { InputError, messageOf, quote } from "./errors.ts";
import { faultOf, parseJson } from "./json.ts";
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

/** Deeper than anybody writes, brackets in texts included; the parser takes the square of the depth. */
const mostOpen = 1000;

/** Whether so many brackets are open at once, or so many signs of lists stand on a line, as no file that somebody means has. */
function looksTooDeep(text: string): boolean {
  let [open, signs] = [0, 0];
  for (const character of text) {
    if (character === "[" || character === "{") open++;
    else if ((character === "]" || character === "}") && open > 0) open--;
    else if (character === "\n") signs = 0;
    else if (character === "-" || character === "?") signs++;
    if (open > mostOpen || signs > mostOpen) return true;
  }
  return false;
}

function parse(text: string, file: string, what: string): unknown {
  if (extname(file).toLowerCase() === ".json") return parseJson(text, `a ${what}`, { file });
  if (looksTooDeep(text)) throw new InputError(`not a ${what}: it is nested too deeply`, { file });
  const fail = (message: string, offset?: number): never => {
    const line = offset === undefined ? undefined : text.slice(0, offset).split("\n").length;
    throw new InputError(`not a ${what}: ${message}`, { file, line });
  };
  try {
    // The parser compares every key with every other; warnings of its own would go to the terminal as they are.
    const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: "error" });
    const [error] = document.errors;
    if (error !== undefined) return fail(error.message, error.pos[0]);
    visit(document, { Map: (_, map) => assertDistinct(map, fail) });
    return document.toJS() as unknown;
  } catch (error) {
    if (error instanceof InputError) throw error;
    return fail(messageOf(error));
  }
}

function assertDistinct({ items }: YAMLMap, fail: (message: string, offset?: number) => never): void {
  const seen = new Set<unknown>();
  for (const { key } of items) {
    if (!isScalar(key)) continue;
    if (seen.has(key.value)) fail(`the name ${quote(key.value)} stands twice`, key.range?.[0]);
    seen.add(key.value);
  }
}
