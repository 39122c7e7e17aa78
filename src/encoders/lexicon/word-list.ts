import { stat } from "node:fs/promises";
import { join } from "node:path";
import { readSurfaces } from "../../lexicon/index.ts";
import { InputError, quote } from "../../util/errors.ts";
import { own } from "../../util/own.ts";
import { findPackage } from "../pretrained.ts";

/** Packages that hold a list of words: the file, and the word in a line of it. */
const packages: Readonly<Record<string, { readonly file: string; readonly word: (line: string) => string }>> = {
  "@node-rs/jieba": { file: "dict.txt", word: (line) => line.slice(0, line.indexOf(" ")) },
};

/** The list that is taken where none is named. */
export const usualList = "@node-rs/jieba";

/**
 * The words of a file with one on each line, or of an installed package, in their order. A single character is no word
 * unless such are asked for.
 */
export async function readWordList(source: string, { single = false } = {}): Promise<string[]> {
  const file = await locate(source);
  const { word = (line: string) => line } = own(packages, source) ?? {};
  const words = (await readSurfaces(file)).map(word).filter((text) => (single ? text !== "" : isWord(text)));
  if (words.length === 0)
    throw new InputError("word list: expected words of at least two characters, the file has none", { file });
  return words;
}

/** A single character has a vector already. */
export function isWord(text: string): boolean {
  return text.length > 2 || [...text].length > 1;
}

async function locate(source: string): Promise<string> {
  const known = own(packages, source);
  if (known) {
    const directory = await findPackage(source);
    if (directory !== undefined) return join(directory, known.file);
    throw new InputError(
      `word list: package ${source} is not installed here; run: npm install --no-save ${source}, or name a file with one word per line as words.lexicon`,
    );
  }
  const found = await stat(source).catch(() => undefined);
  if (!found?.isFile()) {
    const names = Object.keys(packages).join(", ");
    throw new InputError(`word list: no such file or known package ${quote(source)} (packages: ${names})`);
  }
  return source;
}
