/** Spans of whole tokens; `tokens` are starts and ends, alternating. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** The span with its start or its end one token further or back; the same where it cannot move. */
export function moved(tokens: readonly number[], { start, end }: Range, side: "start" | "end", by: 1 | -1): Range {
  // Where tokens touch, an end and a start are the same number.
  const [parity, wanted] = side === "start" ? [0, start] : [1, end];
  const at = tokens.findIndex((offset, i) => i % 2 === parity && offset === wanted);
  const next = tokens[at + 2 * by];
  if (at < 0 || next === undefined || at + 2 * by < 0) return { start, end };
  const range = side === "start" ? { start: next, end } : { start, end: next };
  return range.start < range.end ? range : { start, end };
}

/** The tokens that a selection of characters touches; nothing when it touches none. */
export function snapped(tokens: readonly number[], { start, end }: Range): Range | undefined {
  let [first, last] = [-1, -1];
  for (let i = 0; i < tokens.length; i += 2) {
    if (tokens[i + 1]! <= start || tokens[i]! >= end) continue;
    if (first < 0) first = i;
    last = i;
  }
  return first < 0 ? undefined : { start: tokens[first]!, end: tokens[last + 1]! };
}
