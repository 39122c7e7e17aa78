import { ambiguous } from "./patterns-ambiguous.mjs";
import { chat, headlines } from "./patterns-chat.mjs";
import { encyclopaedia } from "./patterns-encyclopaedia.mjs";
import { mail } from "./patterns-mail.mjs";
import { news, sport } from "./patterns-news.mjs";
import { plain } from "./patterns-plain.mjs";
import { review } from "./patterns-review.mjs";
import { random, shuffled } from "./random.mjs";
import { render } from "./render.mjs";
import { act } from "./scene.mjs";
import { findTokens } from "./tokens.mjs";

/** Sentences per split. */
const sizes = { train: 2500, dev: 520, test: 740 };
/** The share of each register in every split, and the styles in which its sentences are set, equally likely. */
const registers = {
  news: { share: 0.24, patterns: news, styles: ["plain"] },
  encyclopaedia: { share: 0.15, patterns: encyclopaedia, styles: ["plain"] },
  mail: { share: 0.14, patterns: mail, styles: [...Array(9).fill("plain"), "lower"] },
  review: { share: 0.15, patterns: review, styles: [...Array(8).fill("plain"), "lower"] },
  chat: { share: 0.12, patterns: chat, styles: ["lower", "lower", "asis", "plain"] },
  ambiguous: { share: 0.09, patterns: ambiguous, styles: [...Array(5).fill("plain"), "lower"] },
  sport: { share: 0.06, patterns: sport, styles: ["plain"] },
  headlines: { share: 0.05, patterns: headlines, styles: ["upper", "title", "plain"] },
};
/** The share of sentences from patterns without an entity. */
const plainShare = 0.23;
/** The shares of patterns that only dev and only test may use, and of the sentences there that are made from them. */
const reserved = { dev: 0.15, test: 0.22 };
const unseenShare = 0.5;
/** Tokens in a sentence at most. */
const longest = 55;

/** The sentences of all splits; no text comes twice. */
export function makeSentences(worlds, seed) {
  const taken = new Set();
  const splits = {};
  for (const [split, size] of Object.entries(sizes)) {
    const sentences = [];
    let reached = 0;
    for (const [name, register] of Object.entries(registers)) {
      const count = Math.round(size * (reached + register.share)) - Math.round(size * reached);
      const bare = Math.round(count * plainShare);
      const setting = { ...register, name, world: worlds[split], split, seed, taken };
      sentences.push(...draw({ ...setting, kind: "entities" }, count - bare));
      sentences.push(...draw({ ...setting, kind: "plain", patterns: plain[name] }, bare));
      reached += register.share;
    }
    splits[split] = shuffled(sentences, random(seed, "order", split));
  }
  return splits;
}

/** More sentences from the patterns that are for testing alone, none of them among the known ones. */
export function makeExtraSentences(world, known, count, seed) {
  const taken = new Set(known.map(fingerprint));
  const prose = Object.entries(registers).filter(([, { styles }]) => !styles.includes("upper"));
  const sentences = prose.flatMap(([name, register]) => {
    const own = divide(register.patterns, random(seed, "patterns", name, "entities")).test;
    const setting = { ...register, name, world, split: "extra", seed, taken, kind: "entities" };
    return fromPatterns(own, Math.ceil(count * register.share), setting);
  });
  return shuffled(sentences, random(seed, "extra")).slice(0, count);
}

/** Draws sentences from the patterns that a split may use, each pattern about equally often. */
function draw(setting, count) {
  const { patterns, split, name, kind, seed } = setting;
  const { shared, ...own } = divide(patterns, random(seed, "patterns", name, kind));
  const unseen = split === "train" ? 0 : Math.round(count * unseenShare);
  const known = fromPatterns(shared, count - unseen, setting);
  return unseen === 0 ? known : [...known, ...fromPatterns(own[split], unseen, { ...setting, kind: `new ${kind}` })];
}

/** Which patterns all splits share, and which belong to dev or test alone. */
function divide(patterns, rng) {
  const order = shuffled(patterns, rng);
  const dev = Math.max(1, Math.round(order.length * reserved.dev));
  const test = Math.max(1, Math.round(order.length * reserved.test));
  return { dev: order.slice(0, dev), test: order.slice(dev, dev + test), shared: order.slice(dev + test) };
}

function fromPatterns(patterns, count, { name, kind, split, seed, styles, world, taken }) {
  const sentences = [];
  const patience = 60 * count;
  for (let turn = 0; sentences.length < count; turn++) {
    if (turn === patience) throw new Error(`${split}: the ${kind} patterns of ${name} give too few sentences`);
    const round = Math.floor(turn / patterns.length);
    const order = shuffled(patterns, random(seed, "round", split, name, kind, round));
    const rng = random(seed, "sentence", split, name, kind, turn);
    const style = styles[rng.below(styles.length)];
    const pattern = order[turn % patterns.length];
    const sentence = { ...render(act(pattern, world, rng), style), style, pattern };
    if (taken.has(fingerprint(sentence)) || findTokens(sentence.text).length > longest) continue;
    taken.add(fingerprint(sentence));
    sentences.push(sentence);
  }
  return sentences;
}

/** Sentences that differ in case alone count as the same. */
function fingerprint({ text }) {
  return text.toLowerCase();
}
