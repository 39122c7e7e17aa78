import { unzipSync } from "node:zlib";
import type { Document, Span } from "../text/index.ts";
import { assertedRegions, entitiesOfTags, type Tag, type TagRole, tokenise } from "../text/index.ts";
import { messageOf, quote } from "../util/errors.ts";
import type { BinaryFormat, ReadOptions } from "./format.ts";
import { type Packed, unpack } from "./msgpack.ts";
import { murmur64 } from "./murmur.ts";
import { type Fail, failure } from "./rows.ts";
import type { Source } from "./source.ts";
import { spacyDoc } from "./spacy-doc.ts";
import { spacySymbols } from "./spacy-symbols.ts";

/** A file is held in memory, unpacked; a larger one is better cut up. */
const largest = 1 << 30;
const word = 8;

/**
 * spaCy's DocBin, the `.spacy` files of `spacy convert` and `spacy train`: compressed MessagePack with a table of
 * attributes by token. Tokens, sentences and entities are read, and tokens whose entity is missing stay unknown.
 */
export const docbin: BinaryFormat = {
  name: "docbin",
  title: "spaCy DocBin",
  storage: "binary",
  instead: spacyDoc.name,
  extensions: [".spacy"],
  silence:
    "tokens outside entities are unknown unless the caller declares them negative; in a file with missing entity tags, O is asserted and those tokens are unknown",
  limits: [],
  recognises: ({ bytes }) => bytes[0] === 0x78 && bytes.readUInt16BE(0) % 31 === 0,
  read,
};

async function* read(source: Source, options: ReadOptions): AsyncGenerator<Document, void, undefined> {
  const fail = failure("docbin", source.name);
  const chunks: Buffer[] = [];
  for await (const chunk of source.chunks()) chunks.push(chunk);
  if (chunks.every(({ length }) => length === 0)) return;
  const table = tableOf(unpacked(Buffer.concat(chunks), fail), fail);
  if (table.spanGroups > 0) options.onNotice?.("documents with span groups, which are passed over", source.name);
  const asserted = options.silence === "negative" || table.hasMissing;
  for (const rows of table.documents) yield documentOf(rows, table, asserted, fail);
}

function unpacked(bytes: Buffer, fail: Fail): ReadonlyMap<Packed, Packed> {
  try {
    const value = unpack(unzipSync(bytes, { maxOutputLength: largest }));
    if (value instanceof Map) return value;
  } catch (error) {
    return fail(`not a DocBin: ${messageOf(error)}`);
  }
  return fail("not a DocBin: expected a map");
}

/** The attributes that are read, by spaCy's numbers. */
const attributes = { orth: 65, iob: 77, type: 78, sentenceStart: 80 } as const;
type Attribute = keyof typeof attributes;

interface TokenTable {
  /** Ranges of rows. */
  readonly documents: readonly Span[];
  /** The value of a row; 0 where the file leaves the attribute out. */
  value(row: number, attribute: Attribute): bigint;
  spaceAfter(row: number): boolean;
  string(hash: bigint): string;
  readonly hasMissing: boolean;
  readonly spanGroups: number;
}

function tableOf(fields: ReadonlyMap<Packed, Packed>, fail: Fail): TokenTable {
  const bytesOf = (key: string): Buffer => {
    const value = fields.get(key);
    return Buffer.isBuffer(value) ? value : fail(`${key} must be bytes, got ${quote(typeof value)}`);
  };
  const listOf = (key: string): readonly Packed[] => {
    const value = fields.get(key);
    return Array.isArray(value) ? value : fail(`${key} must be a list, got ${quote(typeof value)}`);
  };
  const columns = listOf("attrs");
  const [tokens, spaces, lengths] = [bytesOf("tokens"), bytesOf("spaces"), bytesOf("lengths")];
  const strings = new Map(listOf("strings").map((text): [bigint, string] => [hashOf(String(text)), String(text)]));
  const documents: Span[] = [];
  for (let at = 0; at + 4 <= lengths.length; at += 4) {
    const start = documents.at(-1)?.end ?? 0;
    documents.push({ start, end: start + lengths.readUInt32LE(at) });
  }
  const count = documents.at(-1)?.end ?? 0;
  const expected = { tokens: count * columns.length * word, spaces: count };
  if (tokens.length !== expected.tokens || spaces.length !== expected.spaces)
    fail(`expected ${count} tokens of ${columns.length} attributes, got ${tokens.length} bytes`);
  const places = Object.fromEntries(
    Object.entries(attributes).map(([name, number]) => [name, columns.indexOf(number)]),
  ) as Record<Attribute, number>;
  if (places.orth < 0) fail("the words of the tokens (ORTH) are missing");
  const value = (row: number, attribute: Attribute): bigint =>
    places[attribute] < 0 ? 0n : tokens.readBigUInt64LE((row * columns.length + places[attribute]) * word);
  let hasMissing = false;
  for (let row = 0; row < count && !hasMissing && places.iob >= 0; row++) hasMissing = value(row, "iob") === 0n;
  const groups = fields.get("span_groups");
  return {
    documents,
    value,
    spaceAfter: (row) => spaces[row] !== 0,
    string: (hash) => strings.get(hash) ?? fail(`the string with the hash ${hash} is not in the file`),
    hasMissing: hasMissing && count > 0,
    spanGroups: Array.isArray(groups) ? groups.filter((each) => Buffer.isBuffer(each) && each.length > 1).length : 0,
  };
}

function hashOf(text: string): bigint {
  return text === "" ? 0n : (spacySymbols.get(text) ?? murmur64(Buffer.from(text)));
}

/** What spaCy's numbers say of a token. */
const roles: Readonly<Record<string, TagRole>> = { 0: "unknown", 1: "I", 2: "O", 3: "B" };

function documentOf({ start, end }: Span, table: TokenTable, asserted: boolean, fail: Fail): Document {
  const offsets: number[] = [];
  const tags: Tag[] = [];
  const sentences: number[] = [];
  let areSentencesKnown = false;
  let text = "";
  for (let row = start; row < end; row++) {
    const begins = table.value(row, "sentenceStart");
    if (begins === 1n) sentences.push(text.length);
    // The first token starts a sentence even where nobody has looked for any.
    areSentencesKnown ||= row > start && begins !== 0n;
    offsets.push(text.length);
    text += table.string(table.value(row, "orth"));
    offsets.push(text.length);
    if (table.spaceAfter(row)) text += " ";
    const role = roles[String(table.value(row, "iob"))] ?? fail(`token ${row}: unknown entity tag`);
    const type = role === "B" || role === "I" ? table.string(table.value(row, "type")) : "";
    if (type === "" && role !== "O" && role !== "unknown") fail(`token ${row}: an entity has no type`);
    tags.push({ role, type, text: role });
  }
  const characters = <S extends Span>(span: S): S => ({
    ...span,
    start: offsets[2 * span.start]!,
    end: offsets[2 * span.end - 1]!,
  });
  const entities = entitiesOfTags(tags, tags.length);
  const complete = asserted ? assertedRegions(tags.length, (i) => tags[i]!.role === "unknown", entities) : [];
  return tokenise(
    text,
    { entities: entities.map(characters), complete: complete.map(characters) },
    { tokens: Int32Array.from(offsets), sentences: areSentencesKnown ? sentences : undefined },
  );
}
