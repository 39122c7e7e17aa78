import { shortNames } from "./entities.mjs";
import { makeInventory, unions } from "./inventory.mjs";
import { regulars, wordNames } from "./people.mjs";
import { pick, pickPopular, random, shuffled } from "./random.mjs";

/** Shares of every list of names: in all splits, in dev only, in test only. */
const shares = { shared: 0.56, dev: 0.17, test: 0.27 };
/** How often a mention in dev or test is of an entity that training never sees. */
const newness = 0.5;
/** How often a part of a new composed name is itself new. */
const newParts = 0.6;
/** Names that training must know in several types. */
const pinned = new Set("Jordan Lincoln Georgia Mercer Hamilton Savannah Florence Victoria".split(" "));
/** How many composed names each inventory has, relative to the shared one. */
const sizes = { shared: 1, dev: 0.45, test: 0.6 };

/**
 * The entities that sentences of each split may mention. Training knows the shared ones; dev and test mix them with
 * entities of their own, of which many are made of parts that occur nowhere else.
 */
export function makeWorlds(seed) {
  const divide = divider(seed);
  const inventories = {};
  for (const name of Object.keys(sizes)) {
    const own = (list) => divide(list)[name];
    const parts = (list, rng) => {
      const isNew = name !== "shared" && own(list).length > 0 && rng.next() < newParts;
      return pick(isNew ? own(list) : divide(list).shared, rng);
    };
    const people = name === "shared" ? regulars : [];
    inventories[name] = makeInventory({ parts, all: own, size: sizes[name], people }, random(seed, "inventory", name));
  }
  const doubtful = doubtfulNames(Object.values(inventories));
  for (const inventory of Object.values(inventories)) addDoubtfulForms(inventory, doubtful);
  const world = (own) => ({ choose: chooser(inventories.shared, own) });
  return { train: world(undefined), dev: world(inventories.dev), test: world(inventories.test) };
}

/** Divides each list once, in an order that depends on the list alone. */
function divider(seed) {
  const known = new Map();
  return (list) => {
    if (!known.has(list)) {
      const key = list.map((item) => item.name ?? item).join(" ");
      const order = shuffled([...new Set(list)], random(seed, "divide", key));
      const isPinned = (item) => pinned.has(item.name ?? item);
      const items = [...order.filter(isPinned), ...order.filter((item) => !isPinned(item))];
      const firstDev = Math.round(items.length * shares.shared);
      const firstTest = Math.round(items.length * (shares.shared + shares.dev));
      const dev = items.slice(firstDev, firstTest);
      known.set(list, { shared: items.slice(0, firstDev), dev, test: items.slice(firstTest) });
    }
    return known.get(list);
  };
}

/** Names that entities of more than one type have, and given names that are words. */
function doubtfulNames(inventories) {
  const types = new Map();
  for (const entity of inventories.flatMap((inventory) => Object.values(inventory).flat())) {
    for (const name of shortNames(entity)) {
      const bare = withoutArticle(name);
      types.set(bare, (types.get(bare) ?? new Set()).add(entity.type));
    }
  }
  const names = [...types].filter(([name, { size }]) => size > 1 || wordNames.has(name)).map(([name]) => name);
  return new Set(names);
}

function withoutArticle(name) {
  return name.replace(/^the /, "");
}

/** The form `amb`: the name by which an entity could be taken for one of another type. */
function addDoubtfulForms(inventory, doubtful) {
  for (const entity of Object.values(inventory).flat()) {
    const names = [...new Set(shortNames(entity))].filter((name) => doubtful.has(withoutArticle(name)));
    if (names.length > 0) entity.forms.amb = names;
  }
}

/** Chooses a free entity of a kind that has all the forms. */
function chooser(shared, own) {
  return (slot, { forms, isFree, rng }) => {
    for (let attempt = 0; attempt < 1000; attempt++) {
      const kind = pick(unions[slot] ?? [slot], rng);
      const source = own !== undefined && rng.next() < newness ? own : shared;
      if (source[kind] === undefined) throw new Error(`no entities of kind "${kind}"`);
      if (source[kind].length === 0) continue;
      const entity = pickPopular(source[kind], rng);
      if (forms.every((form) => entity.forms[form] !== undefined) && isFree(entity)) return entity;
    }
    throw new Error(`no free entity of kind "${slot}" has the forms "${forms.join('", "')}"`);
  };
}
