import { type Sentence, type Span, surface } from "../text/index.ts";
import type { Judgement } from "./judge.ts";

/** Judgements that one decision settles: the same text, kind and types. */
export interface Group {
  readonly key: string;
  /** The surest first. */
  readonly members: readonly Judgement[];
  readonly gain: number;
}

/** Groups by what one decision about them is worth, the best first. */
export function groupsOf(judgements: readonly Judgement[], sentences: readonly Sentence[]): Group[] {
  const found = new Map<string, Judgement[]>();
  for (const judgement of judgements) {
    const key = groupKey(judgement, sentences[judgement.sentence]!);
    const group = found.get(key);
    if (group) group.push(judgement);
    else found.set(key, [judgement]);
  }
  return [...found]
    .map(([key, members]): Group => {
      const sorted = members.toSorted((a, b) => b.score - a.score || byPlace(a, b));
      return { key, members: sorted, gain: gainOf(sorted.map(({ score }) => score)) };
    })
    .sort((a, b) => b.gain - a.gain || byPlace(a.members[0]!, b.members[0]!));
}

/**
 * What a decision about places of these scores is worth: the places that it is expected to put right, times the square
 * of their share. Without the share, a common word that is hardly ever a name would come before a name that is missing
 * once.
 */
export function gainOf(scores: readonly number[]): number {
  const right = scores.reduce((sum, score) => sum + score, 0);
  return right * (right / scores.length) ** 2;
}

function byPlace(a: Judgement, b: Judgement): number {
  return a.sentence - b.sentence || a.start - b.start || a.end - b.end;
}

function groupKey({ kind, start, end, type, given }: Judgement, sentence: Sentence): string {
  const text = (span: Span): string => surface(sentence, span).replaceAll(/\s+/gu, " ");
  const before = kind === "boundary" && given ? text(given) : null;
  return JSON.stringify([kind, text({ start, end }), type, given?.type ?? null, before]);
}
