import { text } from "../../formats/index.ts";
import type { Document } from "../../text/index.ts";

/** Which documents of a format are to be labelled: of plain text, lines without a word in them are none. */
export function worthLabelling(format: string): (document: Document) => boolean {
  return format === text.name ? ({ sentences }) => sentences.length > 0 : () => true;
}
