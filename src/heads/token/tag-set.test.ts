import { describe, expect, it } from "vitest";
import { entitiesOfTags, parseTag, type Scheme, type Tag, tagsOfEntities, violations } from "../../text/index.ts";
import { type TagScheme, tagSet } from "./tag-set.ts";

const types = ["LOC", "PER"];
const cases: [TagScheme, Scheme, number][] = [
  ["bio", "IOB2", 5],
  ["bmeso", "BMES", 9],
];

describe.each(cases)("the tags of %s", (scheme, name, size) => {
  const tags = tagSet(types, scheme);
  const entities = [
    { start: 0, end: 1, type: "PER" },
    { start: 1, end: 4, type: "LOC" },
    { start: 4, end: 6, type: "LOC" },
  ];
  /** As files write it. */
  const written = (tag: number): Tag => {
    const { text } = tags.tags[tag]!;
    return parseTag(scheme === "bmeso" ? text.replace(/^I/, "M") : text);
  };

  it("are O and those of each type", () => {
    expect(tags.size).toBe(size);
    expect(tags.tags.length).toBe(size);
    expect(tags.tags[0]!.text).toBe("O");
  });

  it("write a sentence as files do, and are read back", () => {
    const encoded = tags.encode(7, entities);
    expect(Array.from(encoded, (tag) => written(tag).text)).toEqual(tagsOfEntities(7, entities, name));
    expect(entitiesOfTags(Array.from(encoded, (tag) => tags.tags[tag]!))).toEqual(entities);
  });

  it("may follow one another exactly where the scheme has no objection", () => {
    const all = [...tags.tags.keys()];
    for (const from of all) {
      for (const to of all) {
        // Before and after stands what makes this pair the only question.
        const pair = [written(from), written(to)];
        const broken = [...violations(pair, name)].some(({ token }) => token === 1);
        const closes = scheme === "bio" || !["B", "I"].includes(pair[1]!.role);
        if (closes) expect(tags.legal(from, to), `${pair[0]!.text} ${pair[1]!.text}`).toBe(!broken);
      }
      expect(tags.legal(undefined, from)).toBe(["O", "B", "S"].includes(tags.tags[from]!.role));
      expect(tags.legal(from, undefined)).toBe(scheme === "bio" || !["B", "I"].includes(tags.tags[from]!.role));
    }
  });

  it("have those of the extra type behind the others, which read as O", () => {
    const more = tagSet(types, scheme, { extra: true });
    expect(more.size).toBe(size + (scheme === "bio" ? 2 : 4));
    expect([...more.encode(7, entities)]).toEqual([...tags.encode(7, entities)]);
    const extra = more.encodeExtra(6, [
      { start: 0, end: 3 },
      { start: 4, end: 5 },
    ]);
    expect([...extra]).toEqual(
      scheme === "bio" ? [size, size + 1, size + 1, 0, size, 0] : [size, size + 1, size + 2, 0, size + 3, 0],
    );
    expect(entitiesOfTags(Array.from(extra, (tag) => more.tags[tag]!))).toEqual([]);
    expect(more.legal(size, size + 1)).toBe(true);
    expect(more.legal(1, size + 1)).toBe(false);
    expect(more.legal(0, size + 1)).toBe(false);
  });
});

it("a type that is called NON is a type like the others", () => {
  const tags = tagSet(["NON"], "bio", { extra: true });
  const entity = { start: 0, end: 2, type: "NON" };
  expect(entitiesOfTags(Array.from(tags.encode(2, [entity]), (tag) => tags.tags[tag]!))).toEqual([entity]);
});
