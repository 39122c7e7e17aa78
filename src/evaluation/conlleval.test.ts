import fc from "fast-check";
import { expect, it } from "vitest";
import { entitiesOfTags, parseTag } from "../text/tags.ts";
import { sentence } from "./examples.suite.ts";
import type { SentencePair } from "./pairs.ts";
import { score } from "./scores.ts";

/**
 * The counting of conlleval, which never builds a span: it walks both tag columns at once and asks at each token
 * whether a chunk begins or ends. A second way to the same numbers.
 */
function conlleval(sentences: readonly (readonly [gold: string, predicted: string][])[], only?: string) {
  const split = (tag: string): [prefix: string, type: string] => [tag[0]!, tag.slice(2)];
  const begins = (before: string, tag: string): boolean => {
    const [[p, pType], [t, type]] = [split(before), split(tag)];
    if (t === "O") return false;
    return t === "B" || p === "O" || pType !== type;
  };
  const ends = (before: string, tag: string): boolean => {
    const [[p, pType], [t, type]] = [split(before), split(tag)];
    if (p === "O") return false;
    return t === "O" || t === "B" || pType !== type;
  };
  const counted = (tag: string): boolean => only === undefined || split(tag)[1] === only;
  const count = { correct: 0, predicted: 0, gold: 0 };
  for (const tokens of sentences) {
    let [lastGold, lastPredicted, together] = ["O", "O", false];
    for (const [gold, predicted] of [...tokens, ["O", "O"] as const]) {
      const goldEnds = ends(lastGold, gold);
      const predictedEnds = ends(lastPredicted, predicted);
      if (together && goldEnds && predictedEnds) {
        if (counted(lastGold)) count.correct++;
        together = false;
      } else if (together && goldEnds !== predictedEnds) together = false;
      if (begins(lastGold, gold) && begins(lastPredicted, predicted) && split(gold)[1] === split(predicted)[1]) {
        together = true;
      }
      if (begins(lastGold, gold) && counted(gold)) count.gold++;
      if (begins(lastPredicted, predicted) && counted(predicted)) count.predicted++;
      [lastGold, lastPredicted] = [gold, predicted];
    }
  }
  return count;
}

function pairOf(tokens: readonly (readonly [string, string])[]): SentencePair {
  const words = tokens.map(() => "x");
  const side = (index: 0 | 1) =>
    sentence(words, { entities: entitiesOfTags(tokens.map((tags) => parseTag(tags[index]))) });
  return { gold: side(0), predicted: side(1) };
}

const tag = fc.constantFrom("O", "B-A", "I-A", "B-B", "I-B");

it("counts as conlleval does on any IOB tags, valid or not", () => {
  const corpora = fc.array(fc.array(fc.tuple(tag, tag), { maxLength: 10 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(corpora, (corpus) => {
      const scores = score(corpus.map(pairOf));
      for (const [actual, expected] of [
        [scores, conlleval(corpus)],
        [scores.byType.A, conlleval(corpus, "A")],
        [scores.byType.B, conlleval(corpus, "B")],
      ] as const) {
        const { correct, predicted, gold } = expected;
        expect(actual?.support ?? 0).toBe(gold);
        expect(actual?.precision ?? 0).toBeCloseTo(predicted === 0 ? 0 : correct / predicted, 12);
        expect(actual?.recall ?? 0).toBeCloseTo(gold === 0 ? 0 : correct / gold, 12);
      }
    }),
    { numRuns: 2000 },
  );
});

it("takes I after O and after another type for the beginning of an entity", () => {
  const tokens = [
    ["B-A", "I-A"],
    ["I-A", "I-A"],
    ["O", "O"],
    ["B-A", "B-A"],
    ["B-B", "I-B"],
  ] as const;
  expect(score([pairOf(tokens)])).toMatchObject({ precision: 1, recall: 1, support: 3 });
});
