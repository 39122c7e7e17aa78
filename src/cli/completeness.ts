import { declareComplete, type Sentence } from "../text/index.ts";
import { InputError, quote } from "../util/errors.ts";

/** A file of which the user says that its annotation is complete, for all types or for some. */
export interface Declaration {
  readonly file: string;
  readonly types?: readonly string[];
}

/** A training file as `--train` named it, which may be with a format, and its path. */
interface TrainingFile {
  readonly given: string;
  readonly path: string;
}

/**
 * `b.conll`, or `b.conll=PER,LOC` for these types alone. The name of a file may hold an equals sign itself. Where
 * `--train` gave the format of the file too, it may be named with or without it.
 */
export function declarationOf(text: string, files: readonly TrainingFile[]): Declaration {
  const pathOf = (name: string): string | undefined =>
    files.find(({ given, path }) => name === path || name === given)?.path;
  const whole = pathOf(text);
  if (whole !== undefined) return { file: whole };
  const equals = text.lastIndexOf("=");
  const file = pathOf(text.slice(0, Math.max(0, equals)));
  if (file === undefined) {
    const known = files.map(({ path }) => path).join(", ");
    throw new InputError(
      `--complete: expected a file given by --train (${known}), or FILE=TYPE,TYPE, got ${quote(text)}`,
    );
  }
  const types = text
    .slice(equals + 1)
    .split(",")
    .map((type) => type.trim());
  if (types.includes(""))
    throw new InputError(`--complete ${file}: expected types separated by commas, got ${quote(text)}`);
  return { file, types };
}

/** The sentences of a file with what is declared of it. */
export function withDeclarations(
  sentences: readonly Sentence[],
  file: string,
  declarations: readonly Declaration[],
): readonly Sentence[] {
  return declarations
    .filter((each) => each.file === file)
    .reduce((all, { types }) => all.map((sentence) => declareComplete(sentence, types)), sentences);
}

/** A type that nothing is labelled with cannot be known to be missing: most likely it is misspelt. */
export function refuseUnknownTypes(declarations: readonly Declaration[], train: readonly Sentence[]): void {
  const known = new Set(train.flatMap(({ entities }) => entities.map(({ type }) => type)));
  for (const { file, types = [] } of declarations) {
    const unknown = types.find((type) => !known.has(type));
    if (unknown !== undefined) {
      throw new InputError(
        `--complete ${file}: nothing in the training data is labelled ${quote(unknown)} (known: ${[...known].sort().join(", ")})`,
      );
    }
  }
}
