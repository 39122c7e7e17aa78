// How much does a tagger take a token for O while it learns from labels with gaps, and would the tokens with the smallest
// values be those of hidden entities? Run after `npm run build`:  node experiments/outside-values/run.mjs [DATA]
import { writeFileSync } from "node:fs";
import { completeSettings, mask, readAll } from "lacuna-ner";
import { outsideStudy } from "lacuna-ner/studies";

const data = process.argv[2] ?? "../shared/data";
const corpora = { Weibo: { folder: "weibo", epochs: 15 } };
const heads = {
  "plain head": { scores: "linear", value: "raw" },
  "plain head, centred": { scores: "linear", value: "centered" },
  "angle head": { scores: "angle", value: "angle" },
};
const hiddenShare = 0.5;
const records = [];

for (const [corpus, { folder, epochs }] of Object.entries(corpora)) {
  const { sentences, hidden } = await withGaps(`${data}/${folder}/train.conll`);
  for (const [name, { scores, value }] of Object.entries(heads)) {
    const settings = completeSettings({
      method: "ce",
      epochs,
      patience: 0,
      rate: 0.004,
      threads: 1,
      encoder: { name: "bilstm", units: 100, wordWidth: 50 },
      head: { name: "token", scores },
    });
    for await (const record of outsideStudy({ train: sentences, dev: [], hidden }, settings, { value })) {
      const { epoch, outside, hidden: hiddenValue, detection } = record;
      records.push({ kind: "value", corpus, head: name, epoch, tokens: "in no entity", value: outside });
      records.push({ kind: "value", corpus, head: name, epoch, tokens: "of hidden entities", value: hiddenValue });
      for (const point of detection) records.push({ kind: "detection", corpus, head: name, epoch, ...point });
      console.error(`${corpus}, ${name}, epoch ${epoch}`);
    }
  }
}
writeFileSync(
  new URL("results.jsonl", import.meta.url),
  records.map((record) => `${JSON.stringify(record)}\n`).join(""),
);

async function withGaps(file) {
  const [sentences, hidden] = [[], []];
  for await (const document of mask(await readAll([file]), { by: "mention", rate: hiddenShare }, 1)) {
    sentences.push(...document.masked.sentences);
    hidden.push(...document.hidden.sentences.map(({ entities }) => entities));
  }
  return { sentences, hidden };
}
