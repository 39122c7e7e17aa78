import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sentenceOf } from "../../../test/support/words.ts";
import { buildMatcher, labelDocument, type Matcher } from "../../lexicon/index.ts";
import { overlaps, type Span, sameSpan, tokenise } from "../../text/index.ts";
import { markPhrases } from "./phrases.ts";

const sentence = sentenceOf("the new york times square garden of Ana Lopes", {
  entities: [{ start: 7, end: 9, type: "PER" }],
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lacuna-phrases-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function marked(lines: readonly string[], ignoreCase = false) {
  const full = join(folder, "full.txt");
  await writeFile(full, lines.join("\n"));
  const { train, facts, summary } = await markPhrases([sentence], { full, ignoreCase });
  return { unsure: train!.sentences[0]!.unsure, entities: train!.sentences[0]!.entities, facts, summary };
}

describe("the phrases of a full dictionary", () => {
  it("become unsure, those with the largest sum of squared lengths, and labels stay", async () => {
    const { unsure, entities, facts } = await marked(["new york", "york times square", "garden", "Ana", "Lopes of"]);
    expect(unsure).toEqual([
      { start: 2, end: 5 },
      { start: 5, end: 6 },
    ]);
    expect(entities).toEqual(sentence.entities);
    expect(facts).toEqual({ phrases: 2, lostLabels: 0 });
  });

  it("win against shorter labels, as when both dictionaries label at once", async () => {
    const texts = ["the New York Times said", "in New York it rains"];
    const core = buildMatcher([{ surface: "New York", type: "LOC", dictionary: "core" }]);
    const both = buildMatcher([
      { surface: "New York", type: "LOC", dictionary: "core" },
      { surface: "New York Times", dictionary: "full" },
      { surface: "York", dictionary: "full" },
    ]);
    const full = join(folder, "joint.txt");
    await writeFile(full, "New York Times\nYork\n");
    const labelled = (matcher: Matcher) =>
      texts.map((text) => labelDocument(tokenise(text), matcher, { overlaps: "squared" }).sentences[0]!);
    const { train, facts, summary } = await markPhrases(labelled(core), { full, ignoreCase: false });
    expect(train!.sentences).toEqual(labelled(both));
    expect(train!.sentences.map(({ entities, unsure }) => [entities.length, unsure])).toEqual([
      [0, [{ start: 1, end: 4 }]],
      [1, []],
    ]);
    expect(facts).toEqual({ phrases: 1, lostLabels: 1 });
    expect(summary).toContain("1 labels gave way to longer phrases");
  });

  it("compete with labels by the sum of squared lengths, as a search through all choices does", async () => {
    const text = "a b c d e f g h";
    const full = join(folder, "search.txt");
    const spans = Array.from({ length: 8 }, (_, start) => [1, 2, 3, 4].map((width) => ({ start, end: start + width })))
      .flat()
      .filter(({ end }) => end <= 8);
    let lost = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.constantFrom(...spans), { minLength: 1, maxLength: 5 }),
        fc.uniqueArray(fc.constantFrom(...spans), { minLength: 1, maxLength: 3 }),
        async (found, labelled) => {
          await writeFile(full, found.map(({ start, end }) => text.split(" ").slice(start, end).join(" ")).join("\n"));
          const entities = labelled.map((span) => ({ ...span, type: "T" }));
          const { train, facts } = await markPhrases([sentenceOf(text, { entities })], { full, ignoreCase: false });
          const [after] = train!.sentences;
          const free = found.filter((phrase) => !labelled.some((label) => sameSpan(label, phrase)));
          const sum = (chosen: readonly Span[]) =>
            chosen.reduce((total, { start, end }) => total + (end - start) ** 2, 0);
          const best = (open: readonly Span[]): number =>
            open.length === 0
              ? 0
              : Math.max(
                  best(open.slice(1)),
                  sum([open[0]!]) + best(open.slice(1).filter((other) => !overlaps(other, open[0]!))),
                );
          // The phrases that won, with the best of the labels that they leave, reach the largest sum.
          expect(sum(after!.unsure) + best(after!.entities)).toBe(best([...free, ...labelled]));
          expect(after!.entities).toEqual(
            sentenceOf(text, { entities }).entities.filter((label) => !after!.unsure.some((u) => overlaps(u, label))),
          );
          lost += facts.lostLabels!;
        },
      ),
      { numRuns: 200 },
    );
    expect(lost).toBeGreaterThan(20);
  });

  it("leave labels alone that somebody declared, and places of which somebody spoke", async () => {
    const full = join(folder, "declared.txt");
    await writeFile(full, "New York Times\nold town hall\n");
    const declared = sentenceOf("New York Times or old town hall", {
      entities: [{ start: 0, end: 2, type: "LOC" }],
      complete: [{ start: 0, end: 2, types: ["LOC"] }],
      rejected: [{ start: 4, end: 7 }],
    });
    const { train, facts } = await markPhrases([declared], { full, ignoreCase: false });
    expect(train!.sentences).toEqual([declared]);
    expect(facts).toEqual({ phrases: 0, lostLabels: 0 });
    // Declared for another type, the label is no person's.
    const other = { ...declared, complete: [{ start: 0, end: 2, types: ["PER"] }] };
    expect((await markPhrases([other], { full, ignoreCase: false })).facts).toEqual({ phrases: 1, lostLabels: 1 });
  });

  it("are found in any case when that is asked for", async () => {
    expect((await marked(["New York"])).unsure).toEqual([]);
    expect((await marked(["New York"], true)).unsure).toEqual([{ start: 1, end: 3 }]);
  });

  it("of several files stand together, and a file without phrases is refused", async () => {
    const files = [join(folder, "a.txt"), join(folder, "b.txt")];
    await writeFile(files[0]!, "the new\n");
    await writeFile(files[1]!, "garden\n");
    const { facts } = await markPhrases([sentence], { full: files, ignoreCase: false });
    expect(facts).toMatchObject({ phrases: 2 });
    await writeFile(files[1]!, "\n");
    await expect(markPhrases([sentence], { full: files, ignoreCase: false })).rejects.toThrow(
      "dictionary: expected at least one entry",
    );
  });
});
