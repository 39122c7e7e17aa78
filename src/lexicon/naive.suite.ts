import fc from "fast-check";
import {
  type Annotation,
  type CompleteRegion,
  type Entity,
  makeSentence,
  type Sentence,
  type Span,
  surface,
} from "../text/document.ts";
import type { Folding } from "./folding.ts";

import type { Entry } from "./matcher.ts";
import type { OverlapPolicyName } from "./overlaps.ts";
import type { LabelPolicy } from "./policy.ts";

/**
 * A second implementation of matching for the tests, as plain as can be: it folds the text of every span with whole-string
 * operations and looks it up in a map. It shares no code with the matcher.
 */

const space = "[\\s\\u200B\\uFEFF]";
const wordLetter = /[\p{L}\p{N}\p{M}\p{Cf}_\uFF9E\uFF9F]/u;
const unspaced = /[\u2E80-\u312F\u3190-\u4DBF\u4E00-\u9FFF\uFF01-\uFF9F]/u;

export function naiveFold(text: string, folding: Folding): string {
  const form = { none: undefined, nfc: "NFC", nfkc: "NFKC" }[folding.normalisation];
  const normal = (value: string): string => (form === undefined ? value : value.normalize(form));
  let folded = normal(text);
  if (folding.width) folded = folded.replace(/[\u3000\uFF01-\uFFEE]+/g, (run) => run.normalize("NFKC"));
  if (folding.case) folded = [...folded].map((point) => point.toUpperCase().toLowerCase()).join("");
  if (folding.hyphen !== "exact") folded = folded.replace(/\p{Pd}|\u2212/gu, folding.hyphen === "space" ? " " : "-");
  folded = normal(folded).replace(new RegExp(`^${space}+|${space}+$`, "g"), "");
  if (folding.whitespace === "exact") return folded;
  return folded.replace(new RegExp(`${space}+`, "g"), (run, ...rest) => {
    if (folding.whitespace === "ignore") return "";
    if (folding.whitespace === "single") return " ";
    const at = rest.at(-2) as number;
    const after = folded[at + run.length]!;
    const isWord = (unit: string): boolean => wordLetter.test(unit) && !unspaced.test(unit);
    return isWord(folded[at - 1]!) && isWord(after) ? " " : "";
  });
}

/** Every span that folds to the same as some entry, with those entries, but for repeated ones, by start and then by end. */
export function naiveFind(
  sentence: Sentence,
  entries: readonly Entry[],
  folding: Folding,
): (Span & { entries: Entry[] })[] {
  const found: (Span & { entries: Entry[] })[] = [];
  const tokens = sentence.offsets.length / 2;
  const isEmpty = (token: number): boolean =>
    naiveFold(surface(sentence, { start: token, end: token + 1 }), folding) === "";
  const folded = entries.map((entry) => naiveFold(entry.surface, folding));
  for (let start = 0; start < tokens; start++) {
    for (let end = start + 1; end <= tokens; end++) {
      if (isEmpty(start) || isEmpty(end - 1)) continue;
      const text = naiveFold(surface(sentence, { start, end }), folding);
      const same = entries.filter((_, i) => folded[i] === text);
      const repeats = (entry: Entry, i: number): boolean =>
        same.findIndex((other) => other.type === entry.type && other.dictionary === entry.dictionary) < i;
      if (same.length > 0) found.push({ start, end, entries: same.filter((entry, i) => !repeats(entry, i)) });
    }
  }
  return found;
}

const anyFolding: fc.Arbitrary<Folding> = fc.record({
  case: fc.boolean(),
  width: fc.boolean(),
  normalisation: fc.constantFrom("none", "nfc", "nfkc"),
  whitespace: fc.constantFrom("exact", "single", "words", "ignore"),
  hyphen: fc.constantFrom("exact", "unify", "space"),
});

/** Pieces that fold to one another, from many scripts; each is one or more whole characters. */
const pieces = [
  ..."aAbBｂ３3中国ガカ한'.-–_ßΣς😀é",
  ...[
    "e\u0301",
    "ﬁ",
    "fi",
    "SS",
    "ｶﾞ",
    "\u1112\u1161\u11AB",
    "ที่",
    "İ",
    "\u200B",
    " ",
    " ",
    "  ",
    "\u3000",
    "\u00A0",
    "\u2212",
  ],
];

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

/** A sentence in which any character may begin a token, and white space is in none. */
function cutSentence(text: string, cuts: readonly boolean[]): Sentence {
  const offsets: number[] = [];
  let open = false;
  for (const [i, { segment, index }] of [...graphemes.segment(text)].entries()) {
    if (new RegExp(`^${space}`).test(segment)) {
      open = false;
      continue;
    }
    if (open && cuts[i % cuts.length] !== true) offsets[offsets.length - 1] = index + segment.length;
    else offsets.push(index, index + segment.length);
    open = true;
  }
  return makeSentence(text, Int32Array.from(offsets));
}

export interface Trial {
  readonly entries: readonly Entry[];
  readonly sentence: Sentence;
  readonly folding: Folding;
}

const types = [undefined, "PER", "LOC"];

