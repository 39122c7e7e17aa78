import { autoner } from "./autoner/index.ts";
import { biaffine } from "./biaffine.ts";
import { auto } from "./auto/index.ts";
import { bond } from "./bond/index.ts";
import { ce } from "./ce.ts";
import type { Method } from "./method.ts";
import { mrc } from "./mrc.ts";
import { nrces } from "./nrces.ts";
import { roster } from "./roster/index.ts";
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
  biaffine,
  mrc,
  autoner,
  bond,
  roster,
  auto,
} satisfies Readonly<Record<string, Method>>;
export type MethodName = keyof typeof methods;
