/** A source by its name on the command line, `charlm:DIR`, as settings. What is no string stays as it is. */
export function sourceInput(given: unknown): unknown {
  if (typeof given !== "string") return given;
  const colon = given.indexOf(":");
  return colon < 0 ? { name: given } : { name: given.slice(0, colon), from: given.slice(colon + 1) };
}
