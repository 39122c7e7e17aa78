import { InputError, quote, unknownName } from "../util/errors.ts";
import type { CompleteRegion, Entity, Span } from "./document.ts";

/** What a tag says of its token: outside, begin, inside, end, single, or nothing at all. */
export type TagRole = "O" | "B" | "I" | "E" | "S" | "unknown";

export interface Tag {
  readonly role: TagRole;
  /** The entity type; empty for O and for the unknown tag. */
  readonly type: string;
  /** As it stood in the file. */
  readonly text: string;
}

/** Tags that say nothing about their token. */
export const unknownTags: readonly string[] = ["UNK", "-", "?"];

/** The letters with which each scheme writes the roles. BMES is BIOES, and BILOU too, with other letters. */
const letters = {
  IOB1: { B: "B", I: "I" },
  IOB2: { B: "B", I: "I" },
  BIOES: { B: "B", I: "I", E: "E", S: "S" },
  BMES: { B: "B", I: "M", E: "E", S: "S" },
  BILOU: { B: "B", I: "I", E: "L", S: "U" },
} as const;

export type Scheme = keyof typeof letters;

export const schemes = Object.keys(letters) as readonly Scheme[];

/** A scheme by its name in any case, with the other names people use for it (BIO, IOBES, BILUO …). */
export function schemeNamed(name: string): Scheme {
  const wanted = name.toUpperCase();
  const found = otherNames[wanted] ?? schemes.find((scheme) => scheme === wanted);
  if (found === undefined) throw new InputError(`unknown tag scheme ${unknownName(name, schemes)}`);
  return found;
}

const otherNames: Readonly<Record<string, Scheme>> = {
  IOB: "IOB1",
  BIO: "IOB2",
  BIO2: "IOB2",
  IOBES: "BIOES",
  BMEOS: "BMES",
  BILUO: "BILOU",
};

const roles: Readonly<Record<string, TagRole>> = { B: "B", I: "I", M: "I", E: "E", L: "E", S: "S", U: "S" };

/** Reads one tag; no letter means two things in two schemes, so the scheme need not be known. */
export function parseTag(text: string): Tag {
  if (text === "O") return { role: "O", type: "", text };
  if (unknownTags.includes(text)) return { role: "unknown", type: "", text };
  const role = roles[text.charAt(0)];
  if (role === undefined || (text.length > 1 && text[1] !== "-")) {
    throw new InputError(
      `unknown tag ${quote(text)} (known: O, a letter of ${Object.keys(roles).join(" ")} with a type as in B-PER, ` +
        `${unknownTags.join(" ")} for unknown)`,
    );
  }
  if (text.length <= 2)
    throw new InputError(`the tag ${quote(text)} has an empty label (expected a type, as in B-PER)`);
  return { role, type: text.slice(2), text };
}

/** A `parseTag` that gives the same object for the same text, so that a corpus holds each tag once. */
export function tagReader(): (text: string) => Tag {
  const known = new Map<string, Tag>();
  return (text) => {
    let tag = known.get(text);
    if (tag === undefined) {
      tag = parseTag(text);
      known.set(text, tag);
    }
    return tag;
  };
}

/**
 * Entities of a tag sequence, by the rule of conlleval: a token goes on with the entity before it when its tag is I (or
 * E) of the same type and the tag before is B or I; every other tag with a type begins an entity. Valid sequences of
 * every scheme are read as they are meant, and invalid ones as conlleval counts them.
 */
export function entitiesOfTags(tags: readonly Tag[], count = tags.length): Entity[] {
  const entities: Entity[] = [];
  let start = -1;
  let previous: Tag = outside;
  for (let i = 0; i <= count; i++) {
    const tag = i < count ? tags[i]! : outside;
    if (start >= 0 && !continues(previous, tag)) {
      entities.push({ start, end: i, type: previous.type });
      start = -1;
    }
    if (start < 0 && tag.type !== "") start = i;
    previous = tag;
  }
  return entities;
}

const outside: Tag = { role: "O", type: "", text: "O" };

function continues(previous: Tag, tag: Tag): boolean {
  return (
    (tag.role === "I" || tag.role === "E") &&
    (previous.role === "B" || previous.role === "I") &&
    tag.type === previous.type
  );
}

/**
 * The parts of a tagged sentence of which the tags say everything, where O means "not an entity": runs of tokens with a
 * known tag. An entity beside an unknown token is left out, since nobody said that it does not go on there.
 */
export function assertedRegions(
  count: number,
  isUnknown: (token: number) => boolean,
  entities: readonly Span[],
): CompleteRegion[] {
  const silent = new Uint8Array(count + 1);
  for (let i = 0; i < count; i++) if (isUnknown(i)) silent[i] = 1;
  const open = entities.filter(
    ({ start, end }) => (start > 0 && silent[start - 1] === 1) || (end < count && silent[end] === 1),
  );
  for (const { start, end } of open) silent.fill(2, start, end);
  silent[count] = 1;
  const regions: CompleteRegion[] = [];
  let start = -1;
  for (let i = 0; i <= count; i++) {
    if (silent[i] === 0) {
      if (start < 0) start = i;
    } else if (start >= 0) {
      regions.push({ start, end: i });
      start = -1;
    }
  }
  return regions;
}

/** The tags of a sentence: entities that do not overlap, in a scheme; `unknown` marks tokens of which nothing is said. */
export function tagsOfEntities(
  count: number,
  entities: readonly Entity[],
  scheme: Scheme,
  isUnknown: (token: number) => boolean = () => false,
): string[] {
  const tags = Array.from({ length: count }, (_, token) => (isUnknown(token) ? unknownTags[0]! : "O"));
  let previous: Entity | undefined;
  for (const entity of entities) {
    if (previous !== undefined && entity.start < previous.end) {
      throw new InputError(
        `tags cannot hold overlapping entities: ${previous.type} [${previous.start}, ${previous.end}) and ` +
          `${entity.type} [${entity.start}, ${entity.end})`,
      );
    }
    const touches = previous !== undefined && previous.end === entity.start && previous.type === entity.type;
    writeEntity(tags, entity, scheme, touches);
    previous = entity;
  }
  return tags;
}

function writeEntity(tags: string[], { start, end, type }: Entity, scheme: Scheme, touchesSameType: boolean): void {
  const letter = letters[scheme];
  for (let i = start; i < end; i++) tags[i] = `${letter.I}-${type}`;
  if (scheme !== "IOB1" || touchesSameType) tags[start] = `${letter.B}-${type}`;
  if (!("E" in letter)) return;
  tags[end - 1] = `${letter.E}-${type}`;
  if (end - start === 1) tags[start] = `${letter.S}-${type}`;
}
