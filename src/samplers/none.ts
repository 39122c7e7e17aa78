import { z } from "zod";
import type { BlindSampler } from "./sampler.ts";

export const noneSettings = z.strictObject({});

/** No unknown span is a negative: only what the annotation says trains. Some of it must say what is no entity. */
export function none(): BlindSampler {
  return { name: "none", kind: "blind", choose: () => [] };
}
