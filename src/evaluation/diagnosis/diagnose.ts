import type { Document, Sentence } from "../../text/index.ts";
import { isComplete } from "../../text/index.ts";
import { InputError } from "../../util/errors.ts";
import { type Conflicts, conflictsOf, type Duplicates, duplicatesOf } from "./conflicts.ts";
import { type CorpusCounts, countsOfCorpus } from "./counts.ts";
import type { MissingEstimates } from "./estimate.ts";
import { missingBySample, type SampleEstimates } from "./missing-by-sample.ts";
import { missingBySurface } from "./missing-by-surface.ts";
import { type OrdinaryLabels, withoutOrdinaryLabels } from "./ordinary-labels.ts";
import { type FromDictionary, namesEntry, type Origins, originsOf } from "./origins.ts";
import { placeSentences } from "./placed.ts";
import { type SamplingOutlook, samplingOutlook } from "./sampling.ts";
import { type Sparsity, sparsityOf } from "./sparsity.ts";
import { surfaceUses } from "./surface-uses.ts";
import { type Widths, widthsOf } from "./widths.ts";

export interface DiagnoseOptions {
  /** λ of uniform sampling: negatives drawn for each token. */
  readonly rate?: number | undefined;
  /** Supposed shares of missing entities for which missampling is worked out. */
  readonly shares?: readonly number[] | undefined;
  /** Ask for the highest rates that keep missampling within this share. */
  readonly limit?: number | undefined;
  /** Spans wider than this are neither learnt nor drawn. */
  readonly maxWidth?: number | undefined;
  /** Text of the same kind of which every entity is labelled. */
  readonly sample?: Iterable<Document> | undefined;
  /** Tells which labels a dictionary made; without it, those that name the entry they come from. */
  readonly isFromDictionary?: FromDictionary | undefined;
  /** How many conflicts and disagreements are listed. */
  readonly examples?: number | undefined;
}

/** All that can be said of a corpus before training on it. */
export interface Diagnosis {
  readonly counts: CorpusCounts;
  readonly widths: Widths;
  readonly sparsity: Sparsity;
  readonly sampling: SamplingOutlook;
  readonly duplicates: Duplicates;
  readonly conflicts: Conflicts;
  /** Labels of ordinary words, which are probably wrong. */
  readonly ordinary: Pick<OrdinaryLabels, "count" | "texts">;
  readonly origins: Origins;
  /** How much is missing from the sentences that are not declared complete. */
  readonly missing: { readonly surfaces: MissingEstimates; readonly sample?: SampleEstimates };
}

const defaults = { rate: 0.35, shares: [0.1, 0.2, 0.5, 0.8, 0.9], examples: 10 };
const usualWidths = [4, 6, 8, 10, 12, 16];

export function diagnose(documents: Iterable<Document>, options: DiagnoseOptions = {}): Diagnosis {
  const { rate = defaults.rate, shares = defaults.shares, examples = defaults.examples } = options;
  const { limit, maxWidth, sample, isFromDictionary = namesEntry } = options;
  assertOptions({ rate, shares, limit, maxWidth });
  const all = [...documents];
  const placed = placeSentences(all);
  if (placed.length === 0) throw new InputError("check: the corpus has no sentence with a token");
  const open = placed.filter(({ value }) => !isComplete(value));
  const sentences = placed.map(({ value }) => value);
  const openSentences = open.map(({ value }) => value);
  const uses = surfaceUses(placed);
  const openUses = open.length === placed.length ? uses : surfaceUses(open);
  const counts = countsOfCorpus(placed, all.length);
  return {
    counts,
    widths: widthsOf(sentences, maxWidth === undefined ? usualWidths : [maxWidth]),
    sparsity: sparsityOf(sentences),
    sampling: samplingOutlook(openSentences, counts.length, { rate, shares, limit, maxWidth }),
    duplicates: duplicatesOf(placed, examples),
    conflicts: conflictsOf(uses, examples),
    ordinary: ordinaryIn(sentences, examples),
    origins: originsOf(sentences, isFromDictionary),
    missing: {
      surfaces: missingBySurface(openSentences, openUses, originsOf(openSentences, isFromDictionary)),
      ...(sample !== undefined && {
        sample: missingBySample(
          openSentences,
          placeSentences(sample).map(({ value }) => value),
        ),
      }),
    },
  };
}

function ordinaryIn(sentences: readonly Sentence[], examples: number): Diagnosis["ordinary"] {
  const { count, texts } = withoutOrdinaryLabels(sentences);
  return { count, texts: texts.slice(0, examples) };
}

function assertOptions(options: Pick<DiagnoseOptions, "rate" | "shares" | "limit" | "maxWidth">): void {
  const { rate = 0, shares = [], limit = 0, maxWidth = 1 } = options;
  for (const [name, value] of [
    ["the rate", rate],
    ["the limit", limit],
  ] as const) {
    if (!(value >= 0 && value <= 1)) throw new InputError(`check: ${name} must be a number from 0 to 1, got ${value}`);
  }
  for (const share of shares) {
    if (!(share >= 0 && share < 1)) {
      throw new InputError(`check: a missing share must be a number from 0 to below 1, got ${share}`);
    }
  }
  if (!Number.isInteger(maxWidth) || maxWidth < 1) {
    throw new InputError(`check: the width limit must be a whole number from 1, got ${maxWidth}`);
  }
}
