// How dictionary labels compare with the published distant labels of EC and NEWS, and with the human ones of BC5CDR.
// Run `npm run build` first, then: node experiments/labelling/run.mjs [DATA] > experiments/labelling/results.jsonl
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const data = process.argv[2] ?? join(root, "../shared/data");
const program = join(root, "dist/cli/main.js");

const dictionary = (path, type) => ["--dict", join(data, "dict", type === undefined ? path : `${path}=${type}`)];
const ecTypes = { Brand: "pp", Product: "cp", Model: "xh", Specification: "gg" };
const ec = Object.entries(ecTypes).flatMap(([name, type]) => dictionary(`ec/${name}`, type));
const ecAll = [...ec, ...dictionary("ec/Material", "yl")];
const news = ["PERSON", "Additional Name"].flatMap((name) => dictionary(`news/${name}`, "PER"));
const core = [...dictionary("bc5cdr/dict_core.txt"), "--columns", "type-surface"];
const full = ["--unsure", join(data, "dict/bc5cdr/dict_full.txt")];
const stop = ["--stop", join(data, "dict/bc5cdr/stopwords.txt")];

/** Name, flags, the file whose text is labelled and the files to compare with. */
const studies = [
  ["ec: all five dictionaries, exact case", [...ecAll, "--whitespace", "ignore"], "ec/train.distant"],
  ["ec: without materials, exact case", [...ec, "--whitespace", "ignore"], "ec/train.distant"],
  ["ec: without materials, any case", [...ec, "--whitespace", "ignore", "--ignore-case"], "ec/train.distant"],
  ["news: longest match", news, "news/train.distant"],
  ["news: squared lengths", [...news, "--overlaps", "squared"], "news/train.distant"],
  [
    "ec: any case, on the part that people labelled",
    [...ecAll, "--whitespace", "ignore", "--ignore-case"],
    "ec/train.annotated",
  ],
  ["news: on the part that people labelled", news, "news/train.annotated"],
  // The dictionaries hold the surfaces of the annotated part; only other text shows how good their labels are.
  ["ec: any case, on dev", [...ecAll, "--whitespace", "ignore", "--ignore-case"], "ec/dev"],
  ["news: on dev", news, "news/dev"],
  ["bc5cdr: core, exact case", core, "bc5cdr-distant/train.gold", "bc5cdr-distant/train"],
  ["bc5cdr: core, any case", [...core, "--ignore-case"], "bc5cdr-distant/train.gold"],
  ["bc5cdr: core, any case, stop list", [...core, "--ignore-case", ...stop], "bc5cdr-distant/train.gold"],
  ["bc5cdr: core, any case, full as undecided", [...core, "--ignore-case", ...full], "bc5cdr-distant/train.gold"],
  [
    "bc5cdr: core, any case, full as undecided, squared lengths, stop list",
    [...core, "--ignore-case", ...full, ...stop, "--overlaps", "squared"],
    "bc5cdr-distant/train.gold",
  ],
];

function lacuna(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(`lacuna ${args.join(" ")}: ${stderr}`);
  return stdout;
}

const folder = mkdtempSync(join(tmpdir(), "lacuna-labelling-"));
try {
  for (const [name, flags, ...golds] of studies) {
    const labelled = join(folder, "labelled.conll");
    const text = join(data, `${golds[0]}.conll`);
    lacuna("label", ...flags, "--replace", "--in", text, "--out", labelled, "--quiet");
    for (const gold of golds) {
      const scores = JSON.parse(
        lacuna("evaluate", "--gold", join(data, `${gold}.conll`), "--pred", labelled, "--json"),
      );
      const { precision, recall, f1, support, byType } = scores;
      const date = new Date().toISOString().slice(0, 10);
      process.stdout.write(`${JSON.stringify({ name, gold, precision, recall, f1, support, byType, date })}\n`);
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
