import type { Legal } from "../../nn/index.ts";
import type { Entity, Span, Tag } from "../../text/index.ts";

/**
 * Schemes by name, each with the roles of a token in an entity; I is I whatever letter files have for it. `io` cannot
 * tell entities of one type apart that touch.
 */
export const tagSchemes = { bio: ["B", "I"], bmeso: ["B", "I", "E", "S"], io: ["I"] } as const;
export type TagScheme = keyof typeof tagSchemes;

/** The tags of a tagger: 0 is O, then those of each type. */
export interface TagSet {
  readonly size: number;
  /** Whether a tag may follow another. */
  readonly legal: Legal;
  /** What each number means when entities are read from a sequence; the extra type reads as O. */
  readonly tags: readonly Tag[];
  /** `O`, `B-PER`, … each with a name of its own. */
  readonly names: readonly string[];
  /** The number of each tag's type; -1 for O and for the extra type. */
  readonly typeOf: readonly number[];
  /** The tags of a sentence whose entities do not overlap. */
  encode(length: number, entities: readonly Entity[]): Int32Array;
  /** The same for spans of the extra type. */
  encodeExtra(length: number, spans: readonly Span[]): Int32Array;
}

const extraType = "NON";

/** With `extra`, there are tags of one more type, for spans that are drawn from text without an entity. */
export function tagSet(types: readonly string[], scheme: TagScheme, { extra = false } = {}): TagSet {
  const pairs = [...types.keys(), ...(extra ? [types.length] : [])].flatMap((type) =>
    tagSchemes[scheme].map((role) => ({ role, type })),
  );
  const outside: Tag = { role: "O", type: "", text: "O" };
  const numbers = new Map(types.map((type, i) => [type, i]));
  const letters: readonly Tag["role"][] = tagSchemes[scheme];
  const encode = <S extends Span>(length: number, spans: readonly S[], typeOf: (span: S) => number): Int32Array => {
    const tags = new Int32Array(length);
    for (const span of spans) {
      const first = 1 + typeOf(span) * letters.length;
      for (let token = span.start; token < span.end; token++)
        tags[token] = first + letters.indexOf(roleAt(token, span, letters));
    }
    return tags;
  };
  return {
    size: 1 + pairs.length,
    legal: legality(scheme, (tag) => (tag === 0 ? undefined : pairs[tag - 1])),
    tags: [
      outside,
      ...pairs.map(({ role, type }): Tag => {
        const name = types[type];
        return name === undefined ? outside : { role, type: name, text: `${role}-${name}` };
      }),
    ],
    names: ["O", ...pairs.map(({ role, type }) => `${role}-${types[type] ?? extraType}`)],
    typeOf: [-1, ...pairs.map(({ type }) => (type < types.length ? type : -1))],
    encode: (length, entities) => encode(length, entities, ({ type }) => numbers.get(type)!),
    encodeExtra: (length, spans) => encode(length, spans, () => types.length),
  };
}

function roleAt(token: number, { start, end }: Span, letters: readonly Tag["role"][]): Tag["role"] {
  const hasEnds = letters.includes("E");
  if (!letters.includes("B")) return "I";
  if (hasEnds && end - start === 1) return "S";
  if (token === start) return "B";
  return hasEnds && token === end - 1 ? "E" : "I";
}

interface Typed {
  readonly role: Tag["role"];
  readonly type: number;
}

/** I and E go on with the entity before them, in `io` also without one; where entities have an end, nothing else may follow B and I. */
function legality(scheme: TagScheme, typed: (tag: number) => Typed | undefined): Legal {
  if (scheme === "io") return () => true;
  return (from, to) => {
    const [before, after] = [from, to].map((tag) => (tag === undefined ? undefined : typed(tag)));
    const within = before?.role === "B" || before?.role === "I";
    if (after?.role === "I" || after?.role === "E") return within && before.type === after.type;
    return scheme === "bio" || !within;
  };
}
