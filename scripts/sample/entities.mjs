import { knownPeople, origins, wordNames } from "./people.mjs";
import { pick } from "./random.mjs";

/**
 * An entity is `{ type, forms }`: the ways in which a text may mention it, by name. A form is a list of equally likely
 * surfaces; `{ text, type }` in it is a mention of something else (the maker of a phone) or no entity at all (a
 * pronoun: `type` undefined). The empty name is the usual form.
 */
export function person(parts, rng) {
  const origin = pick(originsByWeight, rng);
  const gender = rng.next() < 0.5 ? "female" : "male";
  const first = parts(origins[origin][gender], rng);
  const last = parts(origins[rng.next() < 0.85 ? origin : pick(originsByWeight, rng)].last, rng);
  const isTaken = knownPeople.has(`${first} ${last}`) || first === last;
  return isTaken ? person(parts, rng) : personNamed({ first, last, gender, origin });
}

export function personNamed({ first, last, gender, origin }) {
  const full = `${first} ${last}`;
  const [he, his, him] = gender === "female" ? ["she", "her", "her"] : ["he", "his", "him"];
  const aside = (text) => [{ text }];
  return {
    type: "PER",
    forms: {
      "": [...Array(14).fill(full), `${first[0]}. ${last}`],
      first: [first],
      last: [last],
      he: aside(he),
      his: aside(his),
      him: aside(him),
      nation: origins[origin].nations.map((text) => ({ text })),
      He: aside(capital(he)),
      His: aside(capital(his)),
      ...(wordNames.has(first) && { word: [first] }),
    },
  };
}

const originsByWeight = Object.entries(origins).flatMap(([name, { weight }]) => Array(weight).fill(name));

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

export function company(stem, ending) {
  const full = `${stem} ${ending}`;
  return { type: "ORG", forms: { "": [full, stem], full: [full], short: [stem] } };
}

/** Something with one name; `country` is where it lies. */
export function named(type, name, country) {
  return { type, forms: { "": [name], ...(country && { country: [{ text: country, type: "LOC" }] }) } };
}

export function agency(name, abbreviation) {
  return { type: "ORG", forms: { "": [name], ...(abbreviation && { abbr: [abbreviation] }) } };
}

/** A sports club: often called by the name of its town alone. */
export function team(town, ending) {
  const full = `${town} ${ending}`;
  return { type: "ORG", forms: { "": [full, town], full: [full], short: [town], town: [{ text: town, type: "LOC" }] } };
}

/** A thing that somebody makes. With the maker's name right before it, that name is a part of the product's. */
export function product(stem, version, maker) {
  const full = version === "" ? stem : `${stem} ${version}`;
  return {
    type: "PROD",
    forms: {
      "": [full, full, full, `${maker} ${full}`, stem],
      full: [full],
      short: [stem],
      maker: [{ text: maker, type: "ORG" }],
    },
  };
}

export function program(stem, version) {
  const full = `${stem} ${version}`;
  return { type: "PROD", forms: { "": [full, stem], full: [full], short: [stem] } };
}

/** The short name by which an entity could be taken for something else, if it has one. */
export function shortNames({ forms }) {
  return [forms.first, forms.last, forms.short ?? forms[""]].flat().filter((form) => typeof form === "string");
}
