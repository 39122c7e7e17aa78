import { isBlank } from "./characters.ts";
import { type Annotation, compareEntities, type Document, type Entity, makeSentence, type Span } from "./document.ts";
import { holder, sentenceStarts } from "./sentences.ts";
import { findTokens } from "./tokens.ts";

export interface TokeniseOptions {
  readonly id?: string | undefined;
  /** Tokens that came with the text, as alternating starts and ends; text between them is tokenised, blank ones are dropped. */
  readonly tokens?: Int32Array | undefined;
  /** Where sentences that came with the text start, as offsets; found in the text when missing. */
  readonly sentences?: readonly number[] | undefined;
}

/**
 * A document from a text and annotations whose spans are UTF-16 offsets of characters. Tokens are cut where a span
 * begins or ends, so that every annotation is whole tokens, and no sentence ends inside one. White space at the ends of
 * a span falls away; a span of nothing but white space is left out.
 */
export function tokenise(text: string, annotation: Annotation = {}, options: TokeniseOptions = {}): Document {
  const { entities = [], rejected = [], unsure = [], complete = [] } = annotation;
  const spans = [...entities, ...rejected, ...unsure];
  const tokens = cutAt(options.tokens === undefined ? findTokens(text) : completed(text, options.tokens), spans);
  const starts =
    options.sentences === undefined
      ? sentenceStarts(text, tokens, spans)
      : givenStarts(tokens, options.sentences, spans);
  const known = spans.length + complete.length > 0 ? distributed(annotation, tokens, starts) : undefined;
  const sentences = starts.map((start, i) => {
    const end = starts[i + 1] ?? tokens.length >> 1;
    // Most documents that are read line by line are one sentence, whose tokens need no copy.
    return makeSentence(text, starts.length === 1 ? tokens : tokens.slice(2 * start, 2 * end), known?.[i]);
  });
  return options.id === undefined ? { text, sentences } : { id: options.id, text, sentences };
}

/** What an annotation says of each sentence, by the tokens of the sentence. */
function distributed(
  { entities = [], rejected = [], unsure = [], complete = [] }: Annotation,
  tokens: Int32Array,
  starts: readonly number[],
): Annotation[] {
  const bySentence = distributor(tokens, starts);
  const parts = {
    entities: bySentence(entities),
    rejected: bySentence(rejected),
    unsure: bySentence(unsure),
    complete: bySentence(complete),
  };
  return starts.map((_, i) => ({
    entities: distinct(parts.entities[i]!),
    rejected: parts.rejected[i]!,
    unsure: parts.unsure[i]!,
    complete: parts.complete[i]!,
  }));
}

/** Entities that differ by white space only have become one. */
function distinct(entities: readonly Entity[]): readonly Entity[] {
  if (entities.length < 2) return entities;
  const sorted = [...entities].sort(compareEntities);
  return sorted.filter((entity, i) => i === 0 || compareEntities(sorted[i - 1]!, entity) !== 0);
}

/** The first tokens of sentences that start at these offsets or after, without those inside a span. */
function givenStarts(tokens: Int32Array, offsets: readonly number[], spans: readonly Span[]): number[] {
  const count = tokens.length >> 1;
  if (count === 0) return [];
  const held = holder(spans);
  const wanted = [...new Set(offsets.map((offset) => firstFrom(tokens, 0, offset)))].sort((a, b) => a - b);
  return [0, ...wanted.filter((i) => i > 0 && i < count && !held(tokens[2 * i - 1]!, tokens[2 * i]!))];
}

/** Given tokens, without blank ones, and those of the text they leave out. */
function completed(text: string, tokens: Int32Array): Int32Array {
  const result: number[] = [];
  let reached = 0;
  const fill = (end: number): void => {
    for (const offset of findTokens(text.slice(reached, end))) result.push(reached + offset);
  };
  for (let i = 0; i < tokens.length; i += 2) {
    fill(tokens[i]!);
    reached = tokens[i + 1]!;
    if (!isBlank(text.slice(tokens[i], reached))) result.push(tokens[i]!, reached);
  }
  fill(text.length);
  return Int32Array.from(result);
}

/** Turns spans of characters into spans of tokens, sentence by sentence; what reaches over several is cut between them. */
function distributor(tokens: Int32Array, starts: readonly number[]): <S extends Span>(items: readonly S[]) => S[][] {
  return (items) => {
    const parts: (typeof items)[number][][] = starts.map(() => []);
    for (const item of items) {
      const range = tokensWithin(tokens, item);
      for (let i = lastAtMost(starts, range.start); i < starts.length && starts[i]! < range.end; i++) {
        const start = Math.max(range.start, starts[i]!);
        const end = Math.min(range.end, starts[i + 1] ?? tokens.length >> 1);
        if (start < end) parts[i]!.push({ ...item, start: start - starts[i]!, end: end - starts[i]! });
      }
    }
    return parts;
  };
}

/** Tokens cut further where a span begins or ends inside one. */
function cutAt(tokens: Int32Array, spans: readonly Span[]): Int32Array {
  if (spans.length === 0) return tokens;
  const cuts = Int32Array.from(spans.flatMap(({ start, end }) => [start, end])).sort();
  const result: number[] = [];
  let next = 0;
  for (let i = 0; i < tokens.length; i += 2) {
    result.push(tokens[i]!);
    while (next < cuts.length && cuts[next]! <= tokens[i]!) next++;
    for (; next < cuts.length && cuts[next]! < tokens[i + 1]!; next++) {
      if (cuts[next] !== result.at(-1)) result.push(cuts[next]!, cuts[next]!);
    }
    result.push(tokens[i + 1]!);
  }
  return result.length === tokens.length ? tokens : Int32Array.from(result);
}

/** The tokens that lie within a span of characters. */
function tokensWithin(tokens: Int32Array, span: Span): Span {
  return { start: firstFrom(tokens, 0, span.start), end: firstFrom(tokens, 1, span.end + 1) };
}

/** The first token whose start (side 0) or end (side 1) is at least an offset. */
function firstFrom(tokens: Int32Array, side: 0 | 1, offset: number): number {
  let low = 0;
  let high = tokens.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tokens[2 * middle + side]! < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function lastAtMost(starts: readonly number[], token: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= token) low = middle;
    else high = middle - 1;
  }
  return low;
}
