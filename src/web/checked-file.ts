import { InputError } from "../util/errors.ts";
import type { Description } from "./description.ts";

/** Refuses a file that is not the one that was exported: half a download, or that of another export. */
export async function checkedFile<B extends Uint8Array>(
  data: B,
  { files }: Pick<Description, "files">,
  name: string,
  /** For errors. */
  file: string,
): Promise<B> {
  const { bytes, sha256 } = files[name]!;
  if (data.length !== bytes)
    throw new InputError(`expected ${bytes} bytes, got ${data.length}; load it again`, { file });
  // Browsers have it on https and on localhost only.
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) return data;
  const digest = new Uint8Array(await subtle.digest("SHA-256", data as Uint8Array<ArrayBuffer>));
  const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (found !== sha256)
    throw new InputError("is not the file that lacuna.json describes; export the model again and copy all files", {
      file,
    });
  return data;
}
