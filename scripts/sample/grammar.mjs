/**
 * The language in which patterns are written:
 *   <a|b|c>        one of them
 *   [a] or [a|b]   nothing, or one of them
 *   {city}         an entity; {per1} is the same one each time it stands in the pattern, {per1.last} another form of it
 *   {WHEN}         one of the phrases of `fillers.mjs`, which are patterns themselves
 *   {a}            "a" or "an", as the next word asks
 * A pattern is parsed into a sequence of strings, slots `{ name, index, form }` and choices `{ options, optional }`.
 */
export function parsePattern(source) {
  const [sequence, end] = parseSequence(source, 0, "");
  if (end !== source.length) throw new Error(`pattern: unexpected "${source[end]}" at ${end} in: ${source}`);
  return sequence;
}

const closing = { "<": ">", "[": "]" };
const slot = /\{([A-Za-z]+)(\d?)(?:\.([A-Za-z]+))?\}/y;

function parseSequence(source, start, stops) {
  const sequence = [];
  let at = start;
  while (at < source.length && !stops.includes(source[at])) {
    const open = source[at];
    if (open === "{") {
      slot.lastIndex = at;
      const match = slot.exec(source);
      if (match === null) throw new Error(`pattern: no slot at ${at} in: ${source}`);
      sequence.push({ name: match[1], index: match[2], form: match[3] ?? "" });
      at = slot.lastIndex;
    } else if (open in closing) {
      const [options, end] = parseOptions(source, at + 1, closing[open]);
      sequence.push({ options, optional: open === "[" });
      at = end;
    } else {
      const length = source.slice(at).search(/[<>[\]{}|]/);
      const end = length < 0 ? source.length : at + length;
      if (end === at) break;
      sequence.push(source.slice(at, end));
      at = end;
    }
  }
  return [sequence, at];
}

function parseOptions(source, start, close) {
  const options = [];
  for (let at = start; ; at++) {
    const [sequence, end] = parseSequence(source, at, `|${close}`);
    options.push(sequence);
    at = end;
    if (source[at] === close) return [options, at + 1];
    if (source[at] !== "|") throw new Error(`pattern: expected "|" or "${close}" at ${at} in: ${source}`);
  }
}

/** Goes through a pattern, making its choices, and hands the strings and slots to the two callbacks in order. */
export function expand(sequence, rng, onText, onSlot) {
  for (const node of sequence) {
    if (typeof node === "string") onText(node);
    else if (node.options === undefined) onSlot(node);
    else {
      const left = node.optional && rng.next() < 0.5;
      if (!left) expand(node.options[rng.below(node.options.length)], rng, onText, onSlot);
    }
  }
}
