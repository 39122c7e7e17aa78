import { missingShares } from "../../evaluation/index.ts";
import { tokenStates } from "../../heads/index.ts";
import { isCandidate, isComplete, type Sentence, tokenCount, typeSets } from "../../text/index.ts";
import type { TrainingData } from "../../training/index.ts";
import { InputError, unknownName } from "../../util/errors.ts";

export const priorSources = ["estimate", "sample", "dev"] as const;
/** Where priors come from that nobody gave: the estimate of `check`, training text that is complete, or the dev set. */
export type PriorSource = (typeof priorSources)[number];

export type Priors = Readonly<Record<string, number>>;

/** The share of each type among the tokens of which nobody spoke; priors that were given stay. */
export function priorsOf(
  data: Pick<TrainingData, "train" | "dev" | "types">,
  from: PriorSource,
  given: Priors,
): Priors {
  const types = [...new Set([...data.train.flatMap(typesIn), ...(data.types ?? [])])].sort();
  for (const name of Object.keys(given))
    if (!types.includes(name)) throw new InputError(`objective.priors: unknown type ${unknownName(name, types)}`);
  const unknown = types.filter((type) => given[type] === undefined);
  const open = data.train.filter((sentence) => !isComplete(sentence));
  const counts = countTokens(open, types);
  if (unknown.length === 0 || counts.silent === 0)
    return { ...Object.fromEntries(unknown.map((each) => [each, 0])), ...given };
  const missing = from === "estimate" ? byEstimate(open, counts) : byDensity(data, from, counts, types);
  const priors = unknown.map((type) => [type, Math.min(0.99, missing(type) / counts.silent)] as const);
  return { ...Object.fromEntries(priors), ...given };
}

/**
 * The priors when labels were added: their tokens are no longer among those of which nobody spoke. Nothing is estimated
 * anew, since labels that stand wherever a phrase does would look complete. Priors that were given stay.
 */
export function priorsAfter(
  priors: Priors,
  given: Priors,
  before: readonly Sentence[],
  after: readonly Sentence[],
): Priors {
  const types = Object.keys(priors);
  const count = (sentences: readonly Sentence[]): TokenCounts =>
    countTokens(
      sentences.filter((sentence) => !isComplete(sentence)),
      types,
    );
  const [then, now] = [count(before), count(after)];
  const left = (type: string): number => {
    const missing = priors[type]! * then.silent - (now.labelled[type]! - then.labelled[type]!);
    return now.silent === 0 ? 0 : Math.min(0.99, Math.max(0, missing) / now.silent);
  };
  return Object.fromEntries(types.map((type) => [type, given[type] ?? left(type)]));
}

interface TokenCounts {
  readonly tokens: number;
  /** Tokens of which nobody spoke. */
  readonly silent: number;
  /** Labelled tokens by type. */
  readonly labelled: Readonly<Record<string, number>>;
}

function countTokens(sentences: readonly Sentence[], types: readonly string[]): TokenCounts {
  const sets = typeSets(types);
  const labelled = types.map(() => 0);
  let [tokens, silent] = [0, 0];
  for (const sentence of sentences) {
    tokens += tokenCount(sentence);
    for (const state of tokenStates(sentence, sets).states) {
      if (state > 0) labelled[state - 1]!++;
      else if (isCandidate(state)) silent++;
    }
  }
  return { tokens, silent, labelled: Object.fromEntries(types.map((type, i) => [type, labelled[i]!])) };
}

/** How many tokens of a type are missing, by names that are labelled here and not there. */
function byEstimate(open: readonly Sentence[], { labelled }: TokenCounts): (type: string) => number {
  const { overall, byType } = missingShares(open);
  return (type) => {
    const share = byType[type]?.missing ?? overall.missing;
    if (share === undefined) {
      const reason = "because" in overall ? overall.because : `too few names occur twice (${overall.evidence})`;
      throw new InputError(
        `priors: how much of ${type} is missing cannot be estimated: ${reason}; give the share of its tokens among those without a label (--set objective.priors.${type}=0.03), or take it from text with all labels (--set pu.from=sample with --complete FILE, or pu.from=dev)`,
      );
    }
    return (labelled[type]! * share) / (1 - Math.min(share, 0.99));
  };
}

/** How many tokens of a type are missing, when they are as frequent as in text that is complete. */
function byDensity(
  { train, dev }: Pick<TrainingData, "train" | "dev">,
  from: "sample" | "dev",
  { tokens, labelled }: TokenCounts,
  types: readonly string[],
): (type: string) => number {
  const sample = countTokens(from === "dev" ? dev : train.filter(isComplete), types);
  if (sample.tokens === 0)
    throw new InputError(
      from === "dev"
        ? "priors: pu.from=dev needs --dev FILE"
        : "priors: pu.from=sample needs training text that is complete (--complete FILE), and there is none",
    );
  return (type) => Math.max(0, (sample.labelled[type]! / sample.tokens) * tokens - labelled[type]!);
}

function typesIn({ entities }: Sentence): string[] {
  return entities.map(({ type }) => type);
}

const origins: Readonly<Record<PriorSource, string>> = {
  estimate: "estimated from names that are labelled here and not there",
  sample: "from the training text that is complete",
  dev: "from the labels of the dev set",
};

/** `priors of tokens without a label: LOC 0.021, PER 0.034 (estimated …)`. */
export function describePriors(priors: Priors, from: PriorSource): string {
  const parts = Object.entries(priors).map(([type, prior]) => `${type} ${Number(prior.toPrecision(3))}`);
  return `share of each type among the tokens without a label: ${parts.join(", ")} (${origins[from]}, where not given)`;
}
