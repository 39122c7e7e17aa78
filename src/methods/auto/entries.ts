import { encoderInput } from "../../encoders/index.ts";
import { isRecord, merge, type Settings, type SettingsInput } from "../../training/index.ts";
import type { OtherMethods } from "../method.ts";
import { type Candidate, candidates, hasOrdinary, withoutOrdinary } from "./candidates.ts";
import type { CorpusFacts } from "./facts.ts";
import type { Contender } from "./halving.ts";
import { type AutoComplete, headOf } from "./settings.ts";

/** A candidate that takes part. */
export interface Entry extends Candidate, Contender {
  /** The encoder, where it is not that of the run. */
  readonly encoder?: string;
  /** How often its teachers see the complete part while plain training sees all data once; 1 where they learn from all. */
  readonly passes: number;
  /** How often it sees all that it learns from while plain training sees all data once. */
  readonly pace: number;
}

/** The candidates that suit the data and what the user chose, with each encoder. */
export function entriesFor(facts: CorpusFacts, settings: AutoComplete, others: OtherMethods): Entry[] {
  const { heads, encoders } = settings.auto;
  const wanted = facts.head === "token" ? "token" : heads;
  const suited = candidates.filter(
    ({ head, suits }) => (head === "any" || wanted === "any" || head === wanted) && (suits?.(facts) ?? true),
  );
  const all = [undefined, ...encoders].flatMap((encoder) =>
    suited.map((candidate) => ({
      ...candidate,
      ...rateOf(candidate, facts, settings),
      ...(hasOrdinary(facts) && !candidate.control && { settings: merge(candidate.settings ?? {}, withoutOrdinary) }),
      ...(encoder !== undefined && { encoder, name: `${candidate.name}, ${encoder}` }),
    })),
  );
  const lengths = { epochs: 1, patience: 0, ensemble: { size: 1, keep: false } };
  return all.map((entry) => ({
    ...entry,
    goesOn: others.stages(settingsFor(entry, settings, others, lengths)).length === 1,
  }));
}

/** What learns from a small part sees it more often, or it would be compared after a few steps. */
function rateOf(
  { gaps, cost }: Candidate,
  { sentences, completePart }: CorpusFacts,
  { epochs }: AutoComplete,
): Pick<Entry, "cost" | "longest" | "passes" | "pace"> {
  const passes = gaps === undefined ? 1 : sentences / completePart;
  const pace = gaps === "left out" ? passes : 1;
  return { passes, pace, longest: Math.round(epochs * pace), cost: { fixed: cost.fixed, each: cost.each / pace } };
}

/**
 * Complete settings of a candidate: its own over those of the user, but for the parts that a method is made of. A method
 * that does not shift the decision itself is shifted as the run says.
 */
export function settingsFor(
  {
    method,
    head,
    settings: own = {},
    encoder,
    gaps,
    passes,
  }: Pick<Entry, "method" | "head" | "settings" | "encoder" | "gaps" | "passes">,
  settings: AutoComplete,
  others: OtherMethods,
  lengths: Pick<Settings, "epochs" | "patience" | "ensemble">,
): Settings {
  const { auto, preset, sampler, objective, contrastive, inference, head: given, decode, minutes, ...rest } = settings;
  const { shift, ...decoding } = decode;
  const name = head === "any" ? headOf(settings) : head;
  const base: SettingsInput = {
    ...rest,
    ...lengths,
    method,
    decode: decoding,
    ...(encoder !== undefined && { encoder: encoderInput(encoder) }),
    head: { name, ...(name === given.name && changed(given, others.complete({ method: "ce", head: name }).head)) },
  };
  // The student sees all text, its teachers the complete part alone.
  const teachers = gaps === "unlabelled" ? { selfTrain: { epochs: Math.ceil((lengths.epochs * passes) / 2) } } : {};
  const complete = others.complete(merge(merge(base, own), teachers));
  return complete.decode.shift === 0 ? { ...complete, decode: { ...complete.decode, shift } } : complete;
}

/** The options that the user changed: the others are the method's choice. */
function changed(given: object, defaults: object): SettingsInput {
  const before: SettingsInput = { ...defaults };
  const entries = Object.entries(given).flatMap(([key, value]): [string, unknown][] => {
    const below = before[key];
    if (JSON.stringify(value) === JSON.stringify(below) || key === "name") return [];
    return [[key, isRecord(value) && isRecord(below) ? changed(value, below) : value]];
  });
  return Object.fromEntries(entries);
}
