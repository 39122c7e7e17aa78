import { declareComplete, type Sentence } from "../text/index.ts";
import { InputError, quote } from "../util/errors.ts";

/** A file of which the user says that its annotation is complete, for all types or for some. */
export interface Declaration {
  readonly file: string;
  readonly types?: readonly string[];
}

/** `b.conll`, or `b.conll=PER,LOC` for these types alone. The name of a file may hold an equals sign itself. */
export function declarationOf(text: string, files: readonly string[]): Declaration {
  if (files.includes(text)) return { file: text };
  const equals = text.lastIndexOf("=");
  const file = text.slice(0, Math.max(0, equals));
  if (!files.includes(file)) {
    throw new InputError(
      `--complete: expected a file given by --train (${files.join(", ")}), or FILE=TYPE,TYPE, got ${quote(text)}`,
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
