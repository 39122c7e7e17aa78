import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Annotation, makeSentence, type Sentence, surface } from "../text/document.ts";
import { stateOf } from "../text/states.ts";
import { findTokens } from "../text/tokens.ts";
import { type BuildOptions, buildMatcher } from "./build.ts";
import { labelDocument } from "./label.ts";
import type { Entry } from "./matcher.ts";
import { anyTrial, naiveFold, naiveLabels } from "./naive.suite.ts";
import { type OverlapPolicyName, overlapPolicies } from "./overlaps.ts";
import { conflictPolicies, type LabelPolicy } from "./policy.ts";

const lines: readonly Entry[] = [
  { surface: "Paris", type: "LOC", dictionary: "places" },
  { surface: "Paris", type: "PER", dictionary: "people" },
  { surface: "Rome", type: "LOC", dictionary: "places" },
  { surface: "Rome Smith", type: "PER", dictionary: "people" },
  { surface: "May", type: "PER", dictionary: "people" },
  { surface: "steel", dictionary: "phrases" },
];

function label(
  text: string,
  policy: Partial<LabelPolicy> = {},
  options: BuildOptions = { stop: ["May"] },
  annotation: Annotation = {},
): Sentence {
  const sentence = makeSentence(text, findTokens(text), annotation);
  return labelDocument({ text, sentences: [sentence] }, buildMatcher(lines, options), policy).sentences[0]!;
}

function shown(sentence: Sentence): string[] {
  return sentence.entities.map((entity) => `${surface(sentence, entity)}/${entity.type}`);
}

describe("labelling", () => {
  it.each(
    (Object.keys(overlapPolicies) as OverlapPolicyName[]).flatMap((overlaps) =>
      conflictPolicies.map((conflicts) => [overlaps, conflicts] as const),
    ),
  )("agrees with a naive labeller: overlaps %s, conflicts %s", (overlaps, conflicts) => {
    let labels = 0;
    fc.assert(
      fc.property(
        anyTrial,
        fc.constantFrom(true, false, ["PER"]),
        fc.array(fc.nat(7), { maxLength: 1 }),
        ({ entries, sentence, folding }, complete, stopped) => {
          const usable = entries.filter((entry) => naiveFold(entry.surface, folding) !== "");
          fc.pre(usable.length > 0);
          const stop = stopped.map((index) => entries[index % entries.length]!.surface);
          const policy: LabelPolicy = { overlaps, conflicts, complete, existing: "keep" };
          const document = { text: sentence.text, sentences: [sentence] };
          const [labelled] = labelDocument(document, buildMatcher(entries, { folding, stop }), policy).sentences;
          expect(labelled).toEqual({
            ...sentence,
            ...naiveLabels(sentence, usable, folding, stop, policy),
          });
          labels += labelled!.entities.length;
        },
      ),
      { numRuns: 150 },
    );
    expect(labels).toBeGreaterThan(5);
  });

  it("gives each label its dictionary and its entry, and leaves the document alone", () => {
    const text = "rome wins";
    const document = { id: "x", text, sentences: [makeSentence(text, findTokens(text))] };
    const labelled = labelDocument(document, buildMatcher(lines, { folding: { case: true } }));
    expect(labelled.id).toBe("x");
    expect(labelled.sentences[0]!.entities).toEqual([
      { start: 0, end: 1, type: "LOC", provenance: { source: "places", entry: "Rome" } },
    ]);
    expect(document.sentences[0]!.entities).toEqual([]);
  });

  it("leaves an ambiguous surface unknown, keeps all types, or the one declared first", () => {
    const text = "Paris is in May";
    expect(shown(label(text))).toEqual([]);
    expect(stateOf(label(text, { complete: true }), { start: 0, end: 1 })).toBe("unknown");
    expect(shown(label(text, { conflicts: "candidates" }))).toEqual(["Paris/LOC", "Paris/PER"]);
    expect(shown(label(text, { conflicts: "priority" }))).toEqual(["Paris/LOC"]);
  });

  it("leaves what is on the stop list unknown, and what only an untyped dictionary has unsure", () => {
    const sentence = label("May likes steel cups", { complete: true });
    const states = [0, 1, 2, 3].map((start) => stateOf(sentence, { start, end: start + 1 }));
    expect(states).toEqual(["unknown", "negative", "unsure", "negative"]);
    expect(shown(sentence)).toEqual([]);
  });

  it("declares nothing complete unless asked to", () => {
    const sentence = label("Rome is old");
    expect(stateOf(sentence, { start: 1, end: 2 })).toBe("unknown");
    const typed = label("Rome is old", { complete: ["LOC"] });
    expect(stateOf(typed, { start: 1, end: 2 }, "LOC")).toBe("negative");
    expect(stateOf(typed, { start: 1, end: 2 }, "PER")).toBe("unknown");
  });

  it("keeps out of the complete part what lost against another match", () => {
    const matcher = buildMatcher([
      { surface: "New York", type: "LOC", dictionary: "d" },
      { surface: "York Times", type: "ORG", dictionary: "d" },
    ]);
    const text = "New York Times sell";
    const { sentences } = labelDocument({ text, sentences: [makeSentence(text, findTokens(text))] }, matcher, {
      complete: true,
    });
    expect(shown(sentences[0]!)).toEqual(["New York/LOC"]);
    expect(stateOf(sentences[0]!, { start: 2, end: 3 })).toBe("unknown");
    expect(stateOf(sentences[0]!, { start: 3, end: 4 })).toBe("negative");
  });

  it("lets annotations that were there decide where they speak", () => {
    const text = "Rome Smith saw Rome and Rome";
    const annotation: Annotation = {
      entities: [{ start: 0, end: 1, type: "ORG" }],
      rejected: [{ start: 3, end: 4 }],
    };
    const kept = label(text, {}, {}, annotation);
    expect(kept.entities.map(({ start, type }) => [start, type])).toEqual([
      [0, "ORG"],
      [5, "LOC"],
    ]);
    expect(kept.rejected).toEqual(annotation.rejected);
    const replaced = label(text, { existing: "replace" }, {}, annotation);
    expect(shown(replaced)).toEqual(["Rome Smith/PER", "Rome/LOC", "Rome/LOC"]);
    expect(replaced.rejected).toEqual([]);
  });

  it("adds nothing to a part that was declared complete, nor to a span somebody was unsure of", () => {
    const complete = label("Rome or Rome", {}, {}, { complete: [{ start: 0, end: 2 }], unsure: [] });
    expect(complete.entities.map(({ start }) => start)).toEqual([2]);
    const unsure = label("Rome or Rome", {}, {}, { unsure: [{ start: 2, end: 3 }] });
    expect(unsure.entities.map(({ start }) => start)).toEqual([0]);
  });

  it("takes a rejection of one type for that type only", () => {
    const rejected = [{ start: 0, end: 1, type: "LOC" }];
    expect(shown(label("Rome", {}, {}, { rejected }))).toEqual([]);
    expect(shown(label("Paris", { conflicts: "candidates" }, {}, { rejected }))).toEqual(["Paris/PER"]);
  });

  it("names the policies it knows", () => {
    expect(() => label("a", { overlaps: "shortest" as "longest" })).toThrow(
      'label: unknown policy for overlaps "shortest" (known: longest, squared, drop, candidates, priority)',
    );
    expect(() => label("a", { conflicts: "guess" as "drop" })).toThrow(/conflicts of types "guess" \(known: drop,/);
    expect(() => label("a", { existing: "burn" as "keep" })).toThrow(
      /existing annotations "burn" \(known: keep, replace\)/,
    );
  });
});
