import { findTokens } from "./tokens.mjs";

/**
 * How pieces become a text: `plain` begins with a capital; `asis` does not; `lower`, `upper` and `title` change every
 * word, names included.
 */
const styles = {
  plain: (text, first) => (first ? capital(text) : text),
  asis: (text) => text,
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  title: (text, first) =>
    text.replaceAll(word, (match, at) => (small.has(match) && !(first && at === 0) ? match : capital(match))),
};

const word = /[\p{L}\p{N}][\p{L}\p{N}'’]*/gu;
const small = new Set("a an the of in on at to for and or by with from as is it its".split(" "));

function capital(text) {
  return text.replace(/\p{L}/u, (letter) => letter.toUpperCase());
}

/** The text of a scene and the entities in it, as character offsets. */
export function render(pieces, style) {
  let text = "";
  const entities = [];
  for (const [i, piece] of pieces.entries()) {
    const start = text.length;
    text += styles[style](piece.text, i === 0);
    if (piece.type !== undefined) entities.push({ start, end: text.length, type: piece.type });
  }
  return { text: text.trimEnd(), entities };
}

/** The lines of a sentence in CoNLL columns, tags in IOB2. */
export function toConll({ text, entities }) {
  const lines = [];
  let next = 0;
  for (const { start, end } of findTokens(text)) {
    while (next < entities.length && entities[next].end <= start) next++;
    const entity = entities[next];
    const inside = entity !== undefined && entity.start < end;
    if (inside && (start < entity.start || end > entity.end)) {
      throw new Error(`the token "${text.slice(start, end)}" is partly inside an entity: ${text}`);
    }
    const tag = inside ? `${start === entity.start ? "B" : "I"}-${entity.type}` : "O";
    lines.push(`${text.slice(start, end)}\t${tag}\n`);
  }
  return lines.join("");
}
