import { z } from "zod";

/**
 * - `missing`: an unlabelled span that looks like an entity of the type.
 * - `wrong`: a labelled span that looks like no entity.
 * - `type`: a labelled span that looks like an entity of another type.
 * - `boundary`: a labelled span beside which an overlapping one looks better, of the same type or of another.
 */
export const suspicionKinds = ["missing", "wrong", "type", "boundary"] as const;

const offset = z.int().min(0);

/**
 * One line of `audit.jsonl`. `start`, `end` and `type` say what the annotation should be, `given` what it is. Offsets
 * are UTF-16 units in the document's text.
 */
export const suspicionSchema = z.strictObject({
  kind: z.enum(suspicionKinds),
  /** How sure the models are, from 0 to 1. */
  score: z.number().min(0).max(1),
  /** The document's id, or its number from 1 where it has none or shares it. */
  document: z.union([z.string(), z.int().min(1)]),
  start: offset,
  end: offset,
  text: z.string(),
  /** For `wrong`, the type that is doubted. */
  type: z.string(),
  /** The annotation as it stands; null for `missing`. */
  given: z.strictObject({ start: offset, end: offset, type: z.string() }).nullable(),
  /** Sentences for a person, the strongest first. */
  reasons: z.array(z.string()),
  /** Suspicions with the same key (surface, kind, types) can be decided at once. */
  group: z.string(),
});

export type SuspicionKind = (typeof suspicionKinds)[number];
export type Suspicion = Readonly<z.infer<typeof suspicionSchema>>;
