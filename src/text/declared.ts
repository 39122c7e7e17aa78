import { type Entity, overlaps, type Sentence } from "./document.ts";

/** Where the labels come from that a person has decided on. */
export const reviewer = { source: "review" } as const;

/** A person set this label: in a review, or in a part that was declared complete for its type. */
export function isDeclared({ complete }: Sentence, entity: Entity): boolean {
  const { type, provenance } = entity;
  return (
    provenance?.source === reviewer.source ||
    complete.some((part) => overlaps(part, entity) && (part.types === undefined || part.types.includes(type)))
  );
}
