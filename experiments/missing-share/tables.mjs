// Prints the tables of README.md from results.jsonl: node experiments/missing-share/tables.mjs
import { readFileSync } from "node:fs";

const results = readFileSync(new URL("results.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map(JSON.parse);
const percent = (share) => (100 * share).toFixed(1);
const methods = ["surfaces", "density", "names", "recall"];

/** `50.6 (48.5–52.5) 10/10` */
function cell(filter) {
  const found = results.find((row) => Object.entries(filter).every(([key, value]) => row[key] === value));
  if (found === undefined) return "–";
  const { missing, low, high, held, estimates } = found;
  return `${percent(missing)} (${percent(low)}–${percent(high)}) ${held}/${estimates}`;
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  console.log([head, head.map(() => "---"), ...rows].map(line).join("\n"), "\n");
}

function unique(key, filter = () => true) {
  return [...new Set(results.filter(filter).map((row) => row[key]))];
}

const shares = [0.2, 0.5, 0.8];
const corpora = unique("corpus", ({ by }) => by === "mention");

console.log("Labelled here and not there, each mention hidden on its own\n");
table(
  ["corpus", "type", ...shares.map((share) => `${100 * share} % hidden`)],
  corpora.flatMap((corpus) =>
    unique("type", (row) => row.corpus === corpus && row.method === "surfaces").map((type) => [
      corpus,
      type,
      ...shares.map((share) => cell({ corpus, type, share, by: "mention", method: "surfaces" })),
    ]),
  ),
);

for (const by of ["mention", "surface"]) {
  console.log(`All types, hidden by ${by}\n`);
  table(
    ["corpus", "hidden %", ...methods],
    corpora.flatMap((corpus) =>
      shares.map((share) => [
        corpus,
        percent(share),
        ...methods.map((method) => cell({ corpus, by, share, method, type: "all" })),
      ]),
    ),
  );
}

console.log("How often an interval for one type held the truth\n");
table(
  ["hidden by", ...methods],
  ["mention", "surface", "distant labels"].map((by) => [
    by,
    ...methods.map((method) => {
      const rows = results.filter((row) => row.by === by && row.method === method && row.type !== "all");
      const [held, all] = ["held", "estimates"].map((key) => rows.reduce((sum, row) => sum + row[key], 0));
      return `${held} of ${all} (${percent(held / all)} %)`;
    }),
  ]),
);

console.log("Real distant labels\n");
const distant = results.filter(({ by }) => by === "distant labels");
table(
  ["corpus", "type", "truth %", ...methods],
  [...new Set(distant.map(({ corpus, type }) => `${corpus} ${type}`))].map((key) => {
    const [corpus, type] = key.split(" ");
    const { truth } = distant.find((row) => row.corpus === corpus && row.type === type);
    return [
      corpus,
      type,
      percent(truth),
      ...methods.map((method) => cell({ corpus, type, by: "distant labels", method })),
    ];
  }),
);
