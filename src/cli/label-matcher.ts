import { basename, resolve } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import {
  declaredDictionary,
  eachEntry,
  type Folding,
  foldingChoices,
  type Matcher,
  matcherBuilder,
  readMatcher,
  readSurfaces,
} from "../lexicon/index.ts";
import { InputError, quote } from "../util/errors.ts";
import { longWork } from "../util/long-work.ts";
import { collect, wholeNumber } from "./options.ts";
import { encoding } from "./reading.ts";

/** Flags that say which surfaces are matched, and how. */
export interface MatcherFlags {
  readonly dict?: readonly string[];
  readonly unsure?: readonly string[];
  readonly columns?: "surface-type" | "type-surface";
  readonly dictEncoding?: string;
  readonly stop?: readonly string[];
  readonly minLength?: number;
  readonly maxWords?: number;
  readonly ignoreCase?: boolean;
  readonly ignoreWidth?: boolean;
  readonly normalise?: Folding["normalisation"];
  readonly whitespace?: Folding["whitespace"];
  readonly hyphens?: Folding["hyphen"];
  readonly matcher?: string;
}

export function matcherOptions(): Option[] {
  const building = [
    new Option(
      "--dict <file[=TYPE]>",
      "dictionary, once for each; the type is else in the file, or its name",
    ).argParser(collect),
    new Option("--unsure <file>", "dictionary without types: its matches are marked undecided").argParser(collect),
    new Option("--columns <order>", "order of two columns without a head (default: surface-type)").choices([
      "surface-type",
      "type-surface",
    ]),
    new Option("--dict-encoding <name>", "encoding of the dictionaries (default: by the mark, else utf-8)").argParser(
      encoding,
    ),
    new Option("--stop <file>", "surfaces that stay unknown, one a line").argParser(collect),
    new Option("--min-length <n>", "surfaces of fewer characters stay unknown").argParser(positive),
    new Option("--max-words <n>", "surfaces of more words (Chinese: characters) stay unknown").argParser(positive),
    new Option("--ignore-case", "upper and lower case are alike"),
    new Option("--ignore-width", "full-width and half-width forms are alike"),
    new Option("--normalise <form>", "Unicode normal form (default: nfc)").choices(foldingChoices.normalisation),
    new Option("--whitespace <rule>", "which white space counts (default: words, between letters)").choices(
      foldingChoices.whitespace,
    ),
    new Option("--hyphens <rule>", "how hyphens are compared (default: exact)").choices(foldingChoices.hyphen),
  ];
  const compiled = new Option("--matcher <file>", "dictionaries compiled by --save-matcher").conflicts(
    building.map((option) => option.attributeName()),
  );
  return [...building, compiled];
}

/** Builds the matcher that the flags ask for, or opens a compiled one. */
export async function openMatcher(flags: MatcherFlags): Promise<Matcher> {
  if (flags.matcher !== undefined) return readMatcher(flags.matcher);
  const dictionaries = declaredDictionaries(flags);
  const reading = { encoding: flags.dictEncoding };
  const stop = (await Promise.all((flags.stop ?? []).map((path) => readSurfaces(path, reading)))).flat();
  const builder = matcherBuilder({ ...limitsOf(flags), folding: foldingOf(flags), stop });
  for (const { path, ...options } of dictionaries) {
    const dictionary = { ...reading, ...options, columns: flags.columns, anyCase: flags.ignoreCase };
    await eachEntry(path, dictionary, (entry) => builder.add(entry));
  }
  return longWork(() => builder.finish());
}

interface Declaration {
  readonly path: string;
  readonly name: string;
  readonly type: string | undefined;
  readonly untyped: boolean;
}

function declaredDictionaries({ dict = [], unsure = [] }: MatcherFlags): Declaration[] {
  const declared = [
    ...dict.map((text) => ({ ...splitType(text), untyped: false })),
    ...unsure.map((path) => ({ path, type: undefined, untyped: true })),
  ];
  if (declared.length === 0)
    throw new InputError("label: no dictionary was given (--dict FILE[=TYPE], --unsure FILE, --matcher FILE)");
  const names = declared.map(({ path }) => basename(path));
  for (const [index, { path }] of declared.entries()) {
    const again = declared.findIndex((other) => resolve(other.path) === resolve(path));
    if (again < index) {
      const [before, now] = [declared[again]!, declared[index]!].map(describe);
      throw new InputError(`label: declared twice, ${before} and ${now}`, { file: path });
    }
  }
  const isUnique = (name: string): boolean => names.indexOf(name) === names.lastIndexOf(name);
  return declared.map((each, index) => ({ ...each, name: isUnique(names[index]!) ? names[index]! : each.path }));
}

function splitType(text: string): { path: string; type: string | undefined } {
  const { path, type } = declaredDictionary(text);
  if (path === "" || type === "") throw new InputError(`label: expected --dict FILE=TYPE, got ${quote(text)}`);
  return { path, type };
}

function describe({ type, untyped }: { type: string | undefined; untyped: boolean }): string {
  return untyped ? "without types" : type === undefined ? "with the types it names" : `as ${quote(type)}`;
}

function foldingOf(flags: MatcherFlags): Partial<Folding> {
  return {
    ...(flags.ignoreCase && { case: true }),
    ...(flags.ignoreWidth && { width: true }),
    ...(flags.normalise && { normalisation: flags.normalise }),
    ...(flags.whitespace && { whitespace: flags.whitespace }),
    ...(flags.hyphens && { hyphen: flags.hyphens }),
  };
}

function limitsOf({ minLength, maxWords }: MatcherFlags): { minimumLength?: number; maximumWords?: number } {
  return {
    ...(minLength !== undefined && { minimumLength: minLength }),
    ...(maxWords !== undefined && { maximumWords: maxWords }),
  };
}

function positive(text: string): number {
  const value = wholeNumber(text);
  if (value === 0) throw new InvalidArgumentError("Expected a whole number from 1.");
  return value;
}
