// Is the true share of missing annotations inside the intervals of `lacuna check`? Annotations are hidden on purpose, the
// estimates see only what is left, and then the truth is looked up; last come three corpora with real distant labels.
// Run `npm run build` first, then: node experiments/missing-share/run.mjs [DATA] [SEEDS]
// Writes results.jsonl beside this file; tables.mjs makes the tables of README.md from it. Takes about two minutes.
import { writeFileSync } from "node:fs";
import { diagnose, mask, random, readAll } from "lacuna-ner";
import { missingBySample } from "lacuna-ner/studies";

const data = process.argv[2] ?? "../shared/data";
const seeds = Number(process.argv[3] ?? 10);
const sampleSize = 300;
const date = new Date().toISOString().slice(0, 10);

const masked = [
  ["CoNLL03", "conll03-distant/train.gold"],
  ["NEWS", "news/train.annotated"],
  ["Resume", "resume/train"],
  // These two had no part in choosing the shapes of the model.
  ["WikiGold", "wikigold-distant/train.gold"],
  ["EC", "ec/train.annotated"],
];
const distant = ["conll03-distant", "bc5cdr-distant", "wikigold-distant"];

const results = [];
for (const [corpus, file] of masked) {
  const documents = await readAll([`${data}/${file}.conll`]);
  for (const by of ["mention", "surface"]) {
    for (const share of [0.2, 0.5, 0.8]) {
      const runs = [];
      for (let seed = 1; seed <= seeds; seed++) runs.push(...(await blindRun(documents, by, share, seed)));
      record(runs, { corpus, by, share });
    }
  }
}
for (const corpus of distant) {
  const [labels, gold, dev] = await Promise.all(
    ["train", "train.gold", "dev"].map((part) => readAll([`${data}/${corpus}/${part}.conll`])),
  );
  const missing = gold.map((document, i) => lacking(document, labels[i]));
  const runs = [];
  for (let seed = 1; seed <= seeds; seed++) {
    const sample = [...chosen(dev.length, seed)].map((i) => dev[i]);
    const again = [...chosen(gold.length, seed)].map((i) => gold[i]);
    runs.push(...compare(estimates(labels, sample, again), truthOf(gold, missing)));
  }
  record(runs, { corpus, by: "distant labels" });
}
writeFileSync(new URL("results.jsonl", import.meta.url), results.map((each) => `${JSON.stringify(each)}\n`).join(""));

/** Hides annotations; a sample is held out before, and another one is labelled again afterwards. */
async function blindRun(documents, by, share, seed) {
  const heldOut = chosen(documents.length, seed);
  const sample = [...heldOut].map((i) => documents[i]);
  const rest = documents.filter((_, i) => !heldOut.has(i));
  const [gappy, hidden] = [[], []];
  for await (const each of mask(rest, { by, rate: share }, seed)) {
    gappy.push(each.masked);
    hidden.push(each.hidden);
  }
  const again = [...chosen(rest.length, seed + 1000)].map((i) => rest[i]);
  return compare(estimates(gappy, sample, again), truthOf(rest, hidden));
}

function estimates(corpus, sample, again) {
  const { surfaces, sample: apart } = diagnose(corpus, { sample, shares: [] }).missing;
  const sentencesOf = (documents) => documents.flatMap(({ sentences }) => sentences);
  const { recall } = missingBySample(sentencesOf(corpus), sentencesOf(again));
  return { surfaces, density: apart.density, names: apart.names, recall };
}

/** One line for each method and type: the truth beside the estimate. */
function compare(methods, truth) {
  return Object.entries(methods).flatMap(([method, { overall, byType }]) =>
    Object.entries({ ...byType, all: overall })
      .filter(([type]) => truth[type] !== undefined)
      .map(([type, estimate]) => ({ method, type, truth: truth[type], estimate })),
  );
}

function truthOf(documents, hidden) {
  const [all, gone] = [countTypes(documents), countTypes(hidden)];
  return Object.fromEntries(Object.entries(all).map(([type, count]) => [type, (gone[type] ?? 0) / count]));
}

function countTypes(documents) {
  const counts = {};
  const add = (type) => {
    counts[type] = (counts[type] ?? 0) + 1;
  };
  for (const { sentences } of documents) {
    for (const { entities } of sentences) {
      for (const { type } of entities) {
        add(type);
        add("all");
      }
    }
  }
  return counts;
}

/** The gold document with those of its entities that the labels lack. */
function lacking(gold, labels) {
  const sentences = gold.sentences.map((sentence, i) => {
    const known = new Set(labels.sentences[i].entities.map(({ start, end, type }) => `${start} ${end} ${type}`));
    const entities = sentence.entities.filter(({ start, end, type }) => !known.has(`${start} ${end} ${type}`));
    return { ...sentence, entities };
  });
  return { ...gold, sentences };
}

function chosen(size, seed) {
  const rng = random(seed, "missing-share", "sample");
  const picks = new Set();
  while (picks.size < Math.min(sampleSize, size)) picks.add(rng.below(size));
  return picks;
}

/** Sums up the runs of one setting: means over the seeds, and how often the truth was held by the interval. */
function record(runs, setting) {
  for (const type of [...new Set(runs.map((run) => run.type))].sort()) {
    for (const method of ["surfaces", "density", "names", "recall"]) {
      const mine = runs.filter((run) => run.method === method && run.type === type);
      const known = mine.filter(({ estimate }) => estimate.missing !== undefined);
      if (known.length === 0) continue;
      const mean = (pick) => known.reduce((sum, run) => sum + pick(run), 0) / known.length;
      results.push({
        ...setting,
        type,
        method,
        seeds,
        estimates: known.length,
        held: known.filter(({ truth, estimate }) => estimate.low <= truth && truth <= estimate.high).length,
        truth: mean(({ truth }) => truth),
        missing: mean(({ estimate }) => estimate.missing),
        low: mean(({ estimate }) => estimate.low),
        high: mean(({ estimate }) => estimate.high),
        date,
      });
    }
  }
  console.error(Object.values(setting).join(", "));
}
