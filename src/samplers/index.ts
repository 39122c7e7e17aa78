import { z } from "zod";
import { all, allSettings } from "./all.ts";
import { fraction, fractionSettings } from "./fraction.ts";
import type { Sampler } from "./sampler.ts";
import { topSimilarity, topSimilaritySettings } from "./top-similarity.ts";
import { uniform, uniformSettings } from "./uniform.ts";
import { weighted, weightedSettings } from "./weighted.ts";

/** The settings of every sampler: `name` tells which. */
export const samplerSettings = z.discriminatedUnion("name", [
  allSettings,
  uniformSettings,
  weightedSettings,
  topSimilaritySettings,
  fractionSettings,
]);
export type SamplerSettings = z.output<typeof samplerSettings>;

/** Every sampler by name. */
export const samplers: {
  readonly [K in SamplerSettings["name"]]: (settings: Extract<SamplerSettings, { name: K }>) => Sampler;
} = {
  all,
  uniform,
  weighted,
  "top-similarity": topSimilarity,
  fraction,
};

export function makeSampler(settings: SamplerSettings): Sampler {
  return samplers[settings.name](settings as never);
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
export { all, fraction, topSimilarity, uniform, weighted };
