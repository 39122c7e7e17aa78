import {
  type Annotation,
  annotate,
  type CompleteRegion,
  type Document,
  type Entity,
  type Sentence,
  type Span,
  spanIndex,
  stateOf,
  tokenCount,
} from "../text/index.ts";
import type { Match, Matcher } from "./matcher.ts";
import { overlapPolicies } from "./overlaps.ts";
import { type LabelPolicy, makePolicy, type Outcome } from "./policy.ts";

export interface Decision extends Match {
  readonly outcome: Outcome;
}

/** A document with its labels, and for each sentence what became of every match. */
export interface Labelled {
  readonly document: Document;
  readonly decisions: readonly (readonly Decision[])[];
}

/** Labels the sentences of a document from the dictionaries. */
export function labelDocument(document: Document, matcher: Matcher, options: Partial<LabelPolicy> = {}): Document {
  const policy = makePolicy(options);
  return labelWith(document, matcher, policy).document;
}

/** The same, with what became of every match, for a policy that is complete. */
export function labelWith(document: Document, matcher: Matcher, policy: LabelPolicy): Labelled {
  const decisions = document.sentences.map((sentence) => decide(sentence, matcher, policy));
  return applyDecisions(document, decisions, matcher, policy);
}

/** The sentence without the annotations that the policy takes away. */
function startingPoint(sentence: Sentence, policy: LabelPolicy): Sentence {
  return policy.existing === "keep" || !isAnnotated(sentence) ? sentence : annotate(sentence, nothingKnown);
}

const nothingKnown: Required<Annotation> = { entities: [], rejected: [], unsure: [], complete: [] };

/** Decides on every match of a sentence, by start and then by end. */
export function decide(sentence: Sentence, matcher: Matcher, policy: LabelPolicy): Decision[] {
  const known = startingPoint(sentence, policy);
  const competing: Undecided[] = [];
  const decisions = matcher.find(sentence).map(({ start, end, key }) => {
    const decision: Undecided = { start, end, key, outcome: "overlapped" };
    if (matcher.isRefused(key)) decision.outcome = "refused";
    else if (isSettled(known, decision, matcher)) decision.outcome = "settled";
    else competing.push(decision);
    return decision;
  });
  for (const decision of overlapPolicies[policy.overlaps](competing, ({ key }) => matcher.rank(key))) {
    decision.outcome = outcomeOfTypes(openTypes(known, decision, matcher).length, policy);
  }
  return decisions;
}

/** A decision while it is being made: a match counts as beaten until it is chosen. */
type Undecided = Match & { outcome: Outcome };

function outcomeOfTypes(types: number, policy: LabelPolicy): Outcome {
  if (types === 0) return "unsure";
  return types > 1 && policy.conflicts === "drop" ? "ambiguous" : "entity";
}

/** True when earlier annotations say what this span is, or that it is nothing the dictionary could mean. */
function isSettled(sentence: Sentence, match: Match, matcher: Matcher): boolean {
  if (!isAnnotated(sentence)) return false;
  if (spanIndex(sentence.entities).touches(match)) return true;
  const types = matcher.types(match.key);
  return types.length === 0 ? stateOf(sentence, match) !== "unknown" : openTypes(sentence, match, matcher).length === 0;
}

/** The types of a match that earlier annotations leave open. */
function openTypes(sentence: Sentence, match: Match, matcher: Matcher): readonly string[] {
  const types = matcher.types(match.key);
  return isAnnotated(sentence) ? types.filter((type) => stateOf(sentence, match, type) === "unknown") : types;
}

function isAnnotated({ entities, rejected, unsure, complete }: Sentence): boolean {
  return entities.length + rejected.length + unsure.length + complete.length > 0;
}

/** The document with the labels that were decided on, sentence by sentence. */
export function applyDecisions(
  document: Document,
  decisions: readonly (readonly Decision[])[],
  matcher: Matcher,
  policy: LabelPolicy,
): Labelled {
  const sentences = document.sentences.map((sentence, index) =>
    labelSentence(startingPoint(sentence, policy), decisions[index]!, matcher, policy),
  );
  return { document: { ...document, sentences }, decisions };
}

function labelSentence(
  sentence: Sentence,
  decisions: readonly Decision[],
  matcher: Matcher,
  policy: LabelPolicy,
): Sentence {
  if (decisions.length === 0 && policy.complete === false) return sentence;
  const entities: Entity[] = [];
  const unsure: Span[] = [];
  for (const decision of decisions) {
    if (decision.outcome === "entity") entities.push(...labelsOf(decision, sentence, matcher, policy));
    else if (decision.outcome === "unsure") unsure.push({ start: decision.start, end: decision.end });
  }
  return annotate(sentence, {
    entities: sentence.entities.concat(entities),
    unsure: sentence.unsure.concat(unsure),
    complete: sentence.complete.concat(completeRegions(sentence, decisions, entities, policy)),
  });
}

function labelsOf(decision: Decision, sentence: Sentence, matcher: Matcher, policy: LabelPolicy): Entity[] {
  const { start, end, key } = decision;
  const types = openTypes(sentence, decision, matcher);
  const kept = policy.conflicts === "candidates" ? types : types.slice(0, 1);
  return kept.map((type) => {
    const { dictionary, surface } = matcher.entries(key).find((entry) => entry.type === type)!;
    return { start, end, type, provenance: { source: dictionary, entry: surface } };
  });
}

/** The runs of tokens that no match touches, and those of new entities. */
function completeRegions(
  sentence: Sentence,
  decisions: readonly Decision[],
  entities: readonly Entity[],
  policy: LabelPolicy,
): CompleteRegion[] {
  if (policy.complete === false) return [];
  const tokens = tokenCount(sentence);
  const open = new Uint8Array(tokens); // 1: nobody knows
  const mark = (spans: readonly Span[], value: number): void => {
    for (const { start, end } of spans) open.fill(value, start, end);
  };
  mark(decisions, 1);
  mark(entities, 0);
  const regions: CompleteRegion[] = [];
  for (let start = 0; start < tokens; start++) {
    if (open[start] === 1) continue;
    let end = start + 1;
    while (end < tokens && open[end] === 0) end++;
    regions.push(policy.complete === true ? { start, end } : { start, end, types: policy.complete });
    start = end;
  }
  return regions;
}
