import { z } from "zod";
import { InputError } from "../../util/errors.ts";

/** Settings that came from a file or a queue, checked. */
export function settingsOf<T>(schema: z.ZodType<T>, given: unknown): T {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new InputError(`settings of a shard: ${z.prettifyError(parsed.error)}`);
}
