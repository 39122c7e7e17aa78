/** Control characters, marks that turn the direction of writing, and invisible ones; the line break alone is harmless. */
const steering = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

/** A text in which nothing can steer a terminal: control characters are written as JSON escapes. */
export function visible(text: string): string {
  return text.replaceAll(steering, escaped);
}

/** The same for a text of several lines. */
export function visibleLines(text: string): string {
  return text.replaceAll(steering, (character) => (character === "\n" ? character : escaped(character)));
}

function escaped(character: string): string {
  const short = JSON.stringify(character).slice(1, -1);
  return short === character ? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}` : short;
}

/** A text on one line, cut to a length, without characters that steer a terminal. */
export function oneLine(text: string, longest = 4096): string {
  // Not all of a text of any length: cut first, generously.
  const lines = text.slice(0, 4 * longest).split("\n");
  const joined = visible(
    lines.length === 1
      ? lines[0]!
      : lines
          .map((line) => line.trim())
          .filter((line) => line !== "")
          .join(" "),
  );
  return joined.length > longest ? `${joined.slice(0, longest - 1)}…` : joined;
}
