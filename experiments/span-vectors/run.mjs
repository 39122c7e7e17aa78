// What does the contrastive loss do to the vectors of spans? Two models of EC, with and without it; the vectors of test
// entities and of as many other spans, their neighbours, and a map of them. Run after `npm run build`, where
// `npm install --no-save @saehrimnir/druidjs` has put the package that draws the map:
//   node experiments/span-vectors/run.mjs [DATA]
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { random, readAll, tokenCount, train as trainModel } from "lacuna-ner";
import { spanVectors } from "lacuna-ner/studies";

const { TSNE } = await import(pathToFileURL(locate("@saehrimnir/druidjs")));
const data = process.argv[2] ?? "../shared/data";
const models = { "without contrast": "uniform", "with contrast": "scl" };
const neighbours = 10;
const sentencesOf = async (file) =>
  (await readAll([`${data}/ec/${file}.conll`])).flatMap((document) => document.sentences);
const [train, dev, test] = [await sentencesOf("train"), await sentencesOf("dev"), await sentencesOf("test")];
const chosen = test.map((sentence, number) => ({ sentence, ...spansOf(sentence, number) }));
const labels = chosen.flatMap((each) => each.labels);
const records = [];

for (const [name, method] of Object.entries(models)) {
  const directory = mkdtempSync(join(tmpdir(), "lacuna-span-vectors-"));
  try {
    const settings = {
      method,
      epochs: 12,
      patience: 0,
      rate: 0.003,
      batchTokens: 128,
      threads: 1,
      encoder: { name: "bilstm", units: 128 },
    };
    for await (const _ of trainModel({ train, dev }, settings, { directory }));
    const vectors = (await spanVectors(directory, chosen)).flat().map(unit);
    records.push({ kind: "neighbours", model: name, ...purity(vectors) });
    const map = new TSNE(
      vectors.map((vector) => Array.from(vector)),
      { perplexity: 30, seed: 1 },
    ).transform(500);
    map.forEach(([x, y], i) => {
      records.push({ kind: "point", model: name, label: labels[i], x: round(x), y: round(y) });
    });
  } finally {
    rmSync(directory, { recursive: true });
  }
}
writeFileSync(
  new URL("results.jsonl", import.meta.url),
  records.map((record) => `${JSON.stringify(record)}\n`).join(""),
);

function locate(name) {
  try {
    return createRequire(join(process.cwd(), "package.json")).resolve(name);
  } catch {
    console.error(`span-vectors: package ${name} is not installed here; run: npm install --no-save ${name}`);
    process.exit(2);
  }
}

/** The entities of a sentence, and as many spans of one to four tokens that are none. */
function spansOf(sentence, number) {
  const rng = random(1, "span vectors", number);
  const n = tokenCount(sentence);
  const known = new Set(sentence.entities.map(({ start, end }) => start * n + end));
  const others = [];
  for (let tries = 0; tries < 50 && others.length < sentence.entities.length; tries++) {
    const start = rng.below(n);
    const end = Math.min(n, start + 1 + rng.below(4));
    if (!known.has(start * n + end)) others.push({ start, end });
    known.add(start * n + end);
  }
  const entities = sentence.entities.filter(({ start, end }) => end - start <= 4);
  return {
    spans: [...entities, ...others],
    labels: [...entities.map(({ type }) => type), ...others.map(() => "no entity")],
  };
}

function unit(vector) {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

/** How many of the nearest neighbours of an entity have its type, and how many are no entity. */
function purity(vectors) {
  let [entities, same, none] = [0, 0, 0];
  vectors.forEach((vector, i) => {
    if (labels[i] === "no entity") return;
    const near = vectors
      .map((other, j) => ({ j, near: j === i ? -2 : vector.reduce((sum, value, k) => sum + value * other[k], 0) }))
      .sort((a, b) => b.near - a.near)
      .slice(0, neighbours);
    entities++;
    same += near.filter(({ j }) => labels[j] === labels[i]).length / neighbours;
    none += near.filter(({ j }) => labels[j] === "no entity").length / neighbours;
  });
  return { spans: vectors.length, entities, same: same / entities, none: none / entities };
}

function round(value) {
  return Number(value.toFixed(2));
}
