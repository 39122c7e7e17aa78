import type { Document, Entity, Sentence } from "../text/index.ts";
import { stateOf } from "../text/index.ts";
import { labelWith } from "./label.ts";
import type { Matcher } from "./matcher.ts";
import { type LabelPolicy, makePolicy } from "./policy.ts";

/** How often labels are right, judged where the sample knows. */
export interface PrecisionEstimate {
  readonly right: number;
  readonly wrong: number;
  /** Labels where the sample says neither that there is such an entity nor that there is none. */
  readonly unjudged: number;
  /** Missing when nothing was judged. */
  readonly precision?: number;
  /** The range that holds the true precision with 95 % confidence (Wilson 1927). */
  readonly range?: readonly [low: number, high: number];
  /** The share of the sample's entities that were found. */
  readonly recall?: number;
}

export interface SamplePrecision extends PrecisionEstimate {
  readonly byType: Readonly<Record<string, PrecisionEstimate>>;
  /** Entries that were wrong, most often first. */
  readonly wrongEntries: readonly {
    readonly entry: string;
    readonly type: string;
    readonly right: number;
    readonly wrong: number;
  }[];
}

/** Labels a sample that somebody annotated as if it were not, and compares. */
export async function estimatePrecision(
  sample: Iterable<Document> | AsyncIterable<Document>,
  matcher: Matcher,
  options: Partial<LabelPolicy> = {},
): Promise<SamplePrecision> {
  const all = judgement();
  const byType = new Map<string, Judgement>();
  const byEntry = new Map<string, Judgement & { readonly entry: string; readonly type: string }>();
  const blind = makePolicy({ ...options, existing: "replace" });
  for await (const document of sample) {
    const labelled = labelWith(document, matcher, blind).document.sentences;
    for (const [index, sentence] of document.sentences.entries()) {
      for (const label of labelled[index]!.entities) {
        const entry = label.provenance!.entry!;
        const place = `${label.type}\t${entry}`;
        if (!byEntry.has(place)) byEntry.set(place, { ...judgement(), entry, type: label.type });
        for (const each of [all, ofType(byType, label.type), byEntry.get(place)!]) judge(each, sentence, label);
      }
      for (const { type } of sentence.entities) for (const each of [all, ofType(byType, type)]) each.entities++;
    }
  }
  const wrong = [...byEntry.values()]
    .filter((each) => each.wrong > 0)
    .sort((a, b) => b.wrong - a.wrong || a.right - b.right);
  return {
    ...estimate(all),
    byType: Object.fromEntries(
      [...byType].sort(([a], [b]) => (a < b ? -1 : 1)).map(([type, each]) => [type, estimate(each)]),
    ),
    wrongEntries: wrong.map(({ entry, type, right, wrong }) => ({ entry, type, right, wrong })),
  };
}

interface Judgement {
  right: number;
  wrong: number;
  unjudged: number;
  entities: number;
}

function judgement(): Judgement {
  return { right: 0, wrong: 0, unjudged: 0, entities: 0 };
}

function ofType(byType: Map<string, Judgement>, type: string): Judgement {
  const known = byType.get(type) ?? judgement();
  byType.set(type, known);
  return known;
}

function judge(judgement: Judgement, sentence: Sentence, label: Entity): void {
  const state = stateOf(sentence, label, label.type);
  if (state === "entity") judgement.right++;
  else if (state === "negative") judgement.wrong++;
  else judgement.unjudged++;
}

function estimate({ right, wrong, unjudged, entities }: Judgement): PrecisionEstimate {
  const judged = right + wrong;
  return {
    right,
    wrong,
    unjudged,
    ...(judged > 0 && { precision: right / judged, range: wilson(right, judged) }),
    ...(entities > 0 && { recall: right / entities }),
  };
}

/** The score interval for a share, at 95 %. */
export function wilson(right: number, total: number): [low: number, high: number] {
  const z = 1.959963984540054;
  const share = right / total;
  const centre = share + (z * z) / (2 * total);
  const spread = z * Math.sqrt((share * (1 - share)) / total + (z * z) / (4 * total * total));
  const scale = 1 + (z * z) / total;
  return [Math.max(0, (centre - spread) / scale), Math.min(1, (centre + spread) / scale)];
}
