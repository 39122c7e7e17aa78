// Missampling of uniform sampling against the share of hidden annotations: how often is a hidden entity drawn as a
// negative? No model is needed. Run after `npm run build`:  node experiments/missampling/run.mjs [DATA]
import { appendFileSync } from "node:fs";
import { mask, random, readAll, tokenCount } from "lacuna-ner";
import { samplers } from "lacuna-ner/studies";

const data = process.argv[2] ?? "../shared/data";
const documents = await readAll([`${data}/conll03-distant/train.gold.conll`]);
const sampler = samplers.uniform.make({ rate: 0.35, count: "ceil" });
const seeds = 10;

for (let tenth = 1; tenth <= 9; tenth++) {
  const rates = [];
  for (let seed = 1; seed <= seeds; seed++) rates.push(await missampling(tenth / 10, seed));
  const mean = rates.reduce((a, b) => a + b) / seeds;
  const deviation = Math.sqrt(rates.reduce((sum, rate) => sum + (rate - mean) ** 2, 0) / (seeds - 1));
  const record = {
    study: "missampling",
    data: "conll03 train.gold",
    sampler: "uniform",
    rate: 0.35,
    hidden: tenth / 10,
    seeds,
    mean,
    deviation,
  };
  console.log(JSON.stringify(record));
  appendFileSync(new URL("results.jsonl", import.meta.url), `${JSON.stringify(record)}\n`);
}

async function missampling(share, seed) {
  let [drawn, missed, number] = [0, 0, 0];
  for await (const { masked, hidden } of mask(documents, { by: "mention", rate: share }, seed)) {
    masked.sentences.forEach((sentence, i) => {
      const n = tokenCount(sentence);
      const labelled = new Set(sentence.entities.map(({ start, end }) => start * n + end));
      const secret = new Set(hidden.sentences[i].entities.map(({ start, end }) => start * n + end));
      const candidates = [];
      for (let start = 0; start < n; start++) {
        for (let end = start + 1; end <= n; end++) if (!labelled.has(start * n + end)) candidates.push(start * n + end);
      }
      const draw = { length: n, candidates: candidates.length, epoch: 0, rng: random(seed, "missampling", number++) };
      const picks = sampler.choose(draw);
      drawn += picks.length;
      for (const pick of picks) if (secret.has(candidates[pick])) missed++;
    });
  }
  return missed / drawn;
}
