import { ce } from "./ce.ts";
import type { Method } from "./method.ts";
import { nrces } from "./nrces.ts";
import { partialCrf } from "./partial-crf.ts";
import { scl } from "./scl.ts";
import { sclRai } from "./scl-rai.ts";
import { selfTrain } from "./self-train/index.ts";
import { topNeg } from "./top-neg.ts";
import { twoStep } from "./two-step/index.ts";
import { uniform } from "./uniform.ts";
import { weighted } from "./weighted.ts";

/** Every method by name: what `--method` takes. */
export const methods = {
  ce,
  uniform,
  weighted,
  "top-neg": topNeg,
  nrces,
  scl,
  "scl-rai": sclRai,
  "two-step": twoStep,
  "self-train": selfTrain,
  "partial-crf": partialCrf,
} satisfies Readonly<Record<string, Method>>;
export type MethodName = keyof typeof methods;
