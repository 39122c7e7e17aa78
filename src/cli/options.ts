import { type Command, InvalidArgumentError, Option } from "commander";

/** Whether a required flag may be missing, given the others. */
type Unless = (values: Readonly<Record<string, unknown>>) => boolean;
const requiredOptions = new WeakMap<Option, Unless>();

/**
 * A flag that must be given. Commander's own `requiredOption` is checked before misspelt flags are, so that `--inn` would
 * be answered with "--in is missing" instead of "did you mean --in?".
 */
export function required(flags: string, description: string, unless: Unless = () => false): Option {
  const option = new Option(flags, `${description} (required)`);
  requiredOptions.set(option, unless);
  return option;
}

/** Ends with a usage error when a required flag is missing; to be called before the action. */
export function assertRequiredOptions(command: Command): void {
  for (const option of command.options) {
    const unless = requiredOptions.get(option);
    const isMissing = unless !== undefined && command.getOptionValue(option.attributeName()) === undefined;
    if (isMissing && !unless(command.opts())) command.error(`error: required option '${option.flags}' not specified`);
  }
}

/** A number from 0 to 1. */
export function fraction(text: string): number {
  const value = decimal(text);
  if (!(value >= 0 && value <= 1)) throw new InvalidArgumentError("Expected a number from 0 to 1.");
  return value;
}

/** A whole number from 0. */
export function wholeNumber(text: string): number {
  const value = decimal(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new InvalidArgumentError("Expected a whole number from 0.");
  return value;
}

/** A whole number from 1. */
export function countingNumber(text: string): number {
  const value = decimal(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError("Expected a whole number from 1.");
  return value;
}

/** A number above 0. */
export function positiveNumber(text: string): number {
  const value = decimal(text);
  if (!(value > 0 && Number.isFinite(value))) throw new InvalidArgumentError("Expected a number above 0.");
  return value;
}

/** Collects `TYPE=RATE` arguments of a flag that may be given several times. */
export function typeRate(text: string, previous: ReadonlyMap<string, number> = new Map()): Map<string, number> {
  const equals = text.lastIndexOf("=");
  if (equals < 1) throw new InvalidArgumentError("Expected TYPE=RATE, such as PER=0.5.");
  return new Map(previous).set(text.slice(0, equals), fraction(text.slice(equals + 1)));
}

/** Collects `NAME=DIR` arguments of a flag that may be given several times. */
export function partOption(): Option {
  return new Option(
    "--part <name=dir>",
    "where a frozen part of the model is, such as charlm=DIR; may be given several times (default: where it was in training)",
  ).argParser((text: string, previous: Readonly<Record<string, string>> = {}) => {
    const equals = text.indexOf("=");
    if (equals < 1 || equals === text.length - 1)
      throw new InvalidArgumentError("Expected NAME=DIR, such as charlm=models/news.");
    return { ...previous, [text.slice(0, equals)]: text.slice(equals + 1) };
  });
}

export function shiftOption(): Option {
  return new Option(
    "--shift <number>",
    "added to the score of O: below 0 finds more entities, above 0 fewer (default: as trained)",
  ).argParser((text: string) => {
    const value = decimal(text);
    if (!Number.isFinite(value)) throw new InvalidArgumentError("Expected a number, such as -2.");
    return value;
  });
}

/** Collects the arguments of a flag that may be given several times. */
export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}

export function seedOption(): Option {
  return new Option("--seed <number>", "seed of every random choice").argParser(wholeNumber).default(1);
}

export function quietOption(): Option {
  return new Option("--quiet", "no progress and no summary on standard error");
}

export function jsonOption(description: string): Option {
  return new Option("--json", description);
}

/** Stricter than `Number`, which takes an empty argument for 0. */
function decimal(text: string): number {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
}
