import {
  manyOrdinary,
  missingBySample,
  missingShare,
  type WrongShare,
  withoutOrdinaryLabels,
  wrongShare,
} from "../../evaluation/index.ts";
import { isComplete, type Sentence } from "../../text/index.ts";
import type { Settings, TrainingData } from "../../training/index.ts";
import { type AutoComplete, headOf } from "./settings.ts";

/** What is known of a corpus before anything is trained: candidates are proposed by it. */
export interface CorpusFacts {
  readonly sentences: number;
  readonly entities: number;
  readonly types: number;
  /** The estimated share of entities that is missing; absent where nobody can tell. */
  readonly missing?: number;
  /** The estimated share of labels that is wrong; absent without dev, or where dev holds too few of the names. */
  readonly wrong?: WrongShare;
  /** The share of labels that are of ordinary words, which stand in lower case elsewhere without a label. */
  readonly ordinary: number;
  readonly dev: number;
  readonly unlabelled: number;
  /** Sentences that are complete, where others are not and have no type that is not labelled in these; else 0. */
  readonly completePart: number;
  /** Most letters belong to this script. */
  readonly script: string;
  /** The head of candidates that are not for a certain one. */
  readonly head: Settings["head"]["name"];
}

/** Reads the diagnosis of the training data. A dev set tells more than the training data alone. */
export function factsOf(data: TrainingData, settings: Pick<AutoComplete, "auto" | "head">): CorpusFacts {
  const { train, dev, unlabelled = [] } = data;
  const open = train.filter((sentence) => !isComplete(sentence));
  const { missing } = dev.length > 0 ? missingBySample(open, dev).density.overall : missingShare(train);
  const wrong = wrongShare(train, dev);
  const entities = train.reduce((total, sentence) => total + sentence.entities.length, 0);
  return {
    sentences: train.length,
    entities,
    types: typesOf(train).size,
    ...(open.length === 0 ? { missing: 0 } : missing !== undefined && { missing }),
    ...(wrong && { wrong }),
    ordinary: withoutOrdinaryLabels(train).count / Math.max(1, entities),
    dev: dev.length,
    unlabelled: unlabelled.length,
    completePart: completePartOf(train, open),
    script: scriptOf(train.slice(0, 200).map(({ text }) => text.slice(0, 1000))),
    head: headOf(settings),
  };
}

function completePartOf(train: readonly Sentence[], open: readonly Sentence[]): number {
  const complete = train.filter(isComplete);
  const known = typesOf(complete);
  return open.length > 0 && [...typesOf(open)].every((type) => known.has(type)) ? complete.length : 0;
}

function typesOf(sentences: readonly Sentence[]): Set<string> {
  return new Set(sentences.flatMap(({ entities }) => entities.map(({ type }) => type)));
}

const scripts: Readonly<Record<string, RegExp>> = {
  Latin: /\p{Script=Latin}/gu,
  Han: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  Cyrillic: /\p{Script=Cyrillic}/gu,
  Arabic: /\p{Script=Arabic}/gu,
};

function scriptOf(texts: readonly string[]): string {
  const text = texts.join(" ");
  const letters = Math.max(1, text.match(/\p{L}/gu)?.length ?? 0);
  const found = Object.entries(scripts).find(([, letter]) => 2 * (text.match(letter)?.length ?? 0) > letters);
  return found?.[0] ?? "other";
}

/** `4000 sentences with 3000 labels of 3 types (Latin script); missing: 40 % of the entities by estimate; …`: the facts in words. */
export function describeFacts(facts: CorpusFacts): string {
  const percent = (value: number): string => String(Math.round(100 * value));
  const share = (value: number | undefined): string => (value === undefined ? "?" : `${percent(value)} %`);
  const { wrong } = facts;
  const interval = wrong ? ` (${percent(wrong.low)} to ${percent(wrong.high)})` : "";
  return [
    `${facts.sentences} sentences with ${facts.entities} labels of ${facts.types} types (${facts.script} script)`,
    ...(facts.completePart > 0 ? [`${facts.completePart} of the sentences are complete`] : []),
    `missing: ${share(facts.missing)} of the entities by estimate`,
    `wrong: ${share(wrong?.share)}${interval} of the labels by estimate`,
    ...(facts.ordinary >= manyOrdinary ? [`${share(facts.ordinary)} of the labels are of ordinary words`] : []),
    facts.dev > 0 ? `dev: ${facts.dev} sentences` : "no dev set",
    ...(facts.unlabelled > 0 ? [`${facts.unlabelled} unlabelled sentences`] : []),
  ].join("; ");
}
