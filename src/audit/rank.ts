import { characters, type Document, type Sentence, surface } from "../text/index.ts";
import type { DictionaryLookup } from "./candidates.ts";
import { documentNames } from "./document-names.ts";
import { type Group, groupsOf } from "./groups.ts";
import { type Judgement, judge } from "./judge.ts";
import { estimateMissing, type MissingEstimate } from "./missing-estimate.ts";
import type { Place } from "./neighbours.ts";
import { reasonsFor } from "./reasons.ts";
import { type ReviewPoint, reviewCurve } from "./review-curve.ts";
import type { Suspicion } from "./suspicion.ts";
import { type ScoredCorpus, weigh } from "./weigh.ts";

export interface RankOptions {
  readonly types: readonly string[];
  /** How many models have judged each sentence. */
  readonly models: number;
  /** Text whose annotation is complete, with what models say of it: the scores are calibrated on it. */
  readonly dev?: ScoredCorpus | undefined;
  readonly lookUp?: DictionaryLookup | undefined;
  /** The share of the labels that are right, where it is known. */
  readonly trust?: number | undefined;
  /** Suspicions that less speaks for are left out. */
  readonly least: number;
  readonly seed: number;
}

/** What an audit finds. */
export interface Audit {
  /** Those that one decision settles stand together, and the most valuable decisions first. */
  readonly suspicions: readonly Suspicion[];
  /** By type: all that may be missing, also what is too unsure to be listed. */
  readonly missing: readonly MissingEstimate[];
  /** The scores were calibrated on text whose annotation is complete. */
  readonly calibrated: boolean;
  /** What a person may expect who goes through the list. */
  readonly review: readonly ReviewPoint[];
}

/** An audit with the place of each suspicion in the list of all sentences, in tokens. */
export interface Ranked extends Audit {
  readonly places: readonly Place[];
}

/** Ranks what is suspected of documents by what models that have not seen their sentences say. Trains nothing. */
export function rank(
  documents: readonly Document[],
  spans: ScoredCorpus["spans"],
  { types, models, dev, lookUp, trust, least, seed }: RankOptions,
): Ranked {
  const sentences = documents.flatMap((document) => document.sentences);
  const { weighed, calibration, redraw } = weigh({ sentences, spans }, { types, dev, lookUp });
  const { judgements, rates } = judge(sentences, weighed, { types, calibrated: dev !== undefined, trust });
  const groups = groupsOf(
    judgements.filter(({ doubt }) => doubt >= least),
    sentences,
  );
  const labelled = new Map<string, number>();
  for (const { entities } of sentences)
    for (const { type } of entities) labelled.set(type, (labelled.get(type) ?? 0) + 1);
  const gaps = judgements.filter(({ kind }) => kind === "missing");
  const suspicions = suspicionsOf(groups, documents, { types, models });
  return {
    suspicions,
    missing: estimateMissing(gaps, {
      types,
      labelled,
      rates,
      calibration,
      calibrated: dev !== undefined,
      redraw,
      seed,
    }),
    calibrated: dev !== undefined,
    review: reviewCurve(suspicions),
    places: groups.flatMap(({ members }) => members.map(({ sentence, start, end }) => ({ sentence, start, end }))),
  };
}

function suspicionsOf(
  groups: readonly Group[],
  documents: readonly Document[],
  options: { readonly types: readonly string[]; readonly models: number },
): Suspicion[] {
  const names = documentNames(documents);
  const places = documents.flatMap(({ sentences }, i) => sentences.map((sentence) => ({ sentence, name: names[i]! })));
  return groups.flatMap(({ key, members }) =>
    members.map((judgement): Suspicion => {
      const { sentence, name } = places[judgement.sentence]!;
      const { kind, score, type } = judgement;
      return {
        kind,
        score: rounded(score),
        document: name,
        ...characters(sentence, judgement),
        text: surface(sentence, judgement),
        type,
        given: givenOf(judgement, sentence),
        reasons: reasonsFor(judgement, sentence, options),
        group: key,
      };
    }),
  );
}

function givenOf({ given }: Judgement, sentence: Sentence): Suspicion["given"] {
  return given && { ...characters(sentence, given), type: given.type };
}

/** Enough places to tell scores apart, few enough to read. */
function rounded(score: number): number {
  return Math.round(score * 1e4) / 1e4;
}
