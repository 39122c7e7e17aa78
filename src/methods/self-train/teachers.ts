import { merge, type SettingsInput } from "../../training/index.ts";
import { biaffine } from "../biaffine.ts";
import { ce } from "../ce.ts";
import type { Method } from "../method.ts";
import { mrc } from "../mrc.ts";
import { nrces } from "../nrces.ts";
import { partialCrf } from "../partial-crf.ts";
import { scl } from "../scl.ts";
import { sclRai } from "../scl-rai.ts";
import { topNeg } from "../top-neg.ts";
import { uniform } from "../uniform.ts";
import { weighted } from "../weighted.ts";

const overSpans = ({ settings }: Method): SettingsInput => merge({ head: { name: "span" } }, settings);

/** The recipes of methods of a single training: any of them can teach, over a head of its own where it needs one. */
export const teachers: Readonly<Record<string, SettingsInput>> = {
  ce: ce.settings,
  uniform: overSpans(uniform),
  weighted: overSpans(weighted),
  "top-neg": overSpans(topNeg),
  nrces: overSpans(nrces),
  scl: overSpans(scl),
  "scl-rai": overSpans(sclRai),
  biaffine: overSpans(biaffine),
  mrc: mrc.settings,
  "partial-crf": partialCrf.settings,
};
export const teacherNames = Object.keys(teachers);
