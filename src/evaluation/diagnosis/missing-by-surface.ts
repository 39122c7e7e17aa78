import type { Sentence } from "../../text/index.ts";
import { random } from "../../util/random.ts";
import { labels } from "./conflicts.ts";
import { type Estimate, leastEvidence, type MissingEstimates, type MissingShare } from "./estimate.ts";
import { type GapPosterior, gapPosterior } from "./gap-posterior.ts";
import { isMostlyDictionary, namesEntry, type Origins, originsOf } from "./origins.ts";
import type { SurfaceUse } from "./surface-uses.ts";

const because = "a dictionary made the labels, which misses a name everywhere or nowhere";
const level = 0.95;
const draws = 4000;

/**
 * How much is missing, from forms that are labelled in one place and not in another; nothing but the corpus is needed.
 * Forms that stand once, and forms with labels of several types, tell nothing and are left out. Of labels that a
 * dictionary made it cannot tell anything: they are there or missing for all mentions of a name together.
 */
export function missingBySurface(
  sentences: readonly Sentence[],
  uses: readonly SurfaceUse[],
  origins: Origins = originsOf(sentences, namesEntry),
): MissingEstimates {
  const entities = new Map<string, number>();
  for (const sentence of sentences) {
    for (const { type } of sentence.entities) entities.set(type, (entities.get(type) ?? 0) + 1);
  }
  const types = [...entities.keys()].sort();
  const forms = types.map((type) => formsOf(type, uses));
  const posteriors = forms.map((each) => (each.length < leastEvidence ? undefined : gapPosterior(each)));
  const byType = types.map((type, i): [string, Estimate] => {
    const [evidence, posterior] = [forms[i]!.length, posteriors[i]];
    if (isMostlyDictionary(origins.byType[type]!)) return [type, { evidence, because }];
    return [type, posterior === undefined ? { evidence, needed: leastEvidence } : summary(posterior, evidence)];
  });
  const told = types.map((type, i) => (isMostlyDictionary(origins.byType[type]!) ? undefined : posteriors[i]));
  const evidence = forms.reduce((sum, { length }) => sum + length, 0);
  return {
    assumes:
      "every mention is labelled with the same chance, whatever its name and sentence; " +
      "wrong for labels from a dictionary, which miss all mentions of a name or none, and then far too low",
    evidence: "names that occur twice or more",
    overall: isMostlyDictionary(origins)
      ? { evidence, because }
      : overall(
          types.map((type) => entities.get(type)!),
          told,
          forms.map(({ length }) => length),
        ),
    byType: Object.fromEntries(byType),
  };
}

function formsOf(type: string, uses: readonly SurfaceUse[]): { labelled: number; occurrences: number }[] {
  return uses
    .filter(({ labelled }) => labelled.size === 1 && labelled.has(type))
    .map((use) => ({ labelled: labels(use), occurrences: labels(use) + use.unlabelled }))
    .filter(({ occurrences }) => occurrences > 1);
}

/** The median, and the smallest set of cells that holds the level, from its first to its last. */
function summary({ shares, masses, step }: GapPosterior, evidence: number): MissingShare {
  const byMass = [...shares.keys()].sort((a, b) => masses[b]! - masses[a]!);
  let held = 0;
  const inside = byMass.filter((cell) => {
    const isNeeded = held < level;
    held += masses[cell]!;
    return isNeeded;
  });
  let below = 0;
  const median = masses.findIndex((mass) => {
    below += mass;
    return below >= 0.5;
  });
  return {
    missing: shares[median]!,
    low: Math.max(0, shares[Math.min(...inside)]! - step / 2),
    high: Math.min(1, shares[Math.max(...inside)]! + step / 2),
    evidence,
  };
}

/** The types that have an estimate, each weighted with the entities it must have: labelled ones over the label rate. */
function overall(
  entities: readonly number[],
  posteriors: readonly (GapPosterior | undefined)[],
  forms: readonly number[],
): Estimate {
  const known = posteriors.flatMap((posterior, i) =>
    posterior === undefined ? [] : [{ posterior, entities: entities[i]!, forms: forms[i]! }],
  );
  const evidence = known.reduce((sum, each) => sum + each.forms, 0);
  if (known.length === 0) return { evidence: forms.reduce((sum, count) => sum + count, 0), needed: leastEvidence };
  const labelled = known.reduce((sum, each) => sum + each.entities, 0);
  const drawn = Float64Array.from({ length: draws }, (_, i) => {
    const rng = random(1, "missing", i);
    const total = known.reduce((sum, each) => sum + each.entities / (1 - drawShare(each.posterior, rng.next())), 0);
    return 1 - labelled / total;
  }).sort();
  // The shortest stretch of draws that holds the level.
  const held = Math.ceil(level * draws) - 1;
  const starts = Array.from({ length: draws - held }, (_, i) => i);
  const length = (start: number): number => drawn[start + held]! - drawn[start]!;
  const start = starts.reduce((best, each) => (length(each) < length(best) ? each : best));
  return { missing: drawn[draws >> 1]!, low: drawn[start]!, high: drawn[start + held]!, evidence };
}

/** The share below which a posterior has this much of its mass. */
function drawShare({ shares, masses, step }: GapPosterior, mass: number): number {
  let below = 0;
  for (const [cell, each] of masses.entries()) {
    if (below + each >= mass) return shares[cell]! + step * ((mass - below) / each - 0.5);
    below += each;
  }
  return shares.at(-1)!;
}
