import { describe, expect, it } from "vitest";
import { columns, type Folder, makeFolder, outcomeOf, run, start, until } from "./lacuna.ts";

const people = "Ada Lovelace\nBob\nMay\n";
const places = "Rome\tLOC\nBob\tLOC\nNew York\tLOC\n";
const story = "Ada Lovelace met Bob in New York.\n\nIn May she left Rome.\n";

interface OwnSentence {
  readonly tokens: number[];
  readonly entities?: { start: number; end: number; type: string; provenance: object }[];
  readonly unsure?: object[];
  readonly complete?: object[];
}

/** The sentences of a file in Lacuna's own format. */
function sentencesIn(content: string): OwnSentence[] {
  const documents = content
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { sentences: OwnSentence[] });
  return documents.flatMap(({ sentences }) => sentences);
}

const folderOf = (more: Readonly<Record<string, string | Buffer>> = {}): Folder =>
  makeFolder({ "people.txt": people, "places.tsv": places, "story.txt": story, ...more });

const dictionaries = ["--dict", "people.txt=PER", "--dict", "places.tsv"];

describe("label", () => {
  it("labels plain text, each label with its dictionary and entry, and reports on standard error", async () => {
    const folder = folderOf();
    const outcome = await run(folder, ["label", ...dictionaries, "--in", "story.txt", "--out", "out.jsonl"]);
    expect(outcome).toEqual({
      code: 0,
      stdout: "",
      stderr: [
        "labels: 2 LOC, 2 PER; matches: 4 entity, 1 ambiguous",
        "most labels:",
        "  May           PER  1 label",
        "  Rome          LOC  1 label",
        "  New York      LOC  1 label",
        "  Ada Lovelace  PER  1 label",
        "several types, left unknown (--conflicts says what they become):",
        "  Bob  PER, LOC  1 match",
        "out.jsonl: 2 documents, 2 sentences, 14 tokens, 4 entities",
        "",
      ].join("\n"),
    });
    expect(sentencesIn(folder.read("out.jsonl")).map(({ entities }) => entities)).toEqual([
      [
        { start: 0, end: 2, type: "PER", provenance: { source: "people.txt", entry: "Ada Lovelace" } },
        { start: 5, end: 7, type: "LOC", provenance: { source: "places.tsv", entry: "New York" } },
      ],
      [
        { start: 1, end: 2, type: "PER", provenance: { source: "people.txt", entry: "May" } },
        { start: 4, end: 5, type: "LOC", provenance: { source: "places.tsv", entry: "Rome" } },
      ],
    ]);
  });

  it("labels columns and says what they cannot hold", async () => {
    const folder = folderOf({ "a.conll": columns("BOB/O saw/O Rome/O") });
    const args = ["label", "--dict", "places.tsv", "--ignore-case", "--in", "a.conll", "--out", "b.conll"];
    const { code, stderr } = await run(folder, args);
    expect(code).toBe(0);
    expect(folder.read("b.conll").trimEnd()).toBe(columns("BOB/B-LOC saw/O Rome/B-LOC").trimEnd());
    expect(stderr).toMatch(
      /^b\.conll: left out sources of labels \(2\), such as LOC "BOB" from "places\.tsv"\n[\s\S]*\nb\.conll: 1 document/,
    );
  });

  it("streams standard input to standard output", async () => {
    const args = ["label", ...dictionaries, "--in", "-", "--from", "text", "--out", "-", "--quiet"];
    const { code, stdout, stderr } = await run(folderOf(), args, "Rome\r\n\r\nno name\n");
    expect([code, stderr]).toEqual([0, ""]);
    expect(sentencesIn(stdout).map(({ entities = [] }) => entities.map(({ type }) => type))).toEqual([["LOC"], []]);
  });

  it("keeps stop-listed and ambiguous matches out of what it declares complete, and marks undecided ones", async () => {
    const folder = folderOf({ "stop.txt": "May\n", "phrases.txt": "left\n" });
    const flags = ["--stop", "stop.txt", "--unsure", "phrases.txt", "--complete"];
    await run(folder, ["label", ...dictionaries, ...flags, "--in", "story.txt", "--out", "out.jsonl"]);
    const [first, second] = sentencesIn(folder.read("out.jsonl"));
    expect(first!.complete).toEqual([
      { start: 0, end: 3 },
      { start: 4, end: 8 },
    ]);
    expect(second).toMatchObject({
      unsure: [{ start: 3, end: 4 }],
      complete: [
        { start: 0, end: 1 },
        { start: 2, end: 3 },
        { start: 4, end: 6 },
      ],
    });
    await run(folder, ["label", ...dictionaries, "--complete", "LOC", "--in", "story.txt", "--out", "out.jsonl"]);
    expect(sentencesIn(folder.read("out.jsonl"))[1]!.complete).toEqual([{ start: 0, end: 6, types: ["LOC"] }]);
  });

  it("writes a report and judges the labels by a sample", async () => {
    const sample = columns("Ada/B-PER Lovelace/I-PER in/O May/O | Rome/B-LOC and/O Oslo/B-LOC");
    const folder = folderOf({ "sample.conll": sample });
    const flags = ["--sample", "sample.conll", "--report", "report.json", "--limit", "1", "--json"];
    const args = ["label", ...dictionaries, "--in", "story.txt", "--out", "out.jsonl", ...flags];
    const { code, stdout, stderr } = await run(folder, args);
    expect(code).toBe(0);
    const report = JSON.parse(folder.read("report.json"));
    expect(JSON.parse(stdout)).toEqual(report);
    expect(report).toMatchObject({
      documents: 2,
      outcomes: { entity: 4, ambiguous: 1 },
      types: { LOC: 2, PER: 2 },
      surfaces: { total: 5, matched: 5, ambiguous: 1 },
      ambiguous: [{ surface: "Bob", types: ["PER", "LOC"], contexts: ["Ada Lovelace met [Bob] in New York."] }],
      neverMatched: [],
      sample: { right: 2, wrong: 1, unjudged: 0, recall: 2 / 3, wrongEntries: [{ entry: "May", right: 0, wrong: 1 }] },
    });
    expect(report.frequent).toHaveLength(1);
    expect(stderr).toMatch(
      /^labels: 2 LOC, 2 PER; matches: 4 entity, 1 ambiguous\n[\s\S]*\nsample\.conll: precision 66\.7 % \(20\.8 % to 93\.9 %\) on 3 labels/,
    );
  });

  it("labels the same from a compiled matcher", async () => {
    const folder = folderOf();
    const rest = ["--in", "story.txt", "--quiet"];
    await run(folder, ["label", ...dictionaries, ...rest, "--out", "a.jsonl", "--save-matcher", "d.lexicon"]);
    await run(folder, ["label", "--matcher", "d.lexicon", ...rest, "--out", "b.jsonl"]);
    expect(folder.read("b.jsonl")).toBe(folder.read("a.jsonl"));
    expect(sentencesIn(folder.read("b.jsonl"))).toHaveLength(2);
    const both = await run(folder, ["label", "--matcher", "d.lexicon", ...dictionaries, ...rest, "--out", "c.jsonl"]);
    expect(both.code).toBe(2);
    expect(both.stderr).toMatch(/--matcher.*cannot be used with.*--dict/);
  });

  it("gives the same bytes in the same order whatever the number of threads", async () => {
    const lines = Array.from({ length: 12_000 }, (_, i) => `Bob ${i} went to New York and Rome with Ada Lovelace`);
    const folder = folderOf({ "long.txt": lines.join("\n") });
    const args = [
      "label",
      ...dictionaries,
      "--conflicts",
      "candidates",
      "--in",
      "long.txt",
      "--json",
      "--report",
      "r.json",
    ];
    const alone = await run(folder, [...args, "--workers", "0", "--out", "alone.jsonl"]);
    const threaded = await run(folder, [...args, "--workers", "3", "--out", "threaded.jsonl"]);
    expect([alone.code, threaded.code]).toEqual([0, 0]);
    expect(folder.read("threaded.jsonl") === folder.read("alone.jsonl")).toBe(true);
    expect(threaded.stdout).toBe(alone.stdout);
    expect(JSON.parse(alone.stdout)).toMatchObject({ documents: 12_000, entities: 60_000, types: { LOC: 36_000 } });
  });
});

