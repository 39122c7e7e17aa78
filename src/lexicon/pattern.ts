import { z } from "zod";
import { InputError, type Place, quote } from "../util/errors.ts";

/** What a token of a pattern may ask for; attributes are written in either case. */
const tokenAttributes = ["orth", "text", "lower"] as const;

const patternSchema = z.object({
  label: z.string().min(1),
  pattern: z.union([z.string().min(1), z.array(z.record(z.string(), z.unknown())).min(1)]),
});

/**
 * One line of spaCy or Prodigy patterns: `{"label": "ORG", "pattern": "Acme"}`, or a list of tokens
 * `[{"orth": "New"}, {"orth": "York"}]`. Tokens that ask for more than a text are refused; `lower` needs a matcher that
 * folds case.
 */
export function readPattern(content: string, anyCase: boolean, place: Place): { surface: string; type: string } {
  const fail = (message: string): never => {
    throw new InputError(`dictionary: ${message}: ${quote(content)}`, place);
  };
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return fail("expected a JSON object");
  }
  const parsed = patternSchema.safeParse(value);
  if (!parsed.success) return fail('expected "label", a text, and "pattern", a text or a list of tokens');
  const { label, pattern } = parsed.data;
  if (typeof pattern === "string") return { surface: pattern.trim() || fail("the pattern is empty"), type: label };
  const words = pattern.map((token) => {
    const [attribute = "", text] = Object.entries(token)[0] ?? [];
    const name = attribute.toLowerCase();
    const known = (tokenAttributes as readonly string[]).includes(name) && Object.keys(token).length === 1;
    if (!known || typeof text !== "string" || text.trim() === "") {
      return fail(`expected tokens with one of ${tokenAttributes.join(", ")} and a text, got ${JSON.stringify(token)}`);
    }
    if (name === "lower" && !anyCase) return fail('the pattern asks for any case ("lower"), but case is not folded');
    return text;
  });
  return { surface: words.join(" "), type: label };
}
