import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { beforeAll, expect, it } from "vitest";
import { columns, run, sharedFolder } from "./lacuna.ts";

/**
 * What a sceptic tries: every abuse ends with exit code 2 and one line that names the place and says what to do, and
 * leaves nothing behind.
 */
const lines = (...rows: unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const task = (data: object, result: object[] = []): string =>
  JSON.stringify([{ id: 1, data, annotations: [{ result }] }]);
const text = "Ada left";

const folder = sharedFolder({
  "good.conll": columns("Ada/B-PER left/O"),
  "good.txt": "Ada left.\n",
  "names.txt": "Ada\n",
  "empty.txt": "",
  "empty.jsonl": "",
  "blank.conll": "\n\n",
  "binary.conll": Buffer.from([0, 1, 2, 0xff, 0xfe]),
  "latin1.conll": Buffer.from("caf\u00e9\tB-LOC\n", "latin1"),
  "utf16.conll": Buffer.from("Ada\tB-PER\n", "utf16le"),
  "odd-utf16.conll": Buffer.concat([
    Buffer.from([0xff, 0xfe]),
    Buffer.from("Ada\tB-PER\n", "utf16le"),
    Buffer.from([1]),
  ]),
  "ragged.conll": "Ada NNP B-PER\nleft O\n",
  "tags.conll": "Ada\tPERSON\n",
  "strict.conll": "Ada\tO\nleft\tI-PER\n",
  "notes.xml": "<doc>Ada</doc>\n",
  "unknown.json": '{"sentence":"Ada","annotation":"PER"}',
  "unknown.txt": '{"sentence":"Ada","annotation":"PER"}\n',
  "annotated.jsonl": lines({ text, ner: [[0, 3, "PER"]] }),
  "number.json": "42",
  "cut.json": '[{"text":"Ada","entities":[[0,3,"PER"]]',
  "two.json": '[{"text":"Ada","entities":[]}] []',
  "outside.jsonl": lines({ text, entities: [[0, 99, "PER"]] }),
  "backwards.jsonl": lines({ text, entities: [[3, 0, "PER"]] }),
  "blank.jsonl": lines({ text, entities: [[3, 4, "PER"]] }),
  "unnamed.jsonl": lines({ text, entities: [[0, 3, ""]] }),
  "half.jsonl": lines({ text, entities: [[0.5, 3, "PER"]] }),
  "emoji.jsonl": lines({ text: "👍 Ada", label: [[1, 5, "PER"]] }),
  "both.jsonl": lines({
    text,
    entities: [
      [0, 3, "PER"],
      [0, 3, "LOC"],
    ],
  }),
  "answer.jsonl": lines({ text, spans: [], answer: "maybe" }),
  "tokens.jsonl": lines({
    text,
    spans: [],
    tokens: [
      { start: 4, end: 8 },
      { start: 0, end: 3 },
    ],
  }),
  "key.json": task({ body: text }),
  "image.json": task({ text: 7 }),
  "shifted.json": task({ text }, [{ type: "labels", value: { start: 1, end: 3, text: "Ada", labels: ["PER"] } }]),
  "nolabel.json": task({ text }, [{ type: "labels", value: { start: 0, end: 3, labels: [] } }]),
  "more-tags.jsonl": lines({ tokens: ["Ada"], ner_tags: ["B-PER", "O"] }),
  "numbers.jsonl": lines({ tokens: ["Ada"], ner_tags: [3] }),
  "not.spacy": "no DocBin",
  "bomb.spacy": deflateSync(Buffer.from([0xdd, 0xff, 0xff, 0xff, 0xff])),
  "not.parquet": "PAR1 and no more",
  "ents.jsonl": lines({ text, ents: [{ start: 0, end: 30, label: "PER" }] }),
  "three.csv": "a,b,c\n",
  "open.csv": 'name,type\n"Ada,PER\n',
  "head.csv": "name,type\n",
  "mixed.tsv": "Ada\tPER\nBob\n",
  "two-types.tsv": "Ada\tPER\n",
  "latin1.txt": Buffer.from("M\u00fcller\n", "latin1"),
  "pattern.jsonl": lines({ label: "PER", pattern: 7 }),
  "not.lexicon": "compiled?",
});

beforeAll(() => {
  mkdirSync(join(folder.path, "empty-folder"));
});

const convert = (file: string, ...more: string[]): string[] => ["convert", "--in", file, "--out", "out.jsonl", ...more];
const label = (...more: string[]): string[] => ["label", "--in", "good.txt", "--out", "out.jsonl", ...more];

const abuses: readonly [string, string[], RegExp][] = [
  ["a file that is not there", convert("none.conll"), /^none\.conll: no such file$/],
  ["a folder without documents", convert("empty-folder"), /^empty-folder: expected a file, got a directory$/],
  ["a file below a file", convert("good.txt/x"), /no such file/],
  [
    "an output in a folder that is not there",
    ["convert", "--in", "good.conll", "--out", "no/out.jsonl"],
    /the folder no does not exist/,
  ],
  [
    "a folder as output",
    ["convert", "--in", "good.conll", "--out", "empty-folder", "--to", "conll"],
    /^empty-folder: expected a file/,
  ],
  [
    "an output of no known kind",
    ["convert", "--in", "good.conll", "--out", "out.xyz"],
    /name it with --to \(known: lacuna/,
  ],
  ["an unknown format", convert("good.conll", "--from", "excel"), /'excel' is invalid\. Allowed choices are lacuna/],
  [
    "a format that is not written",
    convert("good.conll", "--to", "parquet"),
    /'parquet' is invalid\. Allowed choices are lacuna/,
  ],
  [
    "an output that is Parquet",
    ["convert", "--in", "good.conll", "--out", "out.parquet"],
    /read, not written \(--to huggingface/,
  ],
  ["an unknown encoding", convert("good.conll", "--encoding", "klingon"), /unknown encoding "klingon" \(known: utf-8/],
  ["bytes", convert("binary.conll"), /^binary\.conll:1: the line is not valid UTF-8: .*--encoding latin1$/],
  [
    "Latin-1",
    convert("latin1.conll"),
    /^latin1\.conll:1: the line is not valid UTF-8: byte 0xe9 at position 4; .*--encoding latin1$/,
  ],
  [
    "UTF-16 without a mark",
    convert("utf16.conll"),
    /^utf16\.conll: not UTF-8: it looks like UTF-16: try --encoding utf-16le$/,
  ],
  ["UTF-16 that breaks off", convert("odd-utf16.conll"), /^odd-utf16\.conll: the bytes are not valid utf-16le/],
  ["XML", convert("notes.xml"), /^notes\.xml: the format cannot be told .*--from \(known: lacuna/],
  [
    "JSON of an unknown shape",
    convert("unknown.json"),
    /unknown JSON with the keys "sentence", "annotation"; .*--from/,
  ],
  [
    "the same in a text file",
    ["label", "--dict", "names.txt", "--in", "unknown.txt", "--out", "out.jsonl"],
    /unknown JSON/,
  ],
  [
    "a text with annotations of an unknown kind",
    convert("annotated.jsonl"),
    /unknown JSON with the keys "text", "ner"/,
  ],
  [
    "JSON that is no object",
    convert("number.json", "--from", "spacy"),
    /^number\.json:1: not valid JSON: expected an object/,
  ],
  ["JSON that breaks off", convert("cut.json"), /^cut\.json:1: not valid JSON: the file ends inside the value$/],
  ["two lists", convert("two.json"), /there is more after the end of the list/],
  ["ragged columns", convert("ragged.conll"), /^ragged\.conll:2: conll: expected 3 columns, got 2 columns: "left O"$/],
  ["tags without a scheme", convert("tags.conll"), /^tags\.conll:1: conll: unknown tag "PERSON" \(known: O, /],
  [
    "tags that break their scheme, in strict mode",
    convert("strict.conll", "--strict", "--scheme", "BIO"),
    /^strict\.conll:2: /,
  ],
  ["a span beyond the text", convert("outside.jsonl"), /^outside\.jsonl:1: spacy: .*99/],
  ["a span that ends before its start", convert("backwards.jsonl"), /a span must end after its start, got \[3, 0\)$/],
  ["a span of white space", convert("blank.jsonl"), /the span \[3, 4\) holds white space only$/],
  ["an empty label", convert("unnamed.jsonl"), /a label is empty$/],
  ["half a character", convert("half.jsonl"), /must be an integer, got 0\.5$/],
  ["the middle of an emoji", convert("emoji.jsonl"), /^emoji\.jsonl:1: doccano: /],
  ["two types on a span", convert("both.jsonl"), /one span has two types: LOC \[0, 3\) and PER \[0, 3\)$/],
  ["an answer that is none", convert("answer.jsonl"), /the answer must be accept, reject or ignore, got "maybe"$/],
  ["tokens in disorder", convert("tokens.jsonl"), /tokens must follow one another, got \[0, 3\) out of order$/],
  ["a task with another key", convert("key.json"), /data has no "text"; .*--text-key \(strings: "body"\)$/],
  ["a text key that is not there", convert("key.json", "--text-key", "title"), /data has no "title"; /],
  ["a text that is a number", convert("image.json"), /data\.text must be a string, got 7$/],
  [
    "offsets that do not cover their text",
    convert("shifted.json"),
    /the result \[1, 3\) does not cover its text "Ada"$/,
  ],
  ["a region without a label", convert("nolabel.json"), /a result has no label$/],
  ["more tags than tokens", convert("more-tags.jsonl"), /expected as many tags as tokens, got 2 for 1$/],
  ["numbers without names", convert("numbers.jsonl"), /the tag 3 is a place in a list of labels: .*--labels$/],
  [
    "too few names for numbers",
    convert("numbers.jsonl", "--labels", "O,B-PER"),
    /the tag 3 is not in the list of 2 labels$/,
  ],
  ["an empty name among labels", convert("numbers.jsonl", "--labels", "O,,B"), /got an empty one/],
  ["a DocBin that is none", convert("not.spacy"), /^not\.spacy: docbin: not a DocBin: /],
  ["a DocBin that promises too much", convert("bomb.spacy"), /not a DocBin: MessagePack: the data end inside a value$/],
  ["Parquet that is none", convert("not.parquet"), /^not\.parquet: parquet: cannot be read: /],
  ["entities of spaCy beyond the text", convert("ents.jsonl"), /^ents\.jsonl:1: spacy-doc: .*30/],
  [
    "a folder of brat from standard input",
    convert("-", "--from", "brat"),
    /a folder cannot be read from standard input$/,
  ],
  ["a format that the file has not", convert("good.conll", "--from", "prodigy"), /^good\.conll:1: not valid JSON/],
  ["standard input twice", ["check", "-", "-"], /standard input can be read once only/],
  ["nothing to check", ["check", "blank.conll"], /the corpus has no sentence with a token$/],
  ["a figure that is no SVG", ["check", "good.conll", "--figure", "out.png"], /expected a name that ends in \.svg$/],
  [
    "a missing share of all",
    ["check", "good.conll", "--missing", "1"],
    /a missing share must be a number from 0 to below 1, got 1$/,
  ],
  [
    "a dictionary for check that is not there",
    ["check", "good.conll", "--dict", "none.tsv"],
    /^none\.tsv: no such file/,
  ],
  ["no dictionary", label(), /no dictionary was given \(--dict FILE\[=TYPE\]/],
  ["a dictionary that is not there", label("--dict", "none.txt"), /^none\.txt: no such file/],
  ["an empty dictionary", label("--dict", "empty.txt"), /expected at least one entry, the file has none$/],
  [
    "a table of three columns",
    label("--dict", "three.csv"),
    /a first line that names the columns \(such as name and type\)/,
  ],
  [
    "a quote that does not end",
    label("--dict", "open.csv"),
    /^open\.csv:2: dictionary: a quoted cell does not end on its line/,
  ],
  ["a table with a head alone", label("--dict", "head.csv"), /expected at least one entry/],
  [
    "a line with one column",
    label("--dict", "mixed.tsv"),
    /^mixed\.tsv:2: dictionary: expected surface<TAB>type, got 1 column/,
  ],
  [
    "a type where lines have types",
    label("--dict", "two-types.tsv=LOC"),
    /declared as "LOC", but its lines name types themselves/,
  ],
  [
    "a dictionary twice",
    label("--dict", "names.txt=A", "--dict", "./names.txt=B"),
    /declared twice, as "A" and as "B"$/,
  ],
  ["a dictionary in Latin-1", label("--dict", "latin1.txt"), /such as --dict-encoding latin1$/],
  ["a pattern that is a number", label("--dict", "pattern.jsonl"), /^pattern\.jsonl:1: /],
  ["a matcher that is none", label("--matcher", "not.lexicon"), /^not\.lexicon: /],
  ["a matcher beside a dictionary", label("--matcher", "not.lexicon", "--dict", "names.txt"), /cannot be used with/],
  [
    "one file for two outputs",
    label("--dict", "names.txt", "--report", "out.jsonl"),
    /--out and --report must be two files$/,
  ],
  ["a limit that is no number", label("--dict", "names.txt", "--limit", "many"), /Expected a whole number from 0\.$/],
  [
    "a policy that does not exist",
    label("--dict", "names.txt", "--overlaps", "shortest"),
    /Allowed choices are longest/,
  ],
];

it.each(abuses)("%s", async (_, args, message) => {
  const before = folder.names();
  const { code, stdout, stderr } = await run(folder, args);
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(/^lacuna: [^\n]+\n$/),
  });
  expect(stderr.slice("lacuna: ".length, -1)).toMatch(message);
  expect(folder.names()).toEqual(before);
  expect(existsSync(join(folder.path, "out.jsonl"))).toBe(false);
});

it("tries at least sixty", () => {
  expect(new Set(abuses.map(([name]) => name)).size).toBeGreaterThanOrEqual(60);
});
