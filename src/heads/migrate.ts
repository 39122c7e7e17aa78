/**
 * Settings of a head as they were written before there were heads, when the scores of a token tagger were called `head`.
 */
export function migrateHead(old: unknown): unknown {
  if (typeof old !== "object" || old === null || !("head" in old)) return old;
  const { head, ...rest } = old;
  return { ...rest, scores: head };
}
