import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { readAll } from "../src/formats/index.ts";
import { type Sentence, tokenCount, tokenise, tokenTexts } from "../src/text/index.ts";

/** What the generator, a plain script, says of a sentence: entities are character offsets. */
interface Made {
  readonly text: string;
  readonly entities: readonly { readonly start: number; readonly end: number; readonly type: string }[];
  readonly pattern: string;
}
type Split = "train" | "dev" | "test";
interface Sample {
  readonly splits: Readonly<Record<Split, readonly Made[]>>;
  readonly files: Readonly<Record<string, string>>;
}

const splitNames: readonly Split[] = ["train", "dev", "test"];
const types = ["LOC", "ORG", "PER", "PROD"];
const pathOf = (name: string): string => fileURLToPath(new URL(`../samples/${name}`, import.meta.url));
const contentOf = (name: string): string => readFileSync(pathOf(name), "utf8");

let generate: (seed?: number) => Sample;
let sample: Sample;
const read = {} as Record<Split, readonly Sentence[]>;

beforeAll(async () => {
  ({ generate } = await import(new URL("../scripts/sample/generate.mjs", import.meta.url).href));
  sample = generate();
  for (const split of splitNames) {
    const documents = await readAll([pathOf(`${split}.conll`)], { strict: true, scheme: "IOB2" });
    read[split] = documents.flatMap((document) => document.sentences);
  }
});

interface Mention {
  readonly surface: string;
  readonly type: string;
}

function mentions(split: Split): Mention[] {
  return sample.splits[split].flatMap(({ text, entities }) =>
    entities.map(({ start, end, type }) => ({ surface: text.slice(start, end), type })),
  );
}

function share<T>(items: readonly T[], holds: (item: T) => boolean): number {
  return items.filter(holds).length / items.length;
}

/** The types under which each surface is mentioned. */
function typesBySurface(found: readonly Mention[]): Map<string, Set<string>> {
  const known = new Map<string, Set<string>>();
  for (const { surface, type } of found) known.set(surface, (known.get(surface) ?? new Set()).add(type));
  return known;
}

describe("the files of the sample", () => {
  it("are what the generator gives, byte for byte", () => {
    expect(Object.keys(sample.files).sort()).toEqual([
      "dev.conll",
      "dictionary.tsv",
      "raw.txt",
      "test.conll",
      "train.conll",
    ]);
    for (const [name, content] of Object.entries(sample.files)) expect(contentOf(name) === content, name).toBe(true);
  });

  it("depend on the seed alone", () => {
    const again = generate(77).files;
    expect(generate(77).files).toEqual(again);
    for (const [name, content] of Object.entries(again)) expect(content, name).not.toBe(sample.files[name]);
  });

  it("have the promised number of sentences and stay small", () => {
    expect(read.train.length).toBeGreaterThanOrEqual(2400);
    expect(read.dev.length).toBeGreaterThanOrEqual(500);
    expect(read.test.length).toBeGreaterThanOrEqual(700);
    const bytes = Object.keys(sample.files).reduce((sum, name) => sum + readFileSync(pathOf(name)).length, 0);
    expect(bytes).toBeLessThan(600_000);
  });

  it("have the figures that their README gives", () => {
    const readme = contentOf("README.md");
    const figure = (value: number): string => value.toLocaleString("en-GB");
    for (const split of splitNames) {
      const tokens = read[split].reduce((sum, sentence) => sum + tokenCount(sentence), 0);
      const counts = [read[split].length, tokens, mentions(split).length].map(figure);
      expect(readme).toContain(
        `\`${split}.conll\` | ${counts[0]} sentences, ${counts[1]} tokens, ${counts[2]} entities`,
      );
    }
    for (const type of types) {
      const count = mentions("train").filter((mention) => mention.type === type).length;
      expect(readme).toMatch(new RegExp(`\\| \`${type}\` \\|.*\\| ${figure(count)} \\|`));
    }
    expect(readme).toContain(`${contentOf("dictionary.tsv").trimEnd().split("\n").length} entries`);
  });

  it("hold the tokens and entities that the project's tokeniser finds in the natural text, a sentence each", () => {
    for (const split of splitNames) {
      expect(read[split]).toHaveLength(sample.splits[split].length);
      for (const [i, { text, entities }] of sample.splits[split].entries()) {
        const cut = tokenise(text);
        expect(cut.sentences, text).toHaveLength(1);
        expect(tokenTexts(read[split][i]!)).toEqual(tokenTexts(cut.sentences[0]!));
        expect(read[split][i]!.entities).toEqual(tokenise(text, { entities }).sentences[0]!.entities);
      }
    }
  });
});

