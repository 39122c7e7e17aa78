import { random, shuffled } from "./random.mjs";

/** The share of training mentions of each type that the dictionary knows by this surface and type. */
const wanted = { PER: 0.28, ORG: 0.32, LOC: 0.5, PROD: 0.36 };
/** How often a surface also gets a type that it has elsewhere, and how often it gets a wrong one instead of its own. */
const alsoElsewhere = 0.6;
const wrong = 0.05;

/** Entries of which the training text knows nothing, or which are words in most places. */
const strangers = `
Will	PER;Mark	PER;May	PER;Rose	PER;Grace	PER;Hope	PER;Joy	PER;Dawn	PER;Jack	PER;Summer	PER;Grant	PER;Rich	PER
Reading	LOC;Nice	LOC;Split	LOC;Turkey	LOC;Mobile	LOC;Bath	LOC;Cork	LOC;Spanish	LOC;Welsh	LOC;Japanese	LOC
Jordan	PER;Jordan	LOC;Lincoln	PER;Lincoln	LOC;Mercer	PER;Mercer	ORG;Hamilton	PER;Hamilton	LOC;Hamilton	ORG
Savannah	PER;Savannah	LOC;Savannah	PROD;Victoria	PER;Victoria	LOC;Georgia	LOC;Georgia	PER;Florence	LOC;Florence	PER
CEO	ORG;PDF	PROD;DNA	ORG;President	PER;Opinion	ORG;Sunday	ORG;Review	PROD;Apple	ORG
Oslo	LOC;Geneva	LOC;Tampere	LOC;Ljubljana	LOC;Chester	LOC;Bergamo	LOC;Arequipa	LOC;Bern	LOC;Port Louis	LOC;Sierra Leone	LOC
Ottoline Marsh	PER;Bertrand Oyelaran	PER;Lidia Castellan	PER;Ewan McTavish	PER;Hiro Matsuda	PER;Grete Halvorsen	PER
Plover Shipping	ORG;Radcliffe & Moon	ORG;Institute of Winds	ORG;Ostrava Ironworks	ORG;Society of Clockmakers	ORG;Larch Airways	ORG
Peregrine 900	PROD;The Drowned Piano	PROD;Cloudberry Fizz	PROD;Tin Opener Deluxe	PROD;Sonnets for a Tram	PROD`;

/** The lines `surface<TAB>type` of a dictionary that covers a part of the training mentions. */
export function makeDictionary(sentences, seed) {
  const mentions = countMentions(sentences);
  const entries = new Set(strangers.trim().split(/[;\n]/));
  for (const type of Object.keys(wanted)) {
    const rng = random(seed, "dictionary", type);
    const goal = wanted[type] * sum(mentions.all.get(type).values());
    let covered = 0;
    for (const [surface, count] of shuffled([...mentions.cased.get(type)], rng)) {
      const line = (other) => `${surface}\t${other}`;
      const others = Object.keys(wanted).filter((other) => other !== type);
      const elsewhere = others.filter((other) => mentions.all.get(other).has(surface));
      const isWrong = rng.next() < wrong;
      const also = rng.next() < alsoElsewhere;
      if (covered + count > goal && !entries.has(line(type))) continue;
      if (isWrong) entries.add(line(others[rng.below(others.length)]));
      else {
        entries.add(line(type));
        covered += count;
      }
      if (also) for (const other of elsewhere) entries.add(line(other));
    }
  }
  return [...entries]
    .sort()
    .map((entry) => `${entry}\n`)
    .join("");
}

/** How often each surface is mentioned, by type: in all sentences, and in those that keep the case of names. */
function countMentions(sentences) {
  const empty = () => new Map(Object.keys(wanted).map((type) => [type, new Map()]));
  const all = empty();
  const cased = empty();
  for (const { text, entities, style } of sentences) {
    for (const { start, end, type } of entities) {
      const surface = text.slice(start, end);
      const keepsCase = style === "plain" || style === "asis";
      for (const counts of keepsCase ? [all, cased] : [all]) {
        counts.get(type).set(surface, (counts.get(type).get(surface) ?? 0) + 1);
      }
    }
  }
  return { all, cased };
}

function sum(values) {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
