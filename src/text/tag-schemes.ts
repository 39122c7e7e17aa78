import type { Scheme, Tag } from "./tags.ts";

/** A tag that breaks the rules of its scheme. */
export interface TagViolation {
  readonly token: number;
  readonly rule: string;
}

const letterSets: Readonly<Record<Scheme, string>> = {
  IOB1: "BI",
  IOB2: "BI",
  BIOES: "BIES",
  BMES: "BMES",
  BILOU: "BILU",
};

/** Every place where a tag sequence breaks the rules of a scheme, in order. */
export function* violations(
  tags: readonly Tag[],
  scheme: Scheme,
  count: number = tags.length,
): Generator<TagViolation, void, undefined> {
  let previous: Tag | undefined;
  for (let token = 0; token <= count; token++) {
    const tag = token < count ? tags[token]! : undefined;
    const rule = brokenRule(previous, tag, scheme);
    if (rule !== undefined) yield { token: Math.min(token, count - 1), rule };
    previous = tag;
  }
}

function brokenRule(previous: Tag | undefined, tag: Tag | undefined, scheme: Scheme): string | undefined {
  const letter = tag?.type ? tag.text.charAt(0) : "";
  if (letter !== "" && !letterSets[scheme].includes(letter)) {
    return `${scheme} has no letter ${letter} (it has ${[...letterSets[scheme]].join(" ")} and O), got ${tag!.text}`;
  }
  const inside = previous?.role === "B" || previous?.role === "I";
  const sameType = inside && tag !== undefined && previous!.type === tag.type;
  const goesOn = tag?.role === "I" || tag?.role === "E";
  const now = tag?.text ?? "the end of the sentence";
  const before = previous?.text ?? "the beginning of the sentence";
  if (scheme === "IOB1") {
    if (tag?.role === "B" && !sameType)
      return `${now} must follow an entity of the same type in IOB1, got it after ${before}`;
    return undefined;
  }
  if (goesOn && !sameType)
    return `${now} must follow a tag inside an entity of the same type in ${scheme}, got it after ${before}`;
  if (scheme !== "IOB2" && inside && !goesOn)
    return `${before} must be followed by the rest of its entity in ${scheme}, got ${now}`;
  return undefined;
}

/** Collects what tags show of their scheme. */
export interface SchemeDetector {
  add(tags: readonly Tag[], count?: number): void;
  /** The scheme that fits what was seen; IOB2 where nothing tells schemes apart. */
  scheme(): Scheme;
}

/**
 * Letters decide between BILOU, BMES, BIOES and the two IOBs. IOB1 it is when some entity begins with I and no B stands
 * anywhere but between two entities of one type that touch.
 */
export function schemeDetector(): SchemeDetector {
  const seen = new Set<string>();
  let beginsWithI = false;
  let idleB = false;
  return {
    add(tags, count = tags.length) {
      let previous: Tag | undefined;
      for (let token = 0; token < count; token++) {
        const tag = tags[token]!;
        if (tag.type !== "") {
          seen.add(tag.text.charAt(0));
          const sameType = previous?.type === tag.type;
          if (tag.role === "I" && !sameType) beginsWithI = true;
          if (tag.role === "B" && !sameType) idleB = true;
        }
        previous = tag;
      }
    },
    scheme() {
      if (seen.has("L") || seen.has("U")) return "BILOU";
      if (seen.has("M")) return "BMES";
      if (seen.has("E") || seen.has("S")) return "BIOES";
      return beginsWithI && !idleB ? "IOB1" : "IOB2";
    },
  };
}

/** The scheme that fits tag sequences best. */
export function detectScheme(sequences: Iterable<readonly Tag[]>): Scheme {
  const detector = schemeDetector();
  for (const tags of sequences) detector.add(tags);
  return detector.scheme();
}