describe("what label says of a biomedical dictionary", () => {
  const entries = [
    "aspirin,DRUG",
    "At,GENE",
    "as,GENE",
    "SE,DISEASE",
    '"valproic acid, sodium",DRUG',
    "cold,DISEASE",
    "cold,DRUG",
  ];
  const dictionary = `name,type\n${entries.join("\n")}\nnever seen,DRUG\n`;
  const notes = Array.from({ length: 12 }, (_, i) => [
    `At dose ${i} aspirin was as good as valproic acid, sodium at night.`,
    `The SE was at ${i}, as at rest; a cold as before.`,
  ])
    .flat()
    .join("\n");
  const label = (...more: string[]) => [
    "label",
    "--dict",
    "terms.csv",
    "--in",
    "notes.txt",
    "--out",
    "out.jsonl",
    ...more,
  ];
  const folder = () => makeFolder({ "terms.csv": dictionary, "notes.txt": `${notes}\n` });

  it("shows what has most labels, what is suspicious and why, what is ambiguous and what was never found", async () => {
    const { code, stderr } = await run(folder(), label());
    expect(code).toBe(0);
    expect(stderr).toMatch(/^most labels:\n {2}as +GENE +48 labels\n/m);
    const [, suspicious] = /^suspicious, to look at .*:\n((?: {2}.*\n)+)/m.exec(stderr)!;
    expect(
      suspicious!
        .trimEnd()
        .split("\n")
        .map((line) => line.trim().split(/ {2,}/)),
    ).toEqual([
      ["as", "GENE", "48 labels", "only 2 characters"],
      ["At", "GENE", "12 labels", 'a common word? "at" stands 36 times in small letters'],
      ["SE", "DISEASE", "12 labels", "only 2 characters"],
    ]);
    expect(stderr).toMatch(/^several types, left unknown .*:\n {2}cold +DISEASE, DRUG +12 matches\n/m);
    expect(stderr).toContain('never found: 1 of 7 surfaces, such as "never seen"\n');
  });

  it("limits every list, on the terminal and in the report", async () => {
    const work = folder();
    work.write("sample.conll", columns("as/O SE/O At/O aspirin/B-DRUG"));
    const { stderr } = await run(work, label("--limit", "1", "--report", "r.json", "--sample", "sample.conll"));
    expect(stderr.match(/^ {2}\S/gm)).toHaveLength(3);
    const { frequent, suspicious, ambiguous, neverMatched, sample } = JSON.parse(work.read("r.json"));
    for (const list of [frequent, suspicious, ambiguous, neverMatched, sample.wrongEntries])
      expect(list).toHaveLength(1);
    const none = await run(work, label("--limit", "0"));
    expect(none.stderr).not.toMatch(/^ {2}\S/m);
  });

  it("names every format once", async () => {
    const { stdout } = await run(folder(), ["label", "--help"]);
    const [, choices] = /--from <format>[^(]*\(choices: ([^)]*)\)/.exec(stdout.replaceAll(/\s+/g, " "))!;
    const names = choices!.split(", ");
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('"text"');
  });
});

