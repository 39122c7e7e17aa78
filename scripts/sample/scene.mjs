import { shortNames } from "./entities.mjs";
import { fillers, numbers } from "./fillers.mjs";
import { expand, parsePattern } from "./grammar.mjs";
import { pick } from "./random.mjs";

/** Acts out a pattern in a world: pieces of text `{ text, type }`, of which those with a type are entities. */
export function act(pattern, world, rng) {
  const pieces = [];
  const cast = new Map();
  const used = new Set();
  const forms = formsByRole(pattern);
  const say = (text, type) => pieces.push({ text, type });

  const castFor = ({ name, index, form }) => {
    const role = `${name}${index}`;
    if (cast.has(role)) return cast.get(role);
    const entity = world.choose(name, {
      forms: index === "" ? [form] : forms.get(role),
      isFree: (candidate) => namesOf(candidate).every((other) => !used.has(other)),
      rng,
    });
    for (const each of namesOf(entity)) used.add(each);
    if (index !== "") cast.set(role, entity);
    return entity;
  };

  const mention = (chosen, type) => {
    const { text, type: own } = typeof chosen === "string" ? { text: chosen, type } : chosen;
    if (!text.startsWith("the ")) return say(text, own);
    say("the ");
    say(text.slice(4), own);
  };

  const fill = (slot) => {
    const { name, form } = slot;
    if (name === "a") say(articleMark);
    else if (name in numbers) say(numbers[name](rng));
    else if (name in fillers) expand(parse(pick(fillers[name], rng)), rng, say, fill);
    else {
      const entity = castFor(slot);
      mention(pick(entity.forms[form], rng), entity.type);
    }
  };

  expand(parse(pattern), rng, say, fill);
  return tidy(pieces);
}

const parsed = new Map();

function parse(pattern) {
  if (!parsed.has(pattern)) parsed.set(pattern, parsePattern(pattern));
  return parsed.get(pattern);
}

/** Every form in which a numbered slot stands somewhere in the pattern: one entity must have them all. */
function formsByRole(pattern) {
  const forms = new Map();
  for (const [, role, form = ""] of pattern.matchAll(/\{([a-z]+\d)(?:\.([A-Za-z]+))?\}/g)) {
    forms.set(role, [...(forms.get(role) ?? []), form]);
  }
  return forms;
}

/** Two people of one sentence share no name; a person and a town may. */
function namesOf(entity) {
  return shortNames(entity).map((name) => `${entity.type} ${name}`);
}

const articleMark = "\u0001";

/** Resolves articles and makes single spaces. */
function tidy(pieces) {
  const result = [];
  let before = " ";
  for (const [i, { text, type }] of pieces.entries()) {
    let cleaned = text.replaceAll(/ {2,}/g, " ");
    if (text === articleMark) cleaned = takesAn(following(pieces, i)) ? "an" : "a";
    if (before.endsWith(" ") && cleaned.startsWith(" ")) cleaned = cleaned.slice(1);
    if (cleaned === "") continue;
    before = cleaned;
    result.push({ text: cleaned, type });
  }
  return result;
}

function following(pieces, index) {
  const rest = pieces.slice(index + 1).map((piece) => piece.text);
  return rest.join("").trimStart();
}

function takesAn(text) {
  return /^[aeiou]/i.test(text) && !/^(uni|use|eu|one)/i.test(text);
}
