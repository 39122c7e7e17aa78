export { biased } from "./decoding.ts";

import { autonerHead } from "./autoner/index.ts";
import { dictionaryHead } from "./dictionary/index.ts";
import type { Head } from "./head.ts";
import { mrcHead } from "./mrc/index.ts";
import { spanHead } from "./span/index.ts";
import { tokenHead } from "./token/index.ts";

/** Every head by name: what `--set head=` takes. */
export const heads = { span: spanHead, token: tokenHead, mrc: mrcHead, autoner: autonerHead } satisfies Readonly<
  Record<string, Head>
>;
export type HeadName = keyof typeof heads;

/** Heads of models that are made without training: a model directory may name them, settings may not. */
export const untrainedHeads: readonly Head[] = [dictionaryHead];

export { type DictionarySettings, dictionarySettings, openDictionary } from "./dictionary/index.ts";

export type {
  Adjustment,
  Batch,
  BatchCounts,
  Candidate,
  Completion,
  Corpus,
  Decoding,
  Head,
  ItemScores,
  Items,
  LabelSums,
  LeftOut,
  Mix,
  Model,
  Overlap,
  PortableHead,
  Prediction,
  RecipeNames,
  Retrieval,
  RetrievalPart,
  TrainingParts,
  TrainingTask,
  Visit,
} from "./head.ts";
export { migrateHead } from "./migrate.ts";
export { retrievalFeeds } from "./span/retrieval.ts";
export { tokenStates } from "./token/states.ts";
export { pieces, type Window, windows } from "./windows.ts";
