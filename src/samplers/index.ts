import { type PartKind, type PartSettings, partOf, partSettings } from "../util/parts.ts";
import { all, allSettings } from "./all.ts";
import { fraction, fractionSettings } from "./fraction.ts";
import { none, noneSettings } from "./none.ts";
import type { Sampler } from "./sampler.ts";
import { topSimilarity, topSimilaritySettings } from "./top-similarity.ts";
import { uniform, uniformSettings } from "./uniform.ts";
import { weighted, weightedSettings } from "./weighted.ts";

/** A sampler that settings can name. */
export interface SamplerKind extends PartKind {
  // biome-ignore lint/suspicious/noExplicitAny: each kind has settings of its own, checked by its schema
  make(settings: any): Sampler;
}

/** Every sampler by name. */
export const samplers = {
  all: { description: "every unknown span is a negative", settings: allSettings, make: all },
  none: { description: "no unknown span is a negative", settings: noneSettings, make: none },
  uniform: { description: "some random unknown spans of each sentence", settings: uniformSettings, make: uniform },
  weighted: {
    description: "as uniform, sparing spans that look like entities",
    settings: weightedSettings,
    make: weighted,
  },
  "top-similarity": {
    description: "the unknown spans of a batch most like its entities",
    settings: topSimilaritySettings,
    make: topSimilarity,
  },
  fraction: {
    description: "a share of the unknown spans of each sentence",
    settings: fractionSettings,
    make: fraction,
  },
} satisfies Readonly<Record<string, SamplerKind>>;
export type SamplerSettings = PartSettings<typeof samplers>;
export const samplerSettings = partSettings(samplers);

export function makeSampler(given: SamplerSettings, table: Readonly<Record<string, SamplerKind>> = samplers): Sampler {
  const { kind, settings } = partOf(table, given);
  return kind.make(settings);
}

export type {
  BatchSampler,
  BatchSpans,
  BlindSampler,
  Candidates,
  Draw,
  Sampler,
  ScoredSampler,
} from "./sampler.ts";
export { all, fraction, none, uniform, weighted };
