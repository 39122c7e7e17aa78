import { InputError, quote, unknownName } from "../util/errors.ts";

/** What may be chosen where folding is not a matter of yes or no. */
export const foldingChoices = {
  normalisation: ["none", "nfc", "nfkc"],
  whitespace: ["exact", "single", "words", "ignore"],
  hyphen: ["exact", "unify", "space"],
} as const;

type Choice<N extends keyof typeof foldingChoices> = (typeof foldingChoices)[N][number];

/** Which differences between an entry and the text do not count. The text itself is never changed. */
export interface Folding {
  /** Upper and lower case are alike. */
  readonly case: boolean;
  /** Full-width and half-width forms are alike: Ａ = A, ｶﾞ = ガ. */
  readonly width: boolean;
  readonly normalisation: Choice<"normalisation">;
  /**
   * `exact`: every space counts as it stands. `single`: a run of white space is one space. `words`: it counts only
   * between two letters or digits, Chinese and Japanese ones excepted, so that "Parkinson ' s" of a tokenised corpus is
   * "Parkinson's", and yet "every day" is not "everyday". `ignore`: it never counts.
   */
  readonly whitespace: Choice<"whitespace">;
  /** `unify`: all hyphens and dashes are alike. `space`: they count as white space. */
  readonly hyphen: Choice<"hyphen">;
}

const exactCase: Folding = {
  case: false,
  width: false,
  normalisation: "nfc",
  whitespace: "words",
  hyphen: "exact",
};

/** Completes and checks what a caller or a file says about folding. */
export function makeFolding(options: Partial<Folding> = {}): Folding {
  for (const name of Object.keys(options)) {
    if (!(name in exactCase))
      throw new InputError(`folding: unknown option ${unknownName(name, Object.keys(exactCase))}`);
  }
  const folding = { ...exactCase, ...options };
  for (const name of ["case", "width"] as const) {
    if (typeof folding[name] !== "boolean") {
      throw new InputError(`folding: ${name} must be true or false, got ${quote(folding[name])}`);
    }
  }
  for (const name of ["normalisation", "whitespace", "hyphen"] as const) {
    const known: readonly string[] = foldingChoices[name];
    if (!known.includes(folding[name]))
      throw new InputError(`folding: unknown ${name} ${unknownName(folding[name], known)}`);
  }
  return folding;
}

const widthVariants = /[\u3000\uff01-\uffee]+/g;
const dashes = /[\p{Pd}\u2212]/gu;

/** Everything but white space: normal form, width, case and hyphens of a piece that no composition crosses. */
export function foldCharacters(text: string, folding: Folding): string {
  const normal = (value: string): string =>
    folding.normalisation === "none" ? value : value.normalize(folding.normalisation === "nfc" ? "NFC" : "NFKC");
  let folded = normal(text);
  if (folding.width) folded = folded.replace(widthVariants, (run) => run.normalize("NFKC"));
  // Code point by code point, because a lower-case sigma otherwise depends on its neighbours.
  if (folding.case) folded = Array.from(folded, (point) => point.toUpperCase().toLowerCase()).join("");
  if (folding.hyphen !== "exact") folded = folded.replace(dashes, folding.hyphen === "space" ? " " : "-");
  return normal(folded);
}
