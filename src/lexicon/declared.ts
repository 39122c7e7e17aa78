import { existsSync } from "node:fs";

/** `FILE=TYPE`; a file whose own name has the equals sign is taken for itself. An empty file or type is left to the caller. */
export function declaredDictionary(text: string): { readonly path: string; readonly type: string | undefined } {
  const equals = text.lastIndexOf("=");
  if (equals < 0 || existsSync(text)) return { path: text, type: undefined };
  return { path: text.slice(0, equals), type: text.slice(equals + 1) };
}
