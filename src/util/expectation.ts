import type { z } from "zod";

/** Problems one after the other, the first of them when there are many. */
export function fewOf(problems: readonly string[]): string {
  const shown = problems.slice(0, 8).join("; ");
  return problems.length > 8 ? `${shown}; and ${problems.length - 8} more` : shown;
}

/** What zod expected, without its opening words and its name for what it found. */
export function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_key") return expectation(issue.issues[0]!);
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    return issue.errors
      .map((issues) => expectation(issues[0]!))
      .join(" or ")
      .replaceAll("or expected", "or");
  }
  return issue.message
    .replace(/^.*?(?=expected )/i, "")
    .replace(/^E/, "e")
    .replace(/, received .*$/, "");
}
