import { agency, company, named, person, personNamed, product, program, team } from "./entities.mjs";
import * as organisations from "./organisations.mjs";
import { origins } from "./people.mjs";
import * as places from "./places.mjs";
import * as products from "./products.mjs";
import { pick } from "./random.mjs";

/**
 * Makes the entities of one inventory, by kind. `parts(list, rng)` chooses an item of a list from the share of the list
 * that this inventory may use; `all(list)` gives that share; `size` scales the number of composed names; `people` are in
 * it in any case.
 */
export function makeInventory({ parts, all, size, people }, rng) {
  const many = (count, make) => Array.from({ length: Math.ceil(count * size) }, () => make());
  const anyTown = () => parts(rng.next() < 0.6 ? places.realCities : places.towns, rng).name;
  const surname = () =>
    parts(rng.next() < 0.6 ? origins.english.last : origins[pick(Object.keys(origins), rng)].last, rng);
  const composed = (patterns) => parts(patterns, rng).replace("*", anyTown).replace("+", surname);
  const stem = () => parts(organisations.companyStems[pick(stemKinds, rng)], rng);
  const trade = (name) => () =>
    company(stem(), parts(organisations.companyEndings[rng.next() < 0.25 ? "any" : name], rng));
  const location = (record) => named("LOC", record.name, record.country);
  const site = (kind) => () => named("LOC", `${parts(places.siteNames, rng)} ${pick(places.siteKinds[kind], rng)}`);
  const works = (list) => all(list).map((title) => named("PROD", title));
  const organisation = (patterns) => () => named("ORG", composed(patterns));
  return {
    per: [...people.map(personNamed), ...many(340, () => person(parts, rng))],
    realcity: all(places.realCities).map(location),
    town: all(places.towns).map(location),
    country: all(places.countries).map((name) => named("LOC", name)),
    region: all(places.regions).map((name) => named("LOC", name)),
    water: all(places.waters).map((name) => named("LOC", name)),
    stream: all(places.streams).map(location),
    peak: all(places.peaks).map(location),
    street: many(40, () => named("LOC", `${parts(places.streetNames, rng)} ${pick(places.streetKinds, rng)}`)),
    park: many(16, site("park")),
    bridge: many(10, site("bridge")),
    station: many(14, site("station")),
    airport: many(6, site("airport")),
    stadium: many(12, site("stadium")),
    firm: many(18, trade("any")),
    tech: many(18, trade("tech")),
    food: many(12, trade("food")),
    bank: many(12, trade("finance")),
    airline: many(10, trade("carrier")),
    industry: many(18, trade("industry")),
    retail: many(14, trade("retail")),
    press: many(10, trade("press")),
    studio: many(10, trade("studio")),
    maker: many(10, trade("maker")),
    uni: many(30, organisation(organisations.universities)),
    hospital: many(14, organisation(organisations.hospitals)),
    museum: many(24, organisation(organisations.museums)),
    party: many(12, organisation(organisations.parties)),
    guild: many(10, organisation(organisations.guilds)),
    society: many(16, organisation(organisations.societies)),
    paper: many(22, organisation(organisations.newspapers)),
    agency: many(40, () => agency(...composed(organisations.agencies).split("|"))),
    team: many(36, () => team(anyTown(), parts(organisations.teamEndings, rng))),
    band: all(organisations.bands).map((name) => named("ORG", name)),
    gadget: many(60, () =>
      product(parts(products.gadgetStems, rng), rng.next() < 0.8 ? pick(products.gadgetVersions, rng) : "", stem()),
    ),
    app: many(40, () => program(parts(products.appStems, rng), pick(products.appVersions, rng))),
    car: many(30, () => product(parts(products.carNames, rng), "", stem())),
    book: works(products.books),
    film: works(products.films),
    game: works(products.games),
    song: works(products.songs),
    drink: works(products.drinks),
  };
}

const stemKinds = ["founder", "founder", "place", "word", "word", "invention"];

/** Slots that stand for several kinds. */
export const unions = {
  city: ["realcity", "realcity", "town"],
  group: ["party", "guild", "society"],
  site: ["park", "bridge", "station", "stadium"],
  company: [
    "firm",
    "firm",
    "tech",
    "food",
    "bank",
    "airline",
    "industry",
    "industry",
    "retail",
    "press",
    "studio",
    "maker",
  ],
};
