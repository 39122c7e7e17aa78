import type { Random } from "../src/util/random.ts";
import { hostileStrings } from "./mutate-json.ts";

const changes: readonly ((lines: string[], rng: Random) => string[])[] = [
  (lines, rng) => lines.toSpliced(rng.below(lines.length), 1),
  (lines, rng) => {
    const at = rng.below(lines.length);
    return lines.toSpliced(at, 0, lines[rng.below(lines.length)]!);
  },
  (lines, rng) => {
    const [a, b] = [rng.below(lines.length), rng.below(lines.length)];
    return lines.with(a, lines[b]!).with(b, lines[a]!);
  },
  (lines, rng) => lines.toSpliced(rng.below(lines.length), 0, hostileString(rng)),
  // a word of a line
  (lines, rng) => onLine(lines, rng, (line) => changeWord(line, rng)),
  // what separates words
  (lines, rng) =>
    onLine(lines, rng, (line) => {
      const separators = ["\t", " ", "  ", "", "\u00a0", "\u3000", ",", "=", ": ", "\r"];
      return line.replace(/[\t ,=:]/, separators[rng.below(separators.length)]!);
    }),
  (lines, rng) => onLine(lines, rng, (line) => line + hostileString(rng)),
  (lines, rng) => onLine(lines, rng, (line) => `${" ".repeat(rng.below(8))}${line}`),
  (lines, rng) => onLine(lines, rng, (line) => `${line}\r`),
];

/** Changes lines of a text and words in them. */
export function mutateLines(input: Buffer, rng: Random): Buffer {
  const lines = input.toString("utf8").split("\n");
  return Buffer.from(changes[rng.below(changes.length)]!(lines, rng).join("\n"));
}

function onLine(lines: string[], rng: Random, change: (line: string) => string): string[] {
  const at = rng.below(lines.length);
  return lines.with(at, change(lines[at]!));
}

function changeWord(line: string, rng: Random): string {
  const words = line.split(/([\t ,=:]+)/);
  return words.with(rng.below(words.length), hostileString(rng)).join("");
}

function hostileString(rng: Random): string {
  return hostileStrings[rng.below(hostileStrings.length)]!;
}