describe("a warning tells why nothing was labelled", () => {
  const warning = async (files: Readonly<Record<string, string>>, ...flags: string[]): Promise<string> => {
    const folder = makeFolder({ "in.txt": "Ada went to Rome in May.\n", "d.txt": "ada\nrome\n", ...files });
    const { code, stderr } = await run(folder, [
      "label",
      "--dict",
      "d.txt=X",
      "--in",
      "in.txt",
      "--out",
      "o.jsonl",
      ...flags,
    ]);
    expect(code).toBe(0);
    return /^warning: no entity was labelled: (.*)$/m.exec(stderr)?.[1] ?? "";
  };

  it("no surface stands in the text", async () => {
    expect(await warning({})).toMatch(
      /^none of 2 surfaces stands in the text; letter case may differ \(--ignore-case\); /,
    );
    expect(await warning({}, "--ignore-case")).toBe("");
  });

  it("the input is empty", async () => {
    expect(await warning({ "in.txt": "\n\n" })).toBe("the input holds no text");
  });

  it("the columns stand the other way round", async () => {
    const words =
      "one two three four five six seven eight nine ten and so on up to twenty or more still rather many".split(" ");
    const turned = words.map((word) => `X\t${word}\n`).join("");
    const folder = makeFolder({ "in.txt": "one two\n", "d.tsv": turned });
    const { stderr } = await run(folder, ["label", "--dict", "d.tsv", "--in", "in.txt", "--out", "o.jsonl"]);
    expect(stderr).toContain("names 21 types: its columns may stand the other way round (--columns)");
  });

  it.each([
    ["a stop list", { "stop.txt": "Rome\n", "d.txt": "Rome\n" }, ["--stop", "stop.txt"], "on the stop list, "],
    [
      "annotations that are there",
      { "in.txt": "x", "a.conll": columns("Rome/B-LOC"), "d.txt": "Rome\n" },
      ["--in", "a.conll"],
      "where the input is annotated already (--replace)",
    ],
  ])("%s", async (_, files, flags, reason) => {
    expect(await warning(files, ...flags)).toContain(`1 match stays unknown, 1 ${reason}`);
  });
});

