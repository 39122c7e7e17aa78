import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it, type TestContext } from "vitest";
import { expectedMissampling, groupSentences, hiddenByMask, sparsityOf } from "../../src/evaluation/index.ts";
import { readAll } from "../../src/formats/index.ts";
import type { Sentence } from "../../src/text/index.ts";
import { columns, makeFolder, run } from "./lacuna.ts";

const corpus = columns(
  [
    "Ada/B-PER met/O Bob/B-PER in/O New/B-LOC York/I-LOC",
    "nobody/O saw/O Ada/O in/O New/O York/O",
    "Ada/B-PER slept/O",
    "Ada/O slept/O",
  ].join(" | "),
);

/** Twelve names of two types, each in ten sentences, of which every second one lost its label. */
const gappy = columns(
  Array.from({ length: 240 }, (_, i) => {
    const type = i % 2 === 0 ? "PER" : "LOC";
    return `we/O met/O ${type}${i % 24}/${i % 48 < 24 ? "O" : `B-${type}`} again/O`;
  }).join(" | "),
);

const complete = gappy.replaceAll(/(PER|LOC)(\d+)\tO/g, "$1$2\tB-$1");

/** Words without their line breaks: where lines break is for other tests. */
function joined(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

describe("check", () => {
  it("prints what the corpus holds", async () => {
    const { code, stdout, stderr } = await run(makeFolder({ "a.conll": corpus }), ["check", "a.conll"]);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout).toContain("4 documents, 4 sentences, 16 tokens, 4 entities");
    expect(stdout).toMatch(/^LOC +1 +25\.00 +6\.25 +1 +1 +2 +2 +2$/m);
    expect(stdout).toMatch(/^PER +3 +75\.00 +18\.75 +2 +1 +1 +1 +1$/m);
    expect(stdout).toMatch(/^all +4 +25\.00 +1 +2 +2$/m);
    expect(stdout).toContain("1 of 4 sentences (25.00 %) has more annotated entities than the square root");
    expect(stdout).toContain("1 sentence repeats an earlier one, 1 with other annotations.");
    expect(stdout).toContain('  "Ada slept"  document 3, sentence 1 and document 4, sentence 1');
    expect(stdout).toContain("2 of 3 names are labelled in one place and not in another (3 places)");
    expect(joined(stdout)).toContain(
      ' "Ada" PER 2, unlabelled 2: labelled at document 1, sentence 1, token 1, not at document 2, sentence 1, token 3',
    );
    expect(stdout).toContain("– (1 of 10 needed)");
  });

  it("prints the same as JSON, with fractions of 1 and positions from 0", async () => {
    const { stdout } = await run(makeFolder({ "a.conll": corpus }), ["check", "a.conll", "--json"]);
    const report = JSON.parse(stdout);
    expect(report.counts).toMatchObject({ sentences: 4, tokens: 16, entities: 4, density: 0.25 });
    expect(report.sparsity).toMatchObject({ violations: 1, share: 0.25 });
    expect(report.conflicts.examples[0]).toEqual({
      surface: "Ada",
      labelled: { PER: 2 },
      unlabelled: 2,
      labelledAt: [
        { file: "a.conll", document: 0, sentence: 0, start: 0, end: 1 },
        { file: "a.conll", document: 2, sentence: 0, start: 0, end: 1 },
      ],
      unlabelledAt: [
        { file: "a.conll", document: 1, sentence: 0, start: 2, end: 3 },
        { file: "a.conll", document: 3, sentence: 0, start: 0, end: 1 },
      ],
    });
    expect(report.sampling.scenarios.map(({ share }: { share: number }) => share)).toEqual([0.1, 0.2, 0.5, 0.8, 0.9]);
  });

  it("takes several files as one corpus, and names the file of a position", async () => {
    const folder = makeFolder({ "a.conll": corpus, "b.conll": columns("Bob/O slept/O") });
    const { stdout } = await run(folder, ["check", "a.conll", "b.conll"]);
    expect(stdout).toContain("5 documents, 5 sentences, 18 tokens, 4 entities");
    expect(joined(stdout)).toContain(
      ' "Bob" PER 1, unlabelled 1: labelled at a.conll: document 1, sentence 1, token 3, not at b.conll: document 1, sentence 1, token 1',
    );
  });

  it("works out missampling for a supposed share, and the rates within a limit", async () => {
    const args = [
      "check",
      "a.conll",
      "--missing",
      "0.5",
      "--rate",
      "1",
      "--limit",
      "0.5",
      "--max-width",
      "1",
      "--json",
    ];
    const { sampling, widths } = JSON.parse((await run(makeFolder({ "a.conll": corpus }), args)).stdout);
    expect(sampling).toMatchObject({ rate: 1, limit: 0.5, maxWidth: 1 });
    expect(widths.losses).toEqual([{ limit: 1, lost: 1, share: 0.25, byType: { LOC: 1, PER: 0 } }]);
    const [{ share, masked, missing, largestRate }] = sampling.scenarios;
    expect(share).toBe(0.5);
    // At rate 1 every word that is no label is drawn, so every hidden entity of one word is.
    expect(masked.hidden).toBe(1);
    expect(missing.hidden).toBe(1);
    // Three words are labelled; on average half of them are hidden beside the 13 others.
    expect(masked.negatives).toBeCloseTo(1.5 / (13 + 1.5), 12);
    expect(largestRate.sentences).toBeLessThan(1);
  });

  it("estimates what is missing, also from a sample, and draws it", async () => {
    const folder = makeFolder({ "a.conll": gappy, "s.conll": complete });
    const args = ["check", "a.conll", "--sample", "s.conll", "--figure", "a.svg"];
    const { code, stdout, stderr } = await run(folder, args);
    expect(code).toBe(0);
    expect(stderr).toBe("a.svg: written\n");
    expect(stdout).toMatch(/^type +labelled here, not there +sample: density +sample: names +sample: recall$/m);
    expect(stdout).toMatch(/^PER( +\d+\.\d \(\d+\.\d to \d+\.\d\)){4}$/m);
    const { missing } = JSON.parse((await run(folder, [...args, "--json", "--quiet"])).stdout);
    for (const estimates of [missing.surfaces, missing.sample.density, missing.sample.names, missing.sample.recall]) {
      for (const type of ["LOC", "PER"]) {
        const { low, high } = estimates.byType[type];
        expect(low).toBeLessThanOrEqual(0.5);
        expect(high).toBeGreaterThanOrEqual(0.5);
      }
      expect(estimates.assumes).toMatch(/^.{20,}$/);
    }
    expect(missing.sample).toMatchObject({ sentences: 240, shared: 240 });
    expect(folder.read("a.svg")).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [\s\S]*<\/svg>\n$/);
  });

  it("says of labels without conflict, read from standard input, that whole names may be missing", async () => {
    const note =
      "Names are labelled everywhere or nowhere: either little is missing, or whole names are, as when a dictionary";
    const { code, stdout } = await run(makeFolder(), ["check", "-"], complete);
    expect(code).toBe(0);
    expect(stdout).toContain("240 entities");
    expect(joined(stdout)).toContain(note);
    expect(stdout).toMatch(/^all +at most \d\.\d, or whole names$/m);
    expect((await run(makeFolder(), ["check", "-"], gappy)).stdout).not.toContain(note);
  });

  it.each([
    ["no file", ["check"], "lacuna: missing required argument 'file'"],
    [
      "a rate above 1",
      ["check", "a.conll", "--rate", "2"],
      "lacuna: option '--rate <number>' argument '2' is invalid. Expected a number from 0 to 1.",
    ],
    [
      "everything missing",
      ["check", "a.conll", "--missing", "1"],
      "lacuna: check: a missing share must be a number from 0 to below 1, got 1",
    ],
    [
      "no width",
      ["check", "a.conll", "--max-width", "0"],
      "lacuna: check: the width limit must be a whole number from 1, got 0",
    ],
    [
      "another kind of figure",
      ["check", "a.conll", "--figure", "a.png"],
      "lacuna: a.png: a figure is written as SVG, expected a name that ends in .svg",
    ],
    [
      "standard input twice",
      ["check", "-", "--sample", "-"],
      "lacuna: check: standard input can be read once only, give the other input as a file",
    ],
    ["a file that is not there", ["check", "b.conll"], "lacuna: b.conll: no such file"],
  ])("refuses %s and writes nothing", async (_, args, line) => {
    const folder = makeFolder({ "a.conll": corpus });
    expect(await run(folder, args)).toEqual({ code: 2, stdout: "", stderr: `${line}\n` });
    expect(folder.names()).toEqual(["a.conll"]);
  });
});