describe("the sentences of the sample", () => {
  it("come once only, in no two splits", () => {
    const texts = splitNames.flatMap((split) =>
      read[split].map((sentence) => tokenTexts(sentence).join(" ").toLowerCase()),
    );
    expect(new Set(texts).size).toBe(texts.length);
  });

  it("come from hundreds of patterns, of which dev and test have many of their own", () => {
    const patterns = (split: Split): Set<string> => new Set(sample.splits[split].map(({ pattern }) => pattern));
    const [train, dev, test] = splitNames.map(patterns) as [Set<string>, Set<string>, Set<string>];
    expect(new Set([...train, ...dev, ...test]).size).toBeGreaterThanOrEqual(500);
    for (const split of ["dev", "test"] as const) {
      expect(
        share(sample.splits[split], ({ pattern }) => !train.has(pattern)),
        split,
      ).toBeGreaterThanOrEqual(0.45);
    }
    expect([...dev].filter((pattern) => test.has(pattern) && !train.has(pattern))).toEqual([]);
  });

  it("have no entity in about a quarter of the cases and several in more than half", () => {
    for (const split of splitNames) {
      const without = share(read[split], ({ entities }) => entities.length === 0);
      expect(without, split).toBeGreaterThanOrEqual(0.2);
      expect(without, split).toBeLessThanOrEqual(0.3);
      expect(
        share(read[split], ({ entities }) => entities.length > 1),
        split,
      ).toBeGreaterThan(0.5);
    }
  });

  it("are short and long", () => {
    for (const split of splitNames) {
      expect(
        share(read[split], (sentence) => tokenCount(sentence) <= 5),
        split,
      ).toBeGreaterThan(0.05);
      expect(
        share(read[split], (sentence) => tokenCount(sentence) >= 30),
        split,
      ).toBeGreaterThan(0.02);
      expect(Math.max(...read[split].map(tokenCount)), split).toBeLessThanOrEqual(55);
    }
  });
});

