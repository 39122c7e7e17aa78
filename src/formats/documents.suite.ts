import fc from "fast-check";
import {
  type Annotation,
  compareEntities,
  type Document,
  type Entity,
  makeSentence,
  overlaps,
  type Span,
  sameSpan,
} from "../text/document.ts";
import { joinTokens } from "../text/join.ts";
import { tokenise } from "../text/tokenise.ts";
import type { Format, ReadOptions, WriteOptions } from "./format.ts";
import { type Loss, reducer } from "./losses.ts";
import type { Source } from "./source.ts";

/** Words and signs that have broken offsets somewhere: emoji, marks, pairs, scripts without spaces, quotes, line ends. */
const words = fc.constantFrom(
  ..."Anna Müller's l'Aquila 3.5 U.S. x-ray O -DOCSTART- B-PER UNK 北京 大 学 東京都 서울 ไทย ก็ é e\u0301 👩‍🚀 🇫🇷 👍🏽 𝒳 \\ \" ' , . ! 。 「 [1]".split(
    " ",
  ),
);
const gaps = fc.constantFrom(" ", " ", " ", "", "\n", "\r\n", "\n\n", "\t", "\u3000", "\u00a0", "\u200b", "  ");
const oddTokens = fc.constantFrom(
  " ",
  "\ud83d",
  "\ude80",
  "a b",
  "tab\there",
  "two\nlines",
  "\u3000",
  "\ufeffmark",
  "-DOCSTART-",
);

/** Spans of some of `count` items, as many as asked for. */
function spans(count: number, most: number): fc.Arbitrary<Span[]> {
  if (count === 0) return fc.constant([]);
  const span = fc.tuple(fc.nat(count - 1), fc.integer({ min: 1, max: 4 }));
  return fc.array(
    span.map(([start, width]) => ({ start, end: Math.min(count, start + width) })),
    { maxLength: most },
  );
}

const types = fc.constantFrom("PER", "ORG", "LOC.NAM", "GPE-NAM", "机构", "given name");
const score = fc.option(fc.constantFrom(0, 0.25, 1), { nil: undefined });
const provenance = fc.option(fc.constantFrom({ source: "dictionary", entry: "Anna" }, { source: "model" }), {
  nil: undefined,
});

function entitiesAt(places: readonly Span[]): fc.Arbitrary<Entity[]> {
  const details = fc.record({ type: types, score, provenance });
  return fc
    .array(details, { minLength: places.length, maxLength: places.length })
    .map((list) => distinct(places.map((place, i) => ({ ...place, ...definedOf(list[i]!) }))).sort(compareEntities));
}

function definedOf<T extends object>(object: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as never;
}

function distinct(entities: readonly Entity[]): Entity[] {
  return entities.filter((entity, i) => !entities.slice(0, i).some((other) => compareEntities(other, entity) === 0));
}

/** Anything that may be said about `count` tokens. */
function anyAnnotation(count: number): fc.Arbitrary<Annotation> {
  const typed = <K extends string>(key: K, value: fc.Arbitrary<unknown>, most: number) =>
    spans(count, most).chain((places) =>
      fc.tuple(
        ...places.map((place) =>
          fc
            .option(value, { nil: undefined })
            .map((given) => (given === undefined ? place : { ...place, [key]: given })),
        ),
      ),
    );
  return fc.record({
    entities: spans(count, 4).chain(entitiesAt),
    rejected: typed("type", types, 2),
    unsure: spans(count, 2),
    complete: typed("types", fc.constant(["PER"]), 2),
  });
}

/** Entities of different kinds, touching or nested or apart, and nothing else. */
function entitiesOnly(count: number, flat: boolean): fc.Arbitrary<Annotation> {
  return spans(count, 4).map((places) => {
    const kept: Entity[] = [];
    for (const [i, place] of places.entries()) {
      const clash = kept.some((other) => (flat ? overlaps(other, place) : sameSpan(other, place)));
      if (!clash) kept.push({ ...place, type: i % 2 === 0 ? "PER" : "ORG" });
    }
    return { entities: kept };
  });
}

type AnnotationOf = (tokens: number) => fc.Arbitrary<Annotation>;

