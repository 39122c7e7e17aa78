// Where hidden entities stand for a model, by its probability of O, and how often weighted sampling would draw them:
// for each µ and temperature, by the model's scores in prediction. Run after `npm run build`:
//   node experiments/missampling/by-probability.mjs MODEL TRAIN HIDDEN [SENTENCES]
import { appendFileSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { random, readAll, Scorer } from "lacuna-ner";

const [directory, trainFile, hiddenFile, most = "1500"] = process.argv.slice(2);
const sentencesOf = async (file) =>
  (await readAll([file])).flatMap(({ sentences }) => sentences).slice(0, Number(most));
const [train, hidden] = [await sentencesOf(trainFile), await sentencesOf(hiddenFile)];
const config = JSON.parse(readFileSync(join(directory, "config.json"), "utf8"));
const scorer = await Scorer.load(directory, { runtime: { threads: 1 } });
const labels = scorer.labels.length;

const edges = [0, 0.1, 0.5, 0.7, 0.9, 0.98, 0.995, 0.999, 1];
const bins = edges.slice(1).map(() => ({ hidden: 0, other: 0 }));
const weights = [2, 4, 8, 16, 32].flatMap((mu) => [1, 2, Math.sqrt(40)].map((temperature) => ({ mu, temperature })));
const draws = weights.map(() => ({ drawn: 0, missed: 0 }));

let number = -1;
for await (const scores of scorer.scores(train)) {
  const sentence = train[++number];
  if (sentence.offsets.length === 0) continue;
  const spans = candidates(sentence, scores, hidden[number]);
  for (const { outside, secret } of spans) {
    const bin = edges.findIndex((edge) => edge > outside) - 1;
    bins[bin < 0 ? bins.length - 1 : bin][secret ? "hidden" : "other"]++;
  }
  const count = Math.min(spans.length, Math.ceil(0.35 * (sentence.offsets.length / 2) - 1e-9));
  weights.forEach(({ mu, temperature }, w) => {
    const rng = random(1, "draw", w, number);
    const keyed = spans.map(({ entropy, lead, secret }) => ({
      key: (entropy * Math.max(0, 1 + lead) ** mu) / temperature - Math.log(-Math.log(rng.next())),
      secret,
    }));
    const drawn = keyed.sort((a, b) => b.key - a.key).slice(0, count);
    draws[w].drawn += count;
    draws[w].missed += drawn.filter(({ secret }) => secret).length;
  });
}
await scorer.dispose();

const record = {
  study: "missampling by probability",
  model: basename(directory),
  method: config.training.method,
  epoch: config.provenance.epoch,
  sentences: train.length,
  bins: bins.map((counts, i) => ({ from: edges[i], to: edges[i + 1], ...counts })),
  draws: weights.map((weight, w) => ({ ...weight, missampling: draws[w].missed / draws[w].drawn })),
};
console.log(JSON.stringify(record, null, 1));
appendFileSync(new URL("by-probability.jsonl", import.meta.url), `${JSON.stringify(record)}\n`);

/** The unknown spans of a sentence with what weighted sampling looks at. */
function candidates(sentence, { items, logProbs }, { entities }) {
  const [starts, ends] = [items.starts(), items.ends()];
  const key = ({ start, end }) => `${start} ${end}`;
  const [known, secret] = [new Set(sentence.entities.map(key)), new Set(entities.map(key))];
  const spans = [];
  for (let span = 0; span < items.size; span++) {
    const name = key({ start: starts[span], end: ends[span] });
    if (known.has(name)) continue;
    const row = logProbs.subarray(span * labels, (span + 1) * labels);
    const probabilities = Array.from(row, Math.exp);
    const entropy = row.reduce((sum, logProb, label) => sum - probabilities[label] * logProb, 0);
    const lead = probabilities[0] - Math.max(...probabilities.slice(1));
    spans.push({ outside: probabilities[0], entropy, lead, secret: secret.has(name) });
  }
  return spans;
}
