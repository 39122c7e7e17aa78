import { InputError, quote, unknownName } from "../util/errors.ts";

const normalisations = ["none", "nfc", "nfkc"] as const;
const whitespaces = ["exact", "single", "words", "ignore"] as const;
const hyphens = ["exact", "unify", "space"] as const;

/** Which differences between an entry and the text do not count. The text itself is never changed. */
export interface Folding {
  /** Upper and lower case are alike. */
  readonly case: boolean;
  /** Full-width and half-width forms are alike: Ａ = A, ｶﾞ = ガ. */
  readonly width: boolean;
  readonly normalisation: (typeof normalisations)[number];
  /**
   * `exact`: every space counts as it stands. `single`: a run of white space is one space. `words`: it counts only
   * between two letters or digits, Chinese and Japanese ones excepted, so that "Parkinson ' s" of a tokenised corpus is
   * "Parkinson's", and yet "every day" is not "everyday". `ignore`: it never counts.
   */
  readonly whitespace: (typeof whitespaces)[number];
  /** `unify`: all hyphens and dashes are alike. `space`: they count as white space. */
  readonly hyphen: (typeof hyphens)[number];
}

export const exactCase: Folding = {
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
  const oneOf = <T>(name: string, value: T, known: readonly T[]): void => {
    if (!known.includes(value))
      throw new InputError(`folding: unknown ${name} ${unknownName(String(value), known.map(String))}`);
  };
  oneOf("normalisation", folding.normalisation, normalisations);
  oneOf("whitespace", folding.whitespace, whitespaces);
  oneOf("hyphen", folding.hyphen, hyphens);
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
