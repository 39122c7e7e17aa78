import { type Random, random } from "../src/util/random.ts";

/** A made-up language: words by rank, of which the r-th is used about 1/r as often as the first. */
interface Language {
  readonly words: readonly string[];
  /** A word, from the given rank on. */
  draw(from: number, rng: Random): string;
}

const vocabulary = 1_000_000;
/** The most frequent words are no names by themselves, and rarely in names. */
const commonWords = 2000;

function makeLanguage(rng: Random): Language {
  const words = new Set<string>();
  while (words.size < vocabulary) words.add(makeWord(rng));
  const list = [...words];
  return { words: list, draw: (from, source) => list[zipf(from, list.length, source)]! };
}

const onsets = "bcdfghjklmnprstvwz";
const vowels = "aeiou";

function makeWord(rng: Random): string {
  let word = "";
  for (let syllables = 1 + rng.below(4); syllables > 0; syllables--) {
    word += onsets[rng.below(onsets.length)]! + vowels[rng.below(vowels.length)]!;
    if (rng.below(3) === 0) word += onsets[rng.below(onsets.length)]!;
  }
  return word;
}

/** A rank from `low` below `high`, with probability about 1 / (rank - low + 1). */
function zipf(low: number, high: number, rng: Random): number {
  return Math.min(high - 1, low + Math.floor(Math.exp(rng.next() * Math.log(high - low + 1)) - 1));
}

export interface LexiconData {
  /** Distinct surfaces of one to four words. */
  readonly surfaces: readonly string[];
  /** Lines of text of about thirty words; one word in twenty is the place of a surface. */
  readonly lines: readonly string[];
  readonly bytes: number;
}

/** A dictionary and a text in the same made-up language. About one token in five begins a match. */
export function makeLexiconData(entries: number, textBytes: number): LexiconData {
  const rng = random(1, "bench", "lexicon");
  const language = makeLanguage(rng);
  const surfaces = [...makeSurfaces(language, entries, rng)];
  const lines: string[] = [];
  let bytes = 0;
  while (bytes < textBytes) {
    const line = makeLine(language, surfaces, rng);
    lines.push(line);
    bytes += line.length + 1;
  }
  return { surfaces, lines, bytes };
}

function makeSurfaces(language: Language, count: number, rng: Random): Set<string> {
  const surfaces = new Set<string>();
  while (surfaces.size < count) {
    const length = 1 + rng.below(4);
    const uniform = (): string => language.words[commonWords + rng.below(vocabulary - commonWords)]!;
    const words = Array.from({ length }, () => (length === 1 ? uniform() : language.draw(commonWords >> 2, rng)));
    surfaces.add(words.join(" "));
  }
  return surfaces;
}

function makeLine(language: Language, surfaces: readonly string[], rng: Random): string {
  const words = Array.from({ length: 20 + rng.below(20) }, () =>
    rng.below(20) === 0 ? surfaces[zipf(0, surfaces.length, rng)]! : language.draw(0, rng),
  );
  return `${words.join(" ")}.`;
}
