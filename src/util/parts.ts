import { z } from "zod";

/** A part that settings name: a sampler, an objective, a head, an encoder. */
export interface PartKind {
  readonly description: string;
  /** Its settings, beside the name. */
  readonly settings: z.ZodObject;
}

/** The parts of one sort by name. */
export type PartTable<K extends PartKind = PartKind> = Readonly<Record<string, K>>;

/** The settings of any part of a table: `name` tells which. */
export type PartSettings<T extends PartTable> = {
  [K in keyof T & string]: { name: K } & z.output<T[K]["settings"]>;
}[keyof T & string];

/**
 * The schema of a part's settings. A part may be given by name alone: `sampler: uniform` stands for
 * `sampler: { name: uniform }`; `fallback` is the name where none is given.
 */
export function partSettings<T extends PartTable>(table: T, fallback?: keyof T & string): z.ZodType<PartSettings<T>> {
  const kinds = Object.entries(table).map(([name, { settings }]) =>
    z.strictObject({ name: z.literal(name), ...settings.shape }),
  );
  const union = z.discriminatedUnion("name", kinds as unknown as [(typeof kinds)[number]]);
  return z.preprocess((given) => {
    if (typeof given === "string") return { name: given };
    const isSection = typeof given === "object" && given !== null && !Array.isArray(given);
    return isSection && fallback !== undefined ? { name: fallback, ...given } : given;
  }, union) as unknown as z.ZodType<PartSettings<T>>;
}

/** The part that settings name, and its settings without the name. */
export function partOf<K extends PartKind>(
  table: PartTable<K>,
  { name, ...settings }: { readonly name: string },
): { readonly kind: K; readonly settings: Readonly<Record<string, unknown>> } {
  return { kind: table[name]!, settings };
}
