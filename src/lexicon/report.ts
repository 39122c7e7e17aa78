import { spanIndex } from "../text/index.ts";
import { keyText } from "./automaton.ts";
import { contextKeeper } from "./contexts.ts";
import type { Labelled } from "./label.ts";
import type { Matcher } from "./matcher.ts";
import { type Outcome, outcomes } from "./policy.ts";
import { smallWords, suspicion } from "./suspicion.ts";

/** What labelling did, for a person who has to decide what to change in the dictionaries. */
export interface LabelReport {
  /** How many matches became what. */
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** New labels by type; a match that keeps several types counts once for each. */
  readonly types: Readonly<Record<string, number>>;
  /** New labels by the dictionary they come from. */
  readonly dictionaries: Readonly<Record<string, number>>;
  readonly surfaces: { readonly total: number; readonly matched: number; readonly ambiguous: number };
  /** Lines that repeat an earlier one, and lines of which folding leaves nothing. */
  readonly leftOut: { readonly repeated: number; readonly vanished: number };
  /** The surfaces with most labels, and then those found most often, to look at. */
  readonly frequent: readonly SurfaceReport[];
  /** Surfaces whose labels are likely to be wrong, with the reason, those with most labels first. */
  readonly suspicious: readonly (SurfaceReport & { readonly reason: string })[];
  /** Surfaces with several types, those found most often first. */
  readonly ambiguous: readonly SurfaceReport[];
  /** Surfaces that were not found, as folded, the shortest first. */
  readonly neverMatched: readonly string[];
}

export interface SurfaceReport {
  readonly surface: string;
  readonly types: readonly string[];
  readonly dictionaries: readonly string[];
  /** How often it was found. */
  readonly matches: number;
  /** How many of these became labels. */
  readonly labels: number;
  /** Some of the places, as `before [surface] after`. */
  readonly contexts: readonly string[];
}

export interface ReportCollector {
  add(labelled: Labelled): void;
  /** The report so far; each list holds at most `limit` surfaces. */
  report(limit: number): LabelReport;
}

/** Gathers a report while documents stream by, in memory that depends on the dictionaries only. */
export function reportCollector(matcher: Matcher): ReportCollector {
  const { header, arrays } = matcher.automaton;
  const matches = new Uint32Array(arrays.refused.length);
  const labels = new Uint32Array(arrays.refused.length);
  const contexts = contextKeeper(matches);
  const words = smallWords();
  const foldsCase = header.folding.case;
  const byOutcome = tally();
  const byType = tally();
  const byDictionary = tally();

  const describe = (key: number): SurfaceReport => {
    const entries = matcher.entries(key);
    return {
      surface: entries[0]!.surface,
      types: matcher.types(key),
      dictionaries: [...new Set(entries.map(({ dictionary }) => dictionary))],
      matches: matches[key]!,
      labels: labels[key]!,
      contexts: contexts.of(key),
    };
  };

  const suspicious = (limit: number): (SurfaceReport & { reason: string })[] => {
    const found: (SurfaceReport & { reason: string })[] = [];
    const labelled = keysWhere(labels, (count) => count > 0);
    for (const key of most(labelled, [labels], labelled.length)) {
      if (found.length >= limit) break;
      const reason = suspicion(matcher.entries(key)[0]!.surface, labels[key]!, words, { foldsCase });
      if (reason !== undefined) found.push({ ...describe(key), reason });
    }
    return found;
  };

  return {
    add({ document, decisions }) {
      for (const [index, sentence] of document.sentences.entries()) {
        words.add(sentence);
        for (const decision of decisions[index]!) {
          matches[decision.key]!++;
          byOutcome.add(decision.outcome);
          contexts.add(decision.key, sentence, decision);
          if (decision.outcome !== "entity") continue;
          labels[decision.key]!++;
          for (const { type, provenance } of spanIndex(sentence.entities).at(decision)) {
            byType.add(type);
            byDictionary.add(provenance!.source);
          }
        }
      }
    },
    report(limit) {
      const ambiguous = ambiguousKeys(matcher);
      const unmatched = keysWhere(matches, (count) => count === 0);
      return {
        outcomes: Object.fromEntries(outcomes.map((name) => [name, byOutcome.of(name)])) as Record<Outcome, number>,
        types: byType.sorted(),
        dictionaries: byDictionary.sorted(),
        surfaces: {
          total: matches.length,
          matched: matches.length - unmatched.length,
          ambiguous: ambiguous.length,
        },
        leftOut: { repeated: header.repeated, vanished: header.vanished },
        frequent: most(
          keysWhere(matches, (count) => count > 0),
          [labels, matches],
          limit,
        ).map(describe),
        suspicious: suspicious(limit),
        ambiguous: most(ambiguous, [matches], limit).map(describe),
        neverMatched: unmatched.slice(0, limit).map((key) => keyText(arrays, key)),
      };
    },
  };
}

function keysWhere(counts: Uint32Array, holds: (count: number) => boolean): number[] {
  const keys: number[] = [];
  for (const [key, count] of counts.entries()) if (holds(count)) keys.push(key);
  return keys;
}

/** Keys whose entries have more than one type. */
function ambiguousKeys({ automaton }: Matcher): number[] {
  const { keyEntries, entryTypes, refused } = automaton.arrays;
  const keys: number[] = [];
  for (let key = 0; key < refused.length; key++) {
    const types = entryTypes.subarray(keyEntries[key], keyEntries[key + 1]).filter((type) => type >= 0);
    if (types.some((type) => type !== types[0])) keys.push(key);
  }
  return keys;
}

/** The keys with the largest counts, of equal ones those with the largest second counts, then by their numbers. */
function most(keys: readonly number[], [counts, second]: readonly Uint32Array[], limit: number): number[] {
  const order = (a: number, b: number): number =>
    counts![b]! - counts![a]! || (second === undefined ? 0 : second[b]! - second[a]!) || a - b;
  return [...keys].sort(order).slice(0, limit);
}

interface Tally {
  add(name: string): void;
  of(name: string): number;
  /** The largest first. */
  sorted(): Record<string, number>;
}

function tally(): Tally {
  const counts = new Map<string, number>();
  const of = (name: string): number => counts.get(name) ?? 0;
  return {
    add: (name) => counts.set(name, of(name) + 1),
    of,
    sorted: () => Object.fromEntries([...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))),
  };
}
