import { type EncoderKind, encoders } from "../encoders/index.ts";
import { type Head, heads } from "../heads/index.ts";
import { type ObjectiveKind, objectives } from "../objectives/index.ts";
import { type SamplerKind, samplers } from "../samplers/index.ts";

/** The parts that settings may name, by sort and name. */
export interface Parts {
  readonly samplers: Readonly<Record<string, SamplerKind>>;
  readonly objectives: Readonly<Record<string, ObjectiveKind>>;
  readonly heads: Readonly<Record<string, Head>>;
  readonly encoders: Readonly<Record<string, EncoderKind>>;
}

/** The parts of the package. */
export const builtInParts: Parts = {
  samplers,
  objectives,
  heads,
  encoders: encoders as unknown as Parts["encoders"],
};
