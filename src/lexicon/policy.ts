import { InputError, unknownName } from "../util/errors.ts";
import { type OverlapPolicyName, overlapPolicies } from "./overlaps.ts";

/** What becomes of a surface with several types: unknown; an entity of each type; an entity of the type declared first. */
export const conflictPolicies = ["drop", "candidates", "priority"] as const;

export interface LabelPolicy {
  /** Which of several overlapping matches count. */
  readonly overlaps: OverlapPolicyName;
  readonly conflicts: (typeof conflictPolicies)[number];
  /**
   * Declare what no dictionary touches complete, for all types or for those named. Tokens of matches that did not
   * become entities stay out of it, so they are unknown and not negative.
   */
  readonly complete: boolean | readonly string[];
  /** Whether annotations that came with the text stay, and decide where they speak; otherwise they are taken away. */
  readonly existing: "keep" | "replace";
}

const defaultPolicy: LabelPolicy = {
  overlaps: "longest",
  conflicts: "drop",
  complete: false,
  existing: "keep",
};

/** Completes and checks a policy. */
export function makePolicy(options: Partial<LabelPolicy> = {}): LabelPolicy {
  const policy = { ...defaultPolicy, ...options };
  const check = (name: string, value: string, known: readonly string[]): void => {
    if (!known.includes(value)) throw new InputError(`label: unknown ${name} ${unknownName(value, known)}`);
  };
  check("policy for overlaps", policy.overlaps, Object.keys(overlapPolicies));
  check("policy for conflicts of types", policy.conflicts, conflictPolicies);
  check("policy for existing annotations", policy.existing, ["keep", "replace"]);
  return policy;
}

/**
 * What became of a match.
 * - `entity`: labelled. - `unsure`: only dictionaries without types have it.
 * - `ambiguous`: several types, none chosen. - `refused`: a stop list or a limit keeps it from labelling.
 * - `overlapped`: another match was preferred. - `settled`: an annotation that was there before decides.
 * All but the first two stay unknown.
 */
export const outcomes = ["entity", "unsure", "ambiguous", "refused", "overlapped", "settled"] as const;
export type Outcome = (typeof outcomes)[number];