describe("label refuses, and leaves the output alone", () => {
  it.each<[string, Readonly<Record<string, string | Buffer>>, readonly string[], string | RegExp]>([
    ["no dictionary", {}, [], /^label: no dictionary was given \(--dict FILE\[=TYPE\]/],
    ["a missing dictionary", {}, ["--dict", "no.txt=X"], "no.txt: no such file or directory"],
    ["a type without a name", {}, ["--dict", "people.txt="], /^label: expected --dict FILE=TYPE, got "people\.txt="/],
    ["an empty dictionary", { "d.txt": "\n" }, ["--dict", "d.txt"], /^d\.txt: dictionary: expected at least one entry/],
    [
      "a malformed line",
      { "d.tsv": "a\tX\nb\n" },
      ["--dict", "d.tsv"],
      /^d\.tsv:2: dictionary: expected surface<TAB>type/,
    ],
    [
      "a binary dictionary",
      { "d.txt": Buffer.from([0x61, 0x0a, 0xff, 0x00]) },
      ["--dict", "d.txt"],
      "d.txt:2: expected lines of UTF-8 text, found bytes that are none; " +
        "if it is text in another encoding, name it, such as --dict-encoding latin1",
    ],
    [
      "binary text",
      { "in.txt": Buffer.from([0x61, 0, 0xff]) },
      ["--dict", "people.txt", "--in", "in.txt"],
      /^in\.txt:1: /,
    ],
    [
      "two types for one dictionary",
      {},
      ["--dict", "people.txt=PER", "--dict", "./people.txt=LOC"],
      './people.txt: label: declared twice, as "PER" and as "LOC"',
    ],
    [
      "a dictionary that is typed and untyped",
      {},
      ["--dict", "people.txt", "--unsure", "people.txt"],
      "people.txt: label: declared twice, with the types it names and without types",
    ],
    [
      "a type for a dictionary that names types",
      {},
      ["--dict", "places.tsv=X"],
      /^places\.tsv:1: dictionary: declared as "X"/,
    ],
    [
      "a damaged matcher",
      { "d.lexicon": "nonsense, but long enough" },
      ["--matcher", "d.lexicon"],
      /^d\.lexicon: compiled dict/,
    ],
    [
      "one file for two outputs",
      {},
      ["--dict", "people.txt", "--report", "out.jsonl"],
      "out.jsonl: --out and --report must be two files",
    ],
    ["an unknown policy", {}, ["--dict", "people.txt", "--overlaps", "shortest"], /shortest.*longest, squared, drop/],
    ["a length of nothing", {}, ["--dict", "people.txt", "--min-length", "0"], /--min-length.*whole number from 1/],
  ])("%s", async (_, files, flags, message) => {
    const folder = folderOf({ "out.jsonl": "as before", ...files });
    const before = folder.names();
    const input = flags.includes("--in") ? [] : ["--in", "story.txt"];
    const { code, stdout, stderr } = await run(folder, ["label", ...input, "--out", "out.jsonl", ...flags]);
    expect(stderr).toMatch(/^lacuna: [^\n]+\n$/);
    expect(stderr.slice("lacuna: ".length, -1)).toEqual(
      typeof message === "string" ? message : expect.stringMatching(message),
    );
    expect([code, stdout]).toEqual([2, ""]);
    expect(folder.read("out.jsonl")).toBe("as before");
    expect(folder.names()).toEqual(before);
  });

  it.each([
    ["--workers", "0"],
    ["--workers", "2"],
  ])("an interrupted run leaves nothing half-written (%s %s)", async (...workers) => {
    const folder = folderOf({ "out.jsonl": "as before" });
    const child = start(
      folder,
      "label",
      ...dictionaries,
      "--in",
      "-",
      "--from",
      "text",
      "--out",
      "out.jsonl",
      ...workers,
    );
    child.stdin.on("error", () => {});
    child.stdin.write("Bob is in Rome, and that is all we know.\n".repeat(20_000));
    await until(() => folder.names().some((name) => name.endsWith(".tmp")));
    child.kill("SIGINT");
    expect(await outcomeOf(child)).toEqual({ code: 130, stdout: "", stderr: "" });
    expect(folder.read("out.jsonl")).toBe("as before");
    expect(folder.names()).toEqual(["out.jsonl", "people.txt", "places.tsv", "story.txt"]);
  });
});