describe("the entities of the sample", () => {
  it("have four types, each with a tenth of the mentions at least, in every split", () => {
    for (const split of splitNames) {
      const found = mentions(split);
      expect([...new Set(found.map(({ type }) => type))].sort()).toEqual(types);
      for (const type of types)
        expect(
          share(found, (mention) => mention.type === type),
          split,
        ).toBeGreaterThan(0.1);
    }
  });

  it("are new to four tenths and more in dev and test, counted by mention and by surface", () => {
    const known = new Set(mentions("train").map(({ surface }) => surface));
    for (const split of ["dev", "test"] as const) {
      const surfaces = mentions(split).map(({ surface }) => surface);
      const isNew = (surface: string): boolean => !known.has(surface);
      expect(share(surfaces, isNew), split).toBeGreaterThanOrEqual(0.4);
      expect(share([...new Set(surfaces)], isNew), split).toBeGreaterThanOrEqual(0.4);
    }
  });

  it("share names between types, so that the surface alone does not tell", () => {
    const known = typesBySurface(mentions("train"));
    const ambiguous = new Set([...known].filter(([, { size }]) => size > 1).map(([surface]) => surface));
    expect(ambiguous.size).toBeGreaterThanOrEqual(40);
    expect(share(mentions("train"), ({ surface }) => ambiguous.has(surface))).toBeGreaterThan(0.08);
    const otherType = ({ surface, type }: Mention): boolean => known.get(surface)?.has(type) === false;
    expect(mentions("test").filter(otherType).length).toBeGreaterThanOrEqual(10);
  });

  it("have names that are words in other places", () => {
    for (const word of ["may", "will", "rose", "mark", "apple", "hope"]) {
      const words = read.train.flatMap((sentence) => {
        const inside = (i: number): boolean => sentence.entities.some(({ start, end }) => start <= i && i < end);
        return tokenTexts(sentence).flatMap((token, i) => (token.toLowerCase() === word ? [inside(i)] : []));
      });
      expect(new Set(words), word).toEqual(new Set([true, false]));
    }
  });

  it("are written without capitals in chat and in capitals in headlines", () => {
    const surfaces = mentions("train").map(({ surface }) => surface);
    expect(surfaces.filter((surface) => !/\p{Lu}/u.test(surface)).length).toBeGreaterThan(200);
    expect(surfaces.filter((surface) => /^[\p{Lu}\P{L}]{6,}$/u.test(surface)).length).toBeGreaterThan(20);
  });

  it("hold names of other types inside, of which the outer one is labelled", () => {
    const places = new Set(mentions("train").flatMap(({ surface, type }) => (type === "LOC" ? [surface] : [])));
    const inner = ({ surface, type }: Mention): boolean =>
      type !== "LOC" && surface.split(" ").some((word) => word !== surface && places.has(word));
    expect(mentions("train").filter(inner).length).toBeGreaterThan(100);
  });
});

describe("the dictionary of the sample", () => {
  const lines = contentOf("dictionary.tsv").trimEnd().split("\n");
  const entries = lines.map((line) => line.split("\t") as [string, string]);

  it("is a sorted list of surfaces and types without repetition", () => {
    expect(entries.every((entry) => entry.length === 2 && entry[0] !== "" && types.includes(entry[1]))).toBe(true);
    expect(lines).toEqual([...new Set(lines)].sort());
  });

  it("knows about four tenths of the training mentions", () => {
    const known = new Set(lines);
    const covered = share(mentions("train"), ({ surface, type }) => known.has(`${surface}\t${type}`));
    expect(covered).toBeGreaterThanOrEqual(0.36);
    expect(covered).toBeLessThanOrEqual(0.44);
  });

  it("has ambiguous entries, wrong ones, and some of which the text knows nothing", () => {
    const byDictionary = typesBySurface(entries.map(([surface, type]) => ({ surface, type })));
    expect([...byDictionary.values()].filter(({ size }) => size > 1).length).toBeGreaterThanOrEqual(15);
    const byText = typesBySurface(mentions("train"));
    expect(entries.filter(([surface, type]) => byText.get(surface)?.has(type) === false).length).toBeGreaterThanOrEqual(
      10,
    );
    expect(entries.filter(([surface]) => !byText.has(surface)).length).toBeGreaterThanOrEqual(10);
  });
});

describe("the raw text of the sample", () => {
  it("is some sixty paragraphs of natural text, long and short, none of them from the training sentences", () => {
    const paragraphs = contentOf("raw.txt").trimEnd().split("\n\n");
    expect(paragraphs.length).toBeGreaterThanOrEqual(55);
    expect(paragraphs.length).toBeLessThanOrEqual(65);
    expect(paragraphs.every((paragraph) => !/[\n\t<>[\]{}]| {2}/.test(paragraph))).toBe(true);
    expect(paragraphs.filter((paragraph) => tokenise(paragraph).sentences.length >= 3).length).toBeGreaterThanOrEqual(
      25,
    );
    const training = new Set(sample.splits.train.map(({ text }) => text));
    expect(paragraphs.filter((paragraph) => training.has(paragraph))).toEqual([]);
  });
});