/** Evaluation data that is not part of the project. */
const data = fileURLToPath(new URL("../../../shared/data/conll03-distant", import.meta.url));

async function readShared(skip: TestContext["skip"], file: string): Promise<Sentence[]> {
  skip(!existsSync(data), "../shared/data/conll03-distant is not there: nothing to measure");
  return (await readAll([`${data}/${file}.conll`])).flatMap(({ sentences }) => sentences);
}

describe("CoNLL03", () => {
  it.for([
    ["train.gold", 6.8],
    ["dev", 6.09],
    ["test", 5.39],
  ] as const)(
    "%s has %d per cent of sentences with more entities than the square root of their length",
    async ([file, percent], { skip }) => {
      const { share } = sparsityOf(await readShared(skip, file));
      expect(100 * share).toBeCloseTo(percent, 2);
    },
  );

  it("train has 955 such sentences, and no length with such a mean among the 47 with at least 20 sentences", async ({
    skip,
  }) => {
    const { violations, lengths } = sparsityOf(await readShared(skip, "train.gold"));
    expect(violations).toBe(955);
    const frequent = lengths.filter(({ sentences }) => sentences >= 20);
    expect(frequent).toHaveLength(47);
    for (const { length, mean } of frequent) expect(mean).toBeLessThan(Math.sqrt(length));
  });

  it.for([
    // The second number comes from another program, the third was measured on one masked copy.
    [0.1, 0.2294, 0.228],
    [0.2, 0.4574, 0.461],
    [0.5, 1.1336, 1.16],
    [0.8, 1.7977, 1.8],
    [0.9, 2.0165, 2.01],
  ] as const)(
    "train masked at %d and drawn from at rate 0.35 has %d per cent of hidden negatives",
    async ([share, expected, measured], { skip }) => {
      const groups = groupSentences(await readShared(skip, "train.gold"));
      const negatives = 100 * expectedMissampling(groups, hiddenByMask(share), 0.35).negatives;
      expect(negatives).toBeCloseTo(expected, 4);
      expect(Math.abs(negatives / measured - 1)).toBeLessThan(0.03);
    },
  );
});

