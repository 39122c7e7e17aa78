import { auto } from "./auto/index.ts";
import { autoner } from "./autoner/index.ts";
import { biaffine } from "./biaffine.ts";
import { bnpu } from "./bnpu.ts";
import { bond } from "./bond/index.ts";
import { ce } from "./ce.ts";
import { confMpu } from "./conf-mpu.ts";
import { dictionary } from "./dictionary.ts";
import type { Method } from "./method.ts";
import { mrc } from "./mrc.ts";
import { nrces } from "./nrces.ts";
import { partialCrf } from "./partial-crf.ts";
import { roster } from "./roster/index.ts";
import { scl } from "./scl.ts";
import { sclRai } from "./scl-rai.ts";
import { selfTrain } from "./self-train/index.ts";
import { topNeg } from "./top-neg.ts";
import { twoStep } from "./two-step/index.ts";
import { uniform } from "./uniform.ts";
import { weighted } from "./weighted.ts";
import { weightedPartialCrf } from "./weighted-partial-crf/index.ts";

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
  biaffine,
  mrc,
  autoner,
  bond,
  roster,
  auto,
  dictionary,
  "partial-crf": partialCrf,
  "weighted-partial-crf": weightedPartialCrf,
  bnpu,
  "conf-mpu": confMpu,
} satisfies Readonly<Record<string, Method>>;
export type MethodName = keyof typeof methods;
