/** An encoder as it may be given: by its name on the command line, or as settings. */
export type EncoderInput = Readonly<Record<string, unknown>>;

/** `transformer:DIR` as settings, `{ name: "transformer", from: "DIR" }`. What is no string stays as it is. */
export function encoderInput(given: unknown): unknown {
  if (typeof given !== "string") return given;
  const colon = given.indexOf(":");
  return colon < 0 ? { name: given } : { name: given.slice(0, colon), from: given.slice(colon + 1) };
}

/** Settings as they are written on the command line, without their options. */
export function commandForm({ name, from }: { readonly name: string; readonly from?: string | undefined }): string {
  return from === undefined ? name : `${name}:${from}`;
}
