// How sparse are entities, and what does Theorem 1 promise? No model is needed. Run after `npm run build`:
//   node experiments/sparsity/run.mjs [DATA]
import { writeFileSync } from "node:fs";
import { readAll } from "lacuna-ner";
import { chanceBounds, sparsityOf } from "lacuna-ner/studies";

const data = process.argv[2] ?? "../shared/data";
const corpora = {
  "CoNLL03 train": "conll03-distant/train.gold.conll",
  "CoNLL03 dev": "conll03-distant/dev.conll",
  "CoNLL03 test": "conll03-distant/test.conll",
  "EC train": "ec/train.conll",
  "NEWS train": "news/train.conll",
  "Resume train": "resume/train.conll",
  "Weibo train": "weibo/train.conll",
};
const fewest = 20;
const records = [];

for (const [corpus, file] of Object.entries(corpora)) {
  const documents = await readAll([`${data}/${file}`]);
  const sentences = documents.flatMap((document) => document.sentences);
  const { violations, share, lengths } = sparsityOf(sentences);
  const frequent = lengths.filter((row) => row.sentences >= fewest);
  const above = frequent.filter(({ length, mean }) => mean ** 2 > length).length;
  records.push({
    kind: "corpus",
    corpus,
    sentences: sentences.length,
    violations,
    share,
    lengths: frequent.length,
    above,
  });
  for (const { length, mean } of frequent) {
    records.push({ kind: "length", corpus, length, line: "mean number of entities", value: mean });
    records.push({ kind: "length", corpus, length, line: "√length", value: Math.sqrt(length) });
  }
}
for (const [rate, length] of [
  [0.1, 20],
  [0.35, 20],
  [0.35, 50],
  [0.7, 30],
  [0.35, 2],
]) {
  records.push({ kind: "theorem", rate, ...chanceBounds(rate, length) });
}
writeFileSync(
  new URL("results.jsonl", import.meta.url),
  records.map((record) => `${JSON.stringify(record)}\n`).join(""),
);