/** Entries, and a sentence made of them and of other pieces; few pieces at a time, so that much is found. */
export const anyTrial: fc.Arbitrary<Trial> = fc
  .record({ folding: anyFolding, alphabet: fc.uniqueArray(fc.constantFrom(...pieces), { minLength: 2, maxLength: 6 }) })
  .chain(({ folding, alphabet }) => {
    const text = (maxLength: number): fc.Arbitrary<string> =>
      fc.array(fc.constantFrom(...alphabet, " "), { minLength: 1, maxLength }).map((parts) => parts.join(""));
    const entry = fc.tuple(text(4), fc.constantFrom(...types), fc.constantFrom("a", "b"));
    return fc
      .tuple(
        fc.array(entry, { minLength: 1, maxLength: 8 }),
        fc.array(fc.oneof(fc.nat(7), text(2)), { maxLength: 6 }),
        fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
      )
      .map(([lines, parts, cuts]) => ({
        folding,
        entries: lines.map(([surface, type, dictionary]) => makeEntry(surface, type, dictionary)),
        sentence: cutSentence(
          parts.map((part) => (typeof part === "string" ? part : lines[part % lines.length]![0])).join(""),
          cuts,
        ),
      }));
  });

function makeEntry(surface: string, type: string | undefined, dictionary: string): Entry {
  return type === undefined ? { surface, dictionary } : { surface, type, dictionary };
}

/** Chooses among overlapping matches by trying everything. */
export function naiveChoice<M extends Span>(
  policy: OverlapPolicyName,
  matches: readonly M[],
  rank: (match: M) => number,
): M[] {
  const crosses = (a: M, b: M): boolean => a !== b && a.start < b.end && b.start < a.end;
  const isFree = (choice: readonly M[]): boolean => choice.every((a) => !choice.some((b) => crosses(a, b)));
  const length = ({ start, end }: M): number => end - start;
  const inOrder = (choice: M[]): M[] => choice.sort((a, b) => a.start - b.start || a.end - b.end);
  const greedy = (better: (a: M, b: M) => number): M[] => {
    const [best] = [...matches].sort(better);
    if (best === undefined) return [];
    const left = matches.filter((match) => match !== best && !crosses(match, best));
    return inOrder([best, ...naiveChoice(policy, left, rank)]);
  };
  switch (policy) {
    case "candidates":
      return [...matches];
    case "drop":
      return matches.filter((match) => !matches.some((other) => crosses(match, other)));
    case "longest":
      return greedy((a, b) => a.start - b.start || b.end - a.end);
    case "priority":
      return greedy((a, b) => rank(a) - rank(b) || length(b) - length(a) || a.start - b.start);
    case "squared": {
      const sum = (choice: readonly M[]): number => choice.reduce((total, match) => total + length(match) ** 2, 0);
      // Of equal sums: at the first difference the match further to the left, then the longer one.
      const first = (a: readonly M[], b: readonly M[]): number => {
        const at = a.findIndex((match, i) => match !== b[i]);
        if (at < 0) return a.length - b.length;
        if (b[at] === undefined) return -1;
        return a[at]!.start - b[at]!.start || b[at]!.end - a[at]!.end;
      };
      const free = subsets(matches).filter(isFree);
      return free.sort((a, b) => sum(b) - sum(a) || first(a, b))[0]!;
    }
  }
}

function subsets<T>(items: readonly T[]): T[][] {
  const [item, ...others] = items;
  if (item === undefined) return [[]];
  const rest = subsets(others);
  return [...rest.map((each) => [item, ...each]), ...rest];
}

/** Labels a sentence without annotations as the policies say, from `naiveFind` and `naiveChoice`. */
export function naiveLabels(
  sentence: Sentence,
  entries: readonly Entry[],
  folding: Folding,
  stop: readonly string[],
  policy: LabelPolicy,
): Required<Annotation> {
  const matches = naiveFind(sentence, entries, folding);
  const stopped = stop.map((each) => naiveFold(each, folding));
  const isStopped = (match: Span): boolean => stopped.includes(naiveFold(surface(sentence, match), folding));
  const dictionaries = [...new Set(entries.map(({ dictionary }) => dictionary))];
  const chosen = naiveChoice(
    policy.overlaps,
    matches.filter((match) => !isStopped(match)),
    (match) => dictionaries.indexOf(match.entries[0]!.dictionary),
  );
  const entities: Entity[] = [];
  const unsure: Span[] = [];
  for (const { start, end, entries: lines } of chosen) {
    const types = [...new Set(lines.flatMap(({ type }) => type ?? []))];
    const kept = { drop: types.length > 1 ? [] : types, candidates: types, priority: types.slice(0, 1) }[
      policy.conflicts
    ];
    for (const type of kept) {
      const { dictionary, surface: entry } = lines.find((line) => line.type === type)!;
      entities.push({ start, end, type, provenance: { source: dictionary, entry } });
    }
    if (types.length === 0) unsure.push({ start, end });
  }
  entities.sort((a, b) => a.start - b.start || a.end - b.end || (a.type < b.type ? -1 : 1));
  const covers = (spans: readonly Span[], token: number): boolean =>
    spans.some(({ start, end }) => start <= token && token < end);
  const complete: CompleteRegion[] = [];
  for (let token = 0; policy.complete !== false && token < sentence.offsets.length / 2; token++) {
    if (covers(matches, token) && !covers(entities, token)) continue;
    const last = complete.at(-1);
    if (last?.end === token) complete[complete.length - 1] = { ...last, end: token + 1 };
    else complete.push({ start: token, end: token + 1, ...(policy.complete !== true && { types: policy.complete }) });
  }
  return { entities, unsure, rejected: [], complete };
}
