import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entity } from "./document.ts";
import { detectScheme, violations } from "./tag-schemes.ts";
import {
  assertedRegions,
  entitiesOfTags,
  parseTag,
  type Scheme,
  schemeNamed,
  schemes,
  tagReader,
  tagsOfEntities,
} from "./tags.ts";

const read = (tags: string) => tags.split(" ").map(parseTag);
const spans = (tags: string) => entitiesOfTags(read(tags)).map(({ start, end, type }) => `${type} ${start}-${end}`);

/** Sentences of up to ten tokens with entities that do not overlap but often touch. */
const sentences = fc
  .array(
    fc.record({ gap: fc.nat(2), width: fc.integer({ min: 1, max: 3 }), type: fc.constantFrom("PER", "ORG", "A-B") }),
    { maxLength: 5 },
  )
  .map((parts) => {
    let count = 0;
    const entities: Entity[] = [];
    for (const { gap, width, type } of parts) {
      entities.push({ start: count + gap, end: count + gap + width, type });
      count += gap + width;
    }
    return { count, entities };
  });

describe.each(schemes)("%s", (scheme) => {
  it("gives back the entities that it was written from, breaking none of its rules", () => {
    fc.assert(
      fc.property(sentences, ({ count, entities }) => {
        const tags = tagsOfEntities(count, entities, scheme).map(parseTag);
        expect(entitiesOfTags(tags)).toEqual(entities);
        expect([...violations(tags, scheme)]).toEqual([]);
      }),
    );
  });
});

describe("tags of entities", () => {
  const entities = [
    { start: 0, end: 1, type: "PER" },
    { start: 1, end: 4, type: "PER" },
    { start: 5, end: 7, type: "ORG" },
  ];
  it.each<[Scheme, string]>([
    ["IOB1", "I-PER B-PER I-PER I-PER O I-ORG I-ORG"],
    ["IOB2", "B-PER B-PER I-PER I-PER O B-ORG I-ORG"],
    ["BIOES", "S-PER B-PER I-PER E-PER O B-ORG E-ORG"],
    ["BMES", "S-PER B-PER M-PER E-PER O B-ORG E-ORG"],
    ["BILOU", "U-PER B-PER I-PER L-PER O B-ORG L-ORG"],
  ])("in %s", (scheme, tags) => {
    expect(tagsOfEntities(7, entities, scheme).join(" ")).toBe(tags);
  });

  it("say UNK where nothing is known", () => {
    expect(tagsOfEntities(3, [{ start: 0, end: 1, type: "PER" }], "IOB2", (token) => token !== 1)).toEqual([
      "B-PER",
      "O",
      "UNK",
    ]);
  });

  it("cannot hold overlapping entities", () => {
    const nested = [
      { start: 0, end: 3, type: "ORG" },
      { start: 1, end: 2, type: "LOC" },
    ];
    expect(() => tagsOfEntities(3, nested, "IOB2")).toThrow("overlapping entities: ORG [0, 3) and LOC [1, 2)");
  });
});

