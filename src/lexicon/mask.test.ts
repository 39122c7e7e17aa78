import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Document, type Entity, makeSentence, type Sentence, surface } from "../text/document.ts";
import { isComplete, wholly } from "../text/states.ts";
import { type MaskedDocument, type MaskMode, mask } from "./mask.ts";

async function masked(documents: readonly Document[], mode: MaskMode, seed = 1): Promise<MaskedDocument[]> {
  const result: MaskedDocument[] = [];
  for await (const each of mask(documents, mode, seed)) result.push(each);
  return result;
}

/** A sentence of one-letter tokens with an entity of one token on each of the given ones. */
function sentence(letters: string, types: Readonly<Record<number, string>>): Sentence {
  const offsets = Int32Array.from([...letters].flatMap((_, index) => [2 * index, 2 * index + 1]));
  const entities = Object.entries(types).map(([start, type]) => ({
    start: Number(start),
    end: Number(start) + 1,
    type,
  }));
  return makeSentence([...letters].join(" "), offsets, { entities, complete: wholly(letters.length) });
}

function documentOf(...sentences: Sentence[]): Document {
  return { text: sentences.map(({ text }) => text).join("\n"), sentences };
}

const typeNames = fc.constantFrom("PER", "LOC");
const anySentence = fc
  .tuple(fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 5 }), fc.array(typeNames))
  .map(([letters, types]) => sentence(letters, Object.fromEntries([...letters].map((_, i) => [i, types[i] ?? "PER"]))));
const corpus = fc.array(
  fc.array(anySentence, { maxLength: 3 }).map((all) => documentOf(...all)),
  { maxLength: 5 },
);
const anyMode: fc.Arbitrary<MaskMode> = fc
  .double({ min: 0, max: 1, noNaN: true })
  .chain((rate) =>
    fc.constantFrom<MaskMode>(
      { by: "mention", rate },
      { by: "fraction", fraction: rate },
      { by: "surface", rate },
      { by: "type", rates: new Map() },
    ),
  );

function entityKeys(documents: readonly Document[]): string[] {
  return documents.flatMap(({ sentences }, d) =>
    sentences.flatMap(({ entities }, s) => entities.map((e: Entity) => `${d}/${s}/${e.start}/${e.end}/${e.type}`)),
  );
}

describe("every mode", () => {
  it("splits the annotations into kept and hidden, over the same text and tokens", async () => {
    await fc.assert(
      fc.asyncProperty(corpus, anyMode, fc.nat(), async (documents, mode, seed) => {
        const result = await masked(documents, mode, seed);
        const kept = entityKeys(result.map((each) => each.masked));
        const hidden = entityKeys(result.map((each) => each.hidden));
        expect([...kept, ...hidden].sort()).toEqual(entityKeys(documents).sort());
        for (const [index, { masked, hidden }] of result.entries()) {
          for (const copy of [masked, hidden]) {
            expect(copy.text).toBe(documents[index]!.text);
            expect(copy.sentences.map((s) => s.offsets)).toEqual(documents[index]!.sentences.map((s) => s.offsets));
          }
        }
      }),
    );
  });

  it("leaves no sentence complete, so that completeness does not tell where nothing was hidden", async () => {
    const document = documentOf(sentence("ab", { 0: "PER" }), sentence("cd", {}));
    for (const mode of [{ by: "mention", rate: 0 } as const, { by: "type", rates: new Map([["PER", 1]]) } as const]) {
      const [result] = await masked([document], mode);
      expect(result!.masked.sentences.map(isComplete)).toEqual([false, false]);
      expect(result!.hidden.sentences.map(isComplete)).toEqual([false, false]);
    }
  });

  it("keeps rejected and unsure spans in the masked copy and out of the hidden one", async () => {
    const rejected = [{ start: 0, end: 1 }];
    const unsure = [{ start: 1, end: 2 }];
    const document = documentOf({ ...sentence("ab", {}), rejected, unsure });
    const [result] = await masked([document], { by: "mention", rate: 1 });
    expect(result!.masked.sentences[0]).toMatchObject({ rejected, unsure });
    expect(result!.hidden.sentences[0]).toMatchObject({ rejected: [], unsure: [] });
  });

  it("repeats by seed and differs between seeds", async () => {
    const document = documentOf(
      sentence("abcdefghijklmnopqrst", Object.fromEntries([...Array(20).keys()].map((i) => [i, "A"]))),
    );
    for (const mode of [
      { by: "mention", rate: 0.5 },
      { by: "fraction", fraction: 0.5 },
      { by: "surface", rate: 0.5 },
    ] as const) {
      const hidden = async (seed: number): Promise<string> =>
        entityKeys((await masked([document], mode, seed)).map((each) => each.hidden)).join();
      expect(await hidden(5)).toBe(await hidden(5));
      expect(new Set([await hidden(1), await hidden(2), await hidden(3)]).size).toBe(3);
    }
  });

  it("hides at a higher rate all that it hides at a lower one", async () => {
    const rates = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }));
    await fc.assert(
      fc.asyncProperty(corpus, rates, async (documents, [x, y]) => {
        const hidden = async (rate: number, by: "mention" | "surface" | "fraction"): Promise<string[]> => {
          const mode: MaskMode = by === "fraction" ? { by, fraction: rate } : { by, rate };
          return entityKeys((await masked(documents, mode)).map((each) => each.hidden));
        };
        for (const by of ["mention", "surface", "fraction"] as const) {
          expect(await hidden(Math.max(x, y), by)).toEqual(expect.arrayContaining(await hidden(Math.min(x, y), by)));
        }
      }),
    );
  });
});

