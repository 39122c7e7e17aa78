import { sources } from "./sources/index.ts";
import { sourceInput } from "./sources/input.ts";

/**
 * An encoder as it is written on the command line, as settings: `transformer:DIR` is `{ name: "transformer", from: "DIR" }`,
 * and sources that are joined by `+`, or stand alone, are those of a stack. What is no string stays as it is.
 */
export function encoderInput(given: unknown): unknown {
  if (typeof given !== "string") return given;
  const parts = given.split(beforeSource);
  const [first = ""] = parts;
  const isSource = first.split(":", 1)[0]! in sources && !first.startsWith("transformer");
  return parts.length > 1 || isSource ? { name: "stack", sources: parts.map(sourceInput) } : sourceInput(given);
}

/** A plus sign that the name of a source follows; in the name of a directory it is a sign like others. */
const beforeSource = new RegExp(`\\+(?=(?:${Object.keys(sources).join("|")})(?:[:+]|$))`);

/** Settings as they are written on the command line, without their options. */
export function commandForm({
  name,
  from,
  sources: joined,
}: {
  readonly name: string;
  readonly from?: string | null | undefined;
  readonly sources?: readonly { readonly name: string; readonly from?: string | null | undefined }[];
}): string {
  if (joined) return joined.map(commandForm).join("+");
  return from == null ? name : `${name}:${from}`;
}
