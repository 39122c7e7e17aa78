import { manyAreWrong, manyOrdinary } from "../../evaluation/index.ts";
import type { SettingsInput } from "../../training/index.ts";
import type { CorpusFacts } from "./facts.ts";

/** A training that may be worth a trial. */
export interface Candidate {
  readonly name: string;
  readonly method: string;
  /** The head it is for; `any` takes what the user chose. */
  readonly head: "span" | "token" | "any";
  /** Settings beside those of the method. */
  readonly settings?: SettingsInput;
  /** It learns from the sentences that are complete; those with gaps are left out, or are text without labels. */
  readonly gaps?: "left out" | "unlabelled";
  /** Why it is proposed, in a line. */
  readonly reason: string;
  /** What a training of so many epochs costs, in epochs of plain training over as much text: `fixed` + `each` · epochs. */
  readonly cost: { readonly fixed: number; readonly each: number };
  /** It stays to the last comparison, so that the choice is never worse on dev. */
  readonly control?: boolean;
  /** Whether the facts speak for it; always where it does not say. */
  suits?(facts: CorpusFacts): boolean;
}

/** Shares that are not known count as what is usual for labels that people or dictionaries made in part. */
const gaps = ({ missing = 0.4 }: CorpusFacts): number => missing;
const manyLabelsAreWrong = ({ wrong }: CorpusFacts): boolean => wrong !== undefined && manyAreWrong(wrong);
/** A part that people labelled completely, with all types, stands beside one with gaps. */
const hasCompletePart = ({ completePart }: CorpusFacts): boolean => completePart > 0;

/** Some labels are of ordinary words: all but the control go without them. */
export const hasOrdinary = ({ ordinary }: CorpusFacts): boolean => ordinary >= manyOrdinary;
export const withoutOrdinary: SettingsInput = { ordinary: "drop" };

/** Teachers whose cost is known before they train; how long those of a complete part do, its size says. Which labels stay is tried. */
const shortTeachers = { epochs: "half", patience: 0, keep: 0.5 };

/** What `auto` may try, in the order of how likely it is to be worth it: where time is short, the last ones are left out. */
export const candidates: readonly Candidate[] = [
  {
    name: "ce",
    method: "ce",
    head: "any",
    reason: "the control: plain training, with the decision shifted",
    cost: { fixed: 0, each: 1 },
    control: true,
  },
  {
    name: "ordinary words left out",
    method: "ce",
    head: "any",
    settings: withoutOrdinary,
    reason: "labels of words that stand in lower case elsewhere, without a label, are probably wrong",
    cost: { fixed: 0, each: 1 },
    suits: hasOrdinary,
  },
  {
    name: "bond",
    method: "bond",
    head: "token",
    settings: { bond: { early: 6 } },
    reason: "labels are wrong: stops early, then learns from its own sure labels",
    cost: { fixed: 4.2, each: 0.8 },
    suits: manyLabelsAreWrong,
  },
  {
    name: "complete part",
    method: "ce",
    head: "any",
    gaps: "left out",
    reason: "a part is complete: labels of the rest may do more harm than good",
    cost: { fixed: 0, each: 1 },
    suits: hasCompletePart,
  },
  {
    name: "complete part, tagger",
    method: "ce",
    head: "token",
    gaps: "left out",
    reason: "a part is complete, and a CRF over tokens has no limit of width",
    cost: { fixed: 0, each: 0.7 },
    suits: (facts) => hasCompletePart(facts) && facts.head !== "token",
  },
  {
    name: "uniform",
    method: "uniform",
    head: "span",
    reason: "few random negatives: a missing entity is rarely among them",
    cost: { fixed: 0, each: 1 },
    suits: (facts) => gaps(facts) >= 0.05,
  },
  {
    name: "tagger",
    method: "ce",
    head: "token",
    reason: "a CRF over tokens: cheaper than spans, and without a limit of width",
    cost: { fixed: 0, each: 0.7 },
    suits: ({ head }) => head !== "token",
  },
  {
    name: "complete part, self-train",
    method: "self-train",
    head: "token",
    gaps: "unlabelled",
    settings: { selfTrain: shortTeachers },
    reason: "a part is complete: its models label the rest anew",
    cost: { fixed: 0, each: 2 },
    suits: hasCompletePart,
  },
  {
    name: "self-train",
    method: "self-train",
    head: "token",
    settings: { selfTrain: shortTeachers },
    reason: "labels are missing and wrong: models that have not seen a sentence mend its labels",
    cost: { fixed: 0, each: 2 },
    suits: manyLabelsAreWrong,
  },
  {
    name: "self-train, labels kept",
    method: "self-train",
    head: "token",
    settings: { selfTrain: { ...shortTeachers, keep: 0 } },
    reason: "labels are missing and few are wrong: models that have not seen a sentence add to its labels",
    cost: { fixed: 0, each: 2 },
    suits: (facts) => !manyLabelsAreWrong(facts) && (gaps(facts) >= 0.3 || facts.unlabelled > 0),
  },
  {
    name: "nrces",
    method: "nrces",
    head: "span",
    settings: { objective: { w: 3 } },
    reason: "much is missing: a loss that stops believing in negatives",
    cost: { fixed: 0, each: 1 },
    suits: (facts) => gaps(facts) >= 0.4,
  },
  {
    name: "gce",
    method: "ce",
    head: "token",
    settings: { head: { output: "softmax" }, objective: "gce" },
    reason: "labels are wrong: a bounded loss, which they pull at less",
    cost: { fixed: 0, each: 0.7 },
    suits: manyLabelsAreWrong,
  },
  {
    name: "two-step",
    method: "two-step",
    head: "token",
    reason: "some is missing: leaves the tokens out that look least like O",
    cost: { fixed: 2, each: 0.8 },
    suits: (facts) => gaps(facts) >= 0.05,
  },
  {
    name: "weighted",
    method: "weighted",
    head: "span",
    reason: "about half is missing: negatives that are hard, but do not look like entities",
    cost: { fixed: 0, each: 1.3 },
    suits: (facts) => gaps(facts) >= 0.2 && gaps(facts) <= 0.7,
  },
];

/** What is trained where no dev set can tell: the first that suits. The decision is shifted by the estimate in any case. */
export const withoutDev: readonly (Pick<Candidate, "method" | "settings" | "reason"> & {
  suits(facts: CorpusFacts): boolean;
})[] = [
  {
    method: "ce",
    reason: "hardly anything seems to be missing",
    suits: ({ missing }) => missing !== undefined && missing < 0.05,
  },
  {
    method: "ce",
    reason: "taggers have no sampler, and without dev nothing tells how many tokens to leave out",
    suits: ({ head }) => head === "token",
  },
  {
    method: "nrces",
    settings: { objective: { w: 3 } },
    reason: "most seems to be missing",
    suits: ({ missing = 0 }) => missing >= 0.7,
  },
  { method: "uniform", reason: "it survives gaps of any size", suits: () => true },
];
