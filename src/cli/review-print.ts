import type { History } from "../review/index.ts";
import { grouped } from "./progress.ts";

export interface VerdictCounts {
  readonly accepted: number;
  readonly rejected: number;
  readonly unsure: number;
  readonly open: number;
}

/** How many of so many suspicions were decided, and how. */
export function verdictCounts(suspicions: number, history: History): VerdictCounts {
  const counts = { open: 0, accept: 0, reject: 0, unsure: 0 };
  for (let item = 1; item <= suspicions; item++) counts[history.status(item)]++;
  return { accepted: counts.accept, rejected: counts.reject, unsure: counts.unsure, open: counts.open };
}

/** `14 of 20 suspicions decided: 9 accepted, 4 rejected, 1 unsure` */
export function describeVerdicts({ accepted, rejected, unsure, open }: VerdictCounts): string {
  const decided = accepted + rejected + unsure;
  return (
    `${grouped(decided)} of ${grouped(decided + open)} suspicions decided: ` +
    `${grouped(accepted)} accepted, ${grouped(rejected)} rejected, ${grouped(unsure)} unsure`
  );
}
