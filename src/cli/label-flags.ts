import type { Silence } from "../formats/index.ts";
import type { LabelPolicy } from "../lexicon/index.ts";
import type { Scheme } from "../text/index.ts";
import type { MatcherFlags } from "./label-matcher.ts";
import type { ReadingFlags } from "./reading.ts";
import type { ShardFlags } from "./sharding.ts";

export interface LabelFlags extends MatcherFlags, ReadingFlags, ShardFlags {
  readonly in: string;
  readonly out: string;
  readonly from?: string;
  readonly to?: string;
  readonly silence?: Silence;
  readonly toScheme?: Scheme;
  readonly overlaps: LabelPolicy["overlaps"];
  readonly conflicts: LabelPolicy["conflicts"];
  readonly complete?: boolean | readonly string[];
  readonly replace?: boolean;
  readonly saveMatcher?: string;
  readonly sample?: string;
  readonly report?: string;
  readonly limit?: number;
  readonly workers: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}