describe("check of labels that a dictionary made", () => {
  const names = ["Ada", "Bob", "Cy", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jan", "Kit", "Lea"];
  const text = names.map((name) => `${name} met ${name} and Zoe.\n`).join("");
  const dictionary = names.map((name) => `${name}\tPER\n`).join("");
  const files = { "text.txt": text, "names.tsv": dictionary };
  const label = (out: string) => ["label", "--dict", "names.tsv", "--in", "text.txt", "--out", out, "--quiet"];

  it("puts the caveat in the figure's place: 12 names are labelled everywhere and one nowhere", async () => {
    const folder = makeFolder(files);
    await run(folder, label("a.jsonl"));
    const { stdout } = await run(folder, ["check", "a.jsonl"]);
    expect(stdout).toContain("A dictionary made 24 of 24 labels (sources: names.tsv).");
    expect(stdout).toMatch(/^PER +cannot be told$/m);
    expect(stdout).toMatch(/^all +cannot be told$/m);
    expect(joined(stdout)).toContain("It cannot be told how much is missing: a dictionary made the labels");
    expect(stdout).not.toContain("0.0 (");
    const { origins, missing } = JSON.parse((await run(folder, ["check", "a.jsonl", "--json"])).stdout);
    expect(origins).toMatchObject({ labels: 24, fromDictionary: 24, sources: { "names.tsv": 24 } });
    expect(missing.surfaces.overall).toEqual({ evidence: 12, because: expect.stringContaining("a dictionary made") });
  });

  it("knows them by --dict where the file cannot say it", async () => {
    const folder = makeFolder(files);
    await run(folder, label("a.conll"));
    const silent = await run(folder, ["check", "a.conll"]);
    expect(silent.stdout).not.toContain("cannot be told");
    const told = await run(folder, ["check", "a.conll", "--dict", "names.tsv"]);
    expect(told.stdout).toContain("A dictionary made 24 of 24 labels.");
    expect(told.stdout).toMatch(/^all +cannot be told$/m);
  });

  it("still estimates by a sample", async () => {
    const folder = makeFolder({ ...files, "all.tsv": `${dictionary}Zoe\tPER\n` });
    await run(folder, label("a.jsonl"));
    await run(folder, [
      "label",
      "--dict",
      "all.tsv",
      "--in",
      "text.txt",
      "--out",
      "sample.jsonl",
      "--complete",
      "--quiet",
    ]);
    const { stdout } = await run(folder, ["check", "a.jsonl", "--sample", "sample.jsonl", "--json"]);
    const { missing } = JSON.parse(stdout);
    expect(missing.sample.recall.overall.missing).toBeCloseTo(1 / 3);
  });
});
