import { overlaps, type Sentence, type Span } from "./document.ts";

/** A label in a part that somebody declared complete for its type was set by that person. */
export function isDeclared({ complete }: Sentence, span: Span, type: string): boolean {
  return complete.some((part) => overlaps(part, span) && (part.types === undefined || part.types.includes(type)));
}