describe("invalid sequences are read as conlleval reads them", () => {
  it.each([
    ["I after O begins an entity", "O I-PER I-PER", ["PER 1-3"]],
    ["I of another type begins one", "B-PER I-ORG", ["PER 0-1", "ORG 1-2"]],
    ["B inside begins one", "B-PER B-PER", ["PER 0-1", "PER 1-2"]],
    ["E after O begins one", "O E-PER O", ["PER 1-2"]],
    ["I after E begins one", "B-PER E-PER I-PER", ["PER 0-2", "PER 2-3"]],
    ["an entity without its end ends before O", "B-PER I-PER O", ["PER 0-2"]],
    ["S inside begins and ends one", "B-PER S-PER I-PER", ["PER 0-1", "PER 1-2", "PER 2-3"]],
    ["an unknown tag ends an entity", "B-PER UNK I-PER", ["PER 0-1", "PER 2-3"]],
  ])("%s", (_, tags, expected) => {
    expect(spans(tags)).toEqual(expected);
  });

  it("equally to the definition of conlleval with its two functions, on any sequence of B, I and O", () => {
    const tag = fc.constantFrom("O", "B-X", "I-X", "B-Y", "I-Y");
    fc.assert(
      fc.property(fc.array(tag, { maxLength: 8 }), (tags) => {
        const expected = conllevalChunks(tags.map((text) => [text[0]!, text.slice(2)]));
        expect(entitiesOfTags(tags.map(parseTag)).map(({ start, end, type }) => [start, end, type])).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
});

/** conlleval's endOfChunk and startOfChunk, rule by rule. */
function conllevalChunks(tags: [string, string][]): [number, number, string][] {
  const chunks: [number, number, string][] = [];
  let start = -1;
  let [previous, previousType] = ["O", ""];
  for (const [i, [tag, type]] of [...tags, ["O", ""] as [string, string]].entries()) {
    const pair = previous + tag;
    const ends = ["BB", "BO", "IB", "IO"].includes(pair) || (previous !== "O" && previousType !== type);
    const starts = ["BB", "IB", "OB", "OI"].includes(pair) || (tag !== "O" && previousType !== type);
    if (start >= 0 && ends) {
      chunks.push([start, i, previousType]);
      start = -1;
    }
    if (starts) start = i;
    [previous, previousType] = [tag, type];
  }
  return chunks;
}

describe("one tag", () => {
  it("has a role and a type, which may hold hyphens and dots", () => {
    expect(parseTag("B-GPE-NAM")).toEqual({ role: "B", type: "GPE-NAM", text: "B-GPE-NAM" });
    expect(parseTag("M-LOC.NOM").role).toBe("I");
    expect(parseTag("L-X").role).toBe("E");
    expect(parseTag("U-X").role).toBe("S");
    for (const text of ["UNK", "-", "?"]) expect(parseTag(text)).toEqual({ role: "unknown", type: "", text });
  });

  it.each(["X-PER", "PER", "o", "BPER", "B_PER", ""])("is refused when it is %j", (text) => {
    expect(() => parseTag(text)).toThrow(`unknown tag ${JSON.stringify(text)} (known: O,`);
  });

  it.each(["B-", "I-", "B", "S"])("is refused when its label is empty: %j", (text) => {
    expect(() => parseTag(text)).toThrow(`the tag ${JSON.stringify(text)} has an empty label`);
  });

  it("is one object however often it is read", () => {
    const tagOf = tagReader();
    expect(tagOf("B-PER")).toBe(tagOf("B-PER"));
  });
});

describe("what tags assert", () => {
  const regions = (tags: string) => {
    const list = read(tags);
    const found = assertedRegions(list.length, (token) => list[token]!.role === "unknown", entitiesOfTags(list));
    return found.map(({ start, end }) => `${start}-${end}`).join(" ");
  };
  it.each([
    ["a sentence without unknown tags, entities and all", "O B-PER I-PER O", "0-4"],
    ["runs of O between unknown tags", "UNK O O UNK O", "1-3 4-5"],
    ["nothing of an entity beside an unknown tag, which may go on there", "UNK B-PER I-PER O UNK", "3-4"],
    ["an entity between tokens that are known", "UNK O B-PER O", "1-4"],
    ["nothing where all is unknown", "UNK UNK", ""],
  ])("is %s", (_, tags, expected) => {
    expect(regions(tags)).toBe(expected);
  });
});

describe("the rules of a scheme", () => {
  const broken = (tags: string, scheme: Scheme) =>
    [...violations(read(tags), scheme)].map(({ token, rule }) => `${token}: ${rule}`);

  it.each<[string, string, Scheme, string[]]>([
    [
      "I after O",
      "O I-PER",
      "IOB2",
      ["1: I-PER must follow a tag inside an entity of the same type in IOB2, got it after O"],
    ],
    [
      "I at the beginning",
      "I-PER",
      "IOB2",
      [
        "0: I-PER must follow a tag inside an entity of the same type in IOB2, got it after the beginning of the sentence",
      ],
    ],
    [
      "I of another type",
      "B-PER I-ORG",
      "IOB2",
      ["1: I-ORG must follow a tag inside an entity of the same type in IOB2, got it after B-PER"],
    ],
    ["B without need", "O B-PER", "IOB1", ["1: B-PER must follow an entity of the same type in IOB1, got it after O"]],
    [
      "an entity without end",
      "B-PER O",
      "BIOES",
      ["1: B-PER must be followed by the rest of its entity in BIOES, got O"],
    ],
    [
      "an entity cut off",
      "O B-PER",
      "BILOU",
      ["1: B-PER must be followed by the rest of its entity in BILOU, got the end of the sentence"],
    ],
    ["a letter of another scheme", "S-PER", "IOB2", ["0: IOB2 has no letter S (it has B I and O), got S-PER"]],
    ["M in BIOES", "B-PER M-PER E-PER", "BIOES", ["1: BIOES has no letter M (it has B I E S and O), got M-PER"]],
    [
      "I after an unknown tag",
      "UNK I-PER",
      "IOB2",
      ["1: I-PER must follow a tag inside an entity of the same type in IOB2, got it after UNK"],
    ],
  ])("are broken by %s", (_, tags, scheme, expected) => {
    expect(broken(tags, scheme)).toEqual(expected);
  });

  it("are broken in several places at once", () => {
    expect(broken("I-PER O I-ORG", "IOB2")).toHaveLength(2);
  });

  it("find no fault with a sentence without tokens", () => {
    expect([...violations([], "BIOES")]).toEqual([]);
  });
});

describe("the scheme of tags", () => {
  it.each<[string, Scheme]>([
    ["B-PER I-PER O B-ORG", "IOB2"],
    ["I-PER I-PER O I-ORG B-ORG", "IOB1"],
    ["I-PER O B-ORG", "IOB2"], // neither fits: the commoner one
    ["S-PER O", "BIOES"],
    ["B-PER M-PER E-PER", "BMES"],
    ["B-PER L-PER U-ORG", "BILOU"],
    ["O O UNK", "IOB2"],
  ])("of %s is %s", (tags, scheme) => {
    expect(detectScheme([read(tags)])).toBe(scheme);
  });

  it("has a name in any case, and other names", () => {
    expect(schemeNamed("bioes")).toBe("BIOES");
    expect(schemeNamed("BIO")).toBe("IOB2");
    expect(schemeNamed("biluo")).toBe("BILOU");
    expect(() => schemeNamed("XYZ")).toThrow('unknown tag scheme "XYZ" (known: IOB1, IOB2, BIOES, BMES, BILOU)');
  });
});