/** Documents of tokens whose text is the tokens joined. */
function joined(
  tokens: fc.Arbitrary<string>,
  sentences: { min: number; max: number },
  annotationOf: AnnotationOf,
): fc.Arbitrary<Document> {
  const lists = fc.array(fc.array(tokens, { maxLength: 6 }), { minLength: sentences.min, maxLength: sentences.max });
  return lists.chain((list) => {
    const { text, offsets } = joinTokens(list);
    return fc.tuple(...list.map((each) => annotationOf(each.length))).map((annotations) => ({
      text,
      sentences: offsets.map((places, i) => makeSentence(text, places, annotations[i])),
    }));
  });
}

/** Documents that the tokeniser made of a text with annotations of characters. */
function tokenised(annotationOf: AnnotationOf): fc.Arbitrary<Document> {
  const piece = fc.tuple(words, gaps);
  return fc.array(piece, { maxLength: 12 }).chain((pieces) => {
    const starts: number[] = [];
    let text = "";
    for (const [word, gap] of pieces) {
      starts.push(text.length);
      text += word + gap;
    }
    const ends = pieces.map(([word], i) => starts[i]! + word.length);
    const inCharacters = <S extends Span>(list: readonly S[] = []): S[] =>
      list.map((span) => ({ ...span, start: starts[span.start]!, end: ends[span.end - 1]! }));
    return annotationOf(pieces.length).map(({ entities, rejected, unsure, complete }) =>
      tokenise(text, {
        entities: inCharacters(entities),
        rejected: inCharacters(rejected),
        unsure: inCharacters(unsure),
        complete: inCharacters(complete),
      }),
    );
  });
}

const ids = fc.option(fc.constantFrom("a", "doc 7", "x/y", "untitled-3", ".hidden", ""), { nil: undefined });

/** Documents of all kinds, with everything the model can hold. */
export const anyDocument: fc.Arbitrary<Document> = fc
  .tuple(
    fc.oneof(
      tokenised(anyAnnotation),
      joined(words, { min: 1, max: 1 }, anyAnnotation),
      joined(
        fc.oneof({ weight: 8, arbitrary: words }, { weight: 1, arbitrary: oddTokens }),
        { min: 0, max: 3 },
        anyAnnotation,
      ),
    ),
    ids,
  )
  .map(([document, id]) => (id === undefined ? document : { id, ...document }));

/** Documents of text with entities only, as formats of text can express them. */
export const textDocuments = (flat: boolean): fc.Arbitrary<Document> => tokenised((count) => entitiesOnly(count, flat));

/** Documents of one line of text without annotations. */
export const plainTexts: fc.Arbitrary<Document> = tokenised(() => fc.constant({})).map(({ text }) =>
  tokenise(text.replaceAll(/[\r\n]+/g, " ")),
);

/** Documents of tokens with entities only, as formats of tokens can express them. */
export const tokenDocuments = (flat: boolean, sentences: { min: number; max: number }): fc.Arbitrary<Document> =>
  joined(
    words.filter((word) => word !== "-DOCSTART-"),
    sentences,
    (count) => entitiesOnly(count, flat),
  );

/** Bytes in memory as a source that hands them out in chunks of a size. */
export function memorySource(content: string | Buffer, chunkSize = 1 << 16, name = "memory"): Source {
  const bytes = Buffer.from(content);
  const source: Source = {
    name,
    head: async (limit) => bytes.subarray(0, limit),
    async *chunks() {
      for (let start = 0; start < bytes.length; start += chunkSize) yield bytes.subarray(start, start + chunkSize);
    },
    rereading: (work) => work(source),
  };
  return source;
}

/** What a format makes of documents: the text of the file, and what had to be left out. */
export async function written(
  format: Format,
  documents: readonly Document[],
  options: WriteOptions = {},
): Promise<{ content: string; reduced: Document[]; losses: Loss[] }> {
  if (format.storage !== "file") throw new Error("only a file is written to memory");
  const reduction = reducer(format, documents, "memory", { onLoss: "list", ...options });
  const reduced: Document[] = [];
  async function* watched(): AsyncGenerator<Document, void, undefined> {
    for await (const document of reduction.reduced) {
      reduced.push(document);
      yield document;
    }
  }
  const pieces = await collect(format.write(watched(), options));
  return { content: pieces.join(""), reduced, losses: reduction.losses() };
}

export async function readContent(
  format: Format,
  content: string | Buffer,
  options: ReadOptions = {},
  chunkSize?: number,
): Promise<Document[]> {
  return collect(format.read(memorySource(content, chunkSize), options));
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const result: T[] = [];
  for await (const item of items) result.push(item);
  return result;
}