describe("by mention", () => {
  it("hides each annotation with the given probability, none at 0 and all at 1", async () => {
    const all = Object.fromEntries([...Array(10).keys()].map((index) => [index, "PER"]));
    const documents = Array.from({ length: 2000 }, () => documentOf(sentence("abcdefghij", all)));
    const share = async (rate: number): Promise<number> =>
      entityKeys((await masked(documents, { by: "mention", rate })).map((each) => each.hidden)).length / 20_000;
    expect(await share(0)).toBe(0);
    expect(await share(1)).toBe(1);
    // Four standard deviations of a share of 20,000 at 0.3.
    expect(Math.abs((await share(0.3)) - 0.3)).toBeLessThan(4 * Math.sqrt((0.3 * 0.7) / 20_000));
  });

  it("does not depend on what the other documents and sentences hold", async () => {
    await fc.assert(
      fc.asyncProperty(corpus, fc.nat(), async (documents, seed) => {
        const whole = await masked(documents, { by: "mention", rate: 0.5 }, seed);
        for (const [index, expected] of whole.entries()) {
          const alone = documents.map((document, other) => (other === index ? document : documentOf()));
          expect((await masked(alone, { by: "mention", rate: 0.5 }, seed))[index]).toEqual(expected);
        }
      }),
    );
  });

  it("streams: gives a document before it asks for the next", async () => {
    const asked: string[] = [];
    const source = function* (): Generator<Document> {
      for (const name of ["first", "second"]) {
        asked.push(name);
        yield documentOf(sentence("a", { 0: "PER" }));
      }
    };
    const result = mask(source(), { by: "mention", rate: 0.5 }, 1);
    await result.next();
    expect(asked).toEqual(["first"]);
  });
});

describe("by exact fraction", () => {
  it("hides the rounded number of annotations", async () => {
    await fc.assert(
      fc.asyncProperty(corpus, fc.double({ min: 0, max: 1, noNaN: true }), async (documents, fraction) => {
        const result = await masked(documents, { by: "fraction", fraction });
        const total = entityKeys(documents).length;
        expect(entityKeys(result.map((each) => each.hidden))).toHaveLength(Math.round(fraction * total));
      }),
    );
  });

  it("takes every subset equally often", async () => {
    const document = documentOf(sentence("abcd", { 0: "A", 1: "A", 2: "A", 3: "A" }));
    const counts = new Map<string, number>();
    for (let seed = 0; seed < 3000; seed++) {
      const [result] = await masked([document], { by: "fraction", fraction: 0.5 }, seed);
      const subset = entityKeys([result!.hidden]).join();
      counts.set(subset, (counts.get(subset) ?? 0) + 1);
    }
    const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - 500) ** 2 / 500, 0);
    expect(counts.size).toBe(6);
    // 0.999 quantile of chi-square with 5 degrees of freedom.
    expect(chiSquare).toBeLessThan(20.5);
  });
});

describe("by surface form", () => {
  it("hides all mentions of a form or none, whatever their type and document", async () => {
    await fc.assert(
      fc.asyncProperty(corpus, fc.nat(), async (documents, seed) => {
        const result = await masked(documents, { by: "surface", rate: 0.5 }, seed);
        const forms = (side: "masked" | "hidden"): Set<string> =>
          new Set(result.flatMap((r) => r[side].sentences.flatMap((s) => s.entities.map((e) => surface(s, e)))));
        const kept = forms("masked");
        for (const form of forms("hidden")) expect(kept).not.toContain(form);
      }),
    );
  });

  it("takes a name that runs over a line break for the same name", async () => {
    const spaced = (text: string): Document =>
      documentOf(makeSentence(text, Int32Array.of(0, 3, 4, 8), { entities: [{ start: 0, end: 2, type: "LOC" }] }));
    for (let seed = 0; seed < 20; seed++) {
      const result = await masked([spaced("New York"), spaced("New\nYork")], { by: "surface", rate: 0.5 }, seed);
      expect([0, 2]).toContain(entityKeys(result.map((each) => each.hidden)).length);
    }
  });
});

describe("by type", () => {
  it("hides at the rate of each type and leaves types that are not named", async () => {
    const types = Object.fromEntries([...Array(9).keys()].map((index) => [index, ["PER", "LOC", "ORG"][index % 3]!]));
    const documents = Array.from({ length: 1000 }, () => documentOf(sentence("abcdefghi", types)));
    const result = await masked(documents, {
      by: "type",
      rates: new Map([
        ["PER", 1],
        ["LOC", 0.5],
      ]),
    });
    const hidden = result.flatMap((r) => r.hidden.sentences.flatMap((s) => s.entities.map((e) => e.type)));
    const count = (type: string): number => hidden.filter((each) => each === type).length;
    expect(count("PER")).toBe(3000);
    expect(count("ORG")).toBe(0);
    expect(Math.abs(count("LOC") - 1500)).toBeLessThan(4 * Math.sqrt(3000 * 0.25));
  });

  it("refuses a type that no entity has, and names those there are", async () => {
    const document = documentOf(sentence("ab", { 0: "PER", 1: "LOC" }));
    await expect(masked([document], { by: "type", rates: new Map([["PRE", 0.5]]) })).rejects.toThrow(
      'mask: no entity has the type "PRE" (known: LOC, PER)',
    );
  });
});

it.each([-0.1, 1.5, Number.NaN])("refuses the rate %d", async (rate) => {
  const message = `mask: a rate must be a number from 0 to 1, got ${rate}`;
  await expect(masked([], { by: "mention", rate })).rejects.toThrow(message);
  await expect(masked([], { by: "fraction", fraction: rate })).rejects.toThrow(message);
  await expect(masked([], { by: "type", rates: new Map([["PER", rate]]) })).rejects.toThrow(message);
});
